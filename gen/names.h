/* C identifiers from the names of a rule file, each given once in a function or a file. */
#ifndef GEN_NAMES_H
#define GEN_NAMES_H

#include "base/arena.h"
#include "base/vec.h"

struct names {
	struct arena *arena;
	VEC(const char *) used;
	const struct names *ops;	/* operators and enums, op_X and enum_X, whose tables' names are used, too; or NULL */
};

/* What names of the tables of operators begin with (table.c, ops.c). */
#define NAME_PREFIXES "x_", "var_", "attr_", "in_", "where_", "let_", "out_", "shape_", "eval_", "enum_"

/* `text` spelt as a C identifier: "hard-swish" is hard_swish. */
const char *name_spell(struct arena *, const char *text);
/* The same made unlike all names given before: h, h2, h3, … */
const char *name_new(struct names *, const char *text);
void names_free(struct names *);

#endif
