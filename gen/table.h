/* Declarations as static data. */
#ifndef GEN_TABLE_H
#define GEN_TABLE_H

#include "base/buf.h"
#include "tenon/rule.h"

/* What the tables of an operator refer to. */
struct table_names {
	const struct tn_program_text *text;
	const char **enums;		/* C name of each of text->enums */
	const char *shape, *eval;	/* its functions, or NULL */
};

/* The tables of an operator, and its entry in the table of operators. */
void table_op(struct buf *out, struct buf *row, const struct tn_op *, const char *name, const struct table_names *);
void table_enum(struct buf *out, const struct tn_enum *, const char *name);
void table_device(struct buf *out, const struct tn_device *);
#endif
