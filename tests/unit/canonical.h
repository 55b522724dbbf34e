/* Rule text as tenonc --format writes it. */
#ifndef TESTS_CANONICAL_H
#define TESTS_CANONICAL_H

#include <stdlib.h>

#include "dsl/sexp.h"

/* The canonical text, to be freed; NULL if there are syntax errors. */
static inline char *
canonical(const char *text, size_t size, size_t *len)
{
	struct sources s = {0};
	struct diags d = {.sources = &s};
	char *out = NULL;
	FILE *f = open_memstream(&out, len);
	bool ok = sexp_format(&s, source_text(&s, "text", text, size), &d, f);

	fclose(f);
	diag_free(&d);
	sources_free(&s);
	if (ok)
		return out;
	free(out);
	return NULL;
}

#endif
