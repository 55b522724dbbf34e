/* From rule files to a typed program: what gen and the drivers call. */
#ifndef DSL_RULE_H
#define DSL_RULE_H

#include <stdio.h>

#include "dsl/diag.h"
#include "tenon/rule.h"

struct rules {
	struct arena arena;	/* everything below lives here */
	struct sources sources;
	struct diags diags;
	struct tn_program_text text;
};

/* Read, parse, type and lint the files in order, includes followed once each.
 * False if a message is an error; diags then say all. */
bool rules_load(struct rules *, const char *const path[], int npath);
/* Typed program as text: tenonc -d typed. */
void rules_dump(const struct rules *, FILE *);
/* The source text of a rule's or operator's form. */
const char *rules_source(const struct rules *, struct tn_span, size_t *len);
void rules_free(struct rules *);

#endif
