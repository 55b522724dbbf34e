/* Checked arithmetic for sizes and extents, and the exact numbers of rule files. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/op.h"

static inline bool
num_mul(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

static inline bool
num_add(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

/* For qsort: doubles, the least first. */
int num_by_value(const void *, const void *);
/* Of n numbers in order, n at least 1: the one that the share, 0 to 1, lies at or below. */
double num_percentile(const double sorted[], uint64_t n, double share);

int64_t num_gcd(int64_t, int64_t);		/* at least 0 */
int64_t num_floordiv(int64_t, int64_t);		/* divisor not 0 */
int64_t num_floormod(int64_t, int64_t);		/* sign of the divisor */

/* "12", "-0.5", "1/6", "1e-5", "inf", "-inf".  False: not a number, or one that does not fit. */
bool number_parse(const char *text, size_t len, struct tn_number *);
/* The shortest text that parses to it; at most 64 bytes with the NUL. */
void number_print(struct tn_number, char out[64]);
bool number_is_int(struct tn_number);
bool number_equal(struct tn_number, struct tn_number);
struct tn_number number_make(int64_t num, int64_t den);	/* lowest terms; den != 0 */

#endif
