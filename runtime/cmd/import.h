/* Rules of other optimizers as rule text; see import.c. */
#ifndef CMD_IMPORT_H
#define CMD_IMPORT_H

#include "base/buf.h"
#include "base/sx.h"
#include "base/vec.h"

/* One rule on its way: its text so far, and what its arrows need beside them. */
struct import {
	const struct sx_file *file;
	struct tn_error *error;
	struct buf arrows, lets, guards;
	VEC(const struct sx *) shared;	/* terms with a let: ?y0, ?y1, … */
	const struct sx *kernel;	/* a convolution's kernel that is a variable */
	bool is_same;			/* some convolution keeps its input's size */
	bool is_left;
};

/* A term of TENSAT's, as one of rules/tensor.rules.  False: said in the error, with its place. */
bool tensat_term(struct import *, const struct sx *, struct buf *);

#endif
