/* From rule files to a typed program: what gen and the drivers call. */
#ifndef DSL_RULE_H
#define DSL_RULE_H

#include <stdio.h>

#include "dsl/diag.h"
#include "tenon/rule.h"

struct rules {
	const char *include_dir;	/* where includes are looked for that do not lie beside; NULL: nowhere */
	struct arena arena;	/* everything below lives here */
	struct sources sources;
	struct diags diags;
	struct tn_program_text text;
	uint64_t ncompared;	/* pairs of rules that lint looked at */
	const char *failed, *why;	/* a file of the command line that could not be read */
};

/* Read, parse, type and lint the files in order, includes followed once each.
 * False if a message is an error (diags say all), or a file could not be read (failed, why). */
bool rules_load(struct rules *, const char *const path[], int npath);
/* The same for text in memory, which must outlive r. */
bool rules_load_text(struct rules *, const char *path, const char *text, size_t size);
/* Typed program as text: tenonc -d typed. */
void rules_dump(const struct rules *, FILE *);
/* The source text of a rule's or operator's form. */
const char *rules_source(const struct rules *, struct tn_span, size_t *len);
void rules_free(struct rules *);

#endif
