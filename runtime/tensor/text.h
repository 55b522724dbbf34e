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

/* (let NAME TERM): a node of that name. */
bool text_let(struct text_reader *, const struct sx *form);
/* The node that is called so. */
bool text_node(struct text_reader *, const struct sx *name, uint32_t *node);

/* Writing single nodes of a graph, fills as nodes of their own. */
struct text_writer;
struct text_writer *text_writer_open(const struct tn_graph *);
void text_writer_close(struct text_writer *);
/* What the node is called, not quoted. */
const char *text_writer_name(const struct text_writer *, uint32_t node, char room[32]);
/* "(let NAME TERM)", its type as a comment behind. */
void text_writer_let(struct text_writer *, uint32_t node, struct buf *);

#endif
