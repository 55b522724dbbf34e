/* C identifiers from the names of a rule file, each given once in a function or a file. */
#ifndef GEN_NAMES_H
#define GEN_NAMES_H

#include "base/arena.h"
#include "base/vec.h"

struct names {
	struct arena *arena;
	VEC(const char *) used;
};

/* `text` spelt as a C identifier: "hard-swish" is hard_swish. */
const char *name_spell(struct arena *, const char *text);
/* The same made unlike all names given before: h, h2, h3, … */
const char *name_new(struct names *, const char *text);
void names_free(struct names *);

#endif
