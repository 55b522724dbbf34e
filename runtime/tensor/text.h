/*
 * Inside of the .graph text.
 *
 *	text_read.c	forms and nodes		text_value.c	what stands in them: extents, types,
 *	text_write.c	the way back				numbers, elements, attributes
 */
#ifndef TENSOR_TEXT_H
#define TENSOR_TEXT_H

#include "base/map.h"
#include "base/sx.h"
#include "tenon/graph.h"

struct text_reader {
	struct sx_file file;
	struct tn_graph *g;
	struct map named;		/* name: node */
	struct map opaque;		/* numbers of opaque operators */
	struct tn_error *error;
};

/* Each says what is wrong, with its place, and returns false. */
bool text_bad(struct text_reader *, const struct sx *at, const char *fmt, ...) TN_PRINTF(3, 4);
/* f32 [1 3 h w]: items `at` and the next of the form */
bool text_type(struct text_reader *, const struct sx *form, uint32_t at, tn_type *);
bool text_number(struct text_reader *, const struct sx *, double *);
/* An atom that a number begins is never a name. */
bool text_is_number(const struct sx *);
/* :data [ … ], :seed N or :fill X at item `at`: the weight's data, malloc'ed. */
bool text_elements(struct text_reader *, const struct sx *form, uint32_t at, struct tn_weight *);
/* :name VALUE … from item `at` on, the others by default */
bool text_attrs(struct text_reader *, const struct tn_op *, const struct sx *form, uint32_t at, tn_attrs *);

#endif
