/* Tensor elements as bytes, and as the doubles that are computed with. */
#ifndef TENSOR_ELEMENT_H
#define TENSOR_ELEMENT_H

#include "base/dtype.h"
#include "tenon/ctx.h"

/*
 * n elements as doubles.  False if some are whole numbers that a double does not hold; they are then
 * the nearest that it does.
 */
bool element_load(enum tn_dtype, const void *from, size_t n, double *to);
/* And back, rounded to nearest; all NaNs are one; whole numbers are cut to their type's bits, a bool is other than 0. */
void element_store(enum tn_dtype, const double *from, size_t n, void *to);
/* x as the type holds it. */
double element_round(enum tn_dtype, double x);
/*
 * Numbers of a graph are f32's.  Can this one stand for an element of the type?  Floats of at most 32 bits take
 * the nearest they have, if that is finite where x is; a double, or a whole number, must be x itself.
 */
bool element_fits(enum tn_dtype, double x);
/* The same, and no float rounds it either: what elements are computed to. */
bool element_holds(enum tn_dtype, double x);

#endif
