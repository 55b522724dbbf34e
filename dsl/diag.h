/*
 * Diagnostics: file:line:col: kind: text [slug], source line, caret, notes and hints.
 *
 * Collected, not printed: the driver prints them in source order when the phases are done.  One
 * primary message, then its notes and hints.  After DIAG_LIMIT errors the rest is counted only.
 * Every slug stands in diag.def; tests/slugs.sh holds it to the cases of tests/fail.
 */
#ifndef DSL_DIAG_H
#define DSL_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "dsl/source.h"

enum {
	DIAG_LIMIT = 20,	/* errors printed */
	DIAG_KEPT = 1000,	/* errors remembered */
	DIAG_TEXT = 400,	/* bytes of a message */
};

enum slug {
#define ERROR(id, text) D_##id,
#define WARNING(id, text) D_##id,
#include "dsl/diag.def"
#undef ERROR
#undef WARNING
	NSLUG
};

struct diag;		/* one message with its notes; opaque */

struct diags {
	struct sources *sources;
	struct arena arena;
	struct diag *first, *last;
	int n, nerror, nwarning;	/* n: kept, of both */
	bool is_off[NSLUG];	/* -Wno-SLUG */
	bool warnings_fail;	/* -Werror */
};

/* A message at a span; the slug says whether it is an error or a warning. */
void diag_at(struct diags *, enum slug, struct tn_span, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Added to the last message. */
void diag_note(struct diags *, struct tn_span, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void diag_hint(struct diags *, struct tn_span, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Print all in source order.  False if any was an error. */
bool diag_print(struct diags *, FILE *, bool colour);
const char *slug_text(enum slug);
void diag_free(struct diags *);

#endif
