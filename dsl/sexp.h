/*
 * S-expressions with places: what the grammar builds and the typed pass reads.
 *
 * Atoms are told apart by the lexer, so that nobody looks at first letters twice.
 */
#ifndef DSL_SEXP_H
#define DSL_SEXP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "dsl/diag.h"

enum sexp_kind {
	S_LIST,		/* ( … ) */
	S_BRACKET,	/* [ … ] */
	S_NAME,		/* matmul, +, /!, d*, xs... (a binder) */
	S_TENSOR,	/* ?x, ?_ ; text is x, _ */
	S_SEQ,		/* ?xs... */
	S_VALUE,	/* $a, $_ */
	S_REST,		/* ..d; text is d; after '#': is_extent */
	S_EXTENT,	/* #d; #..d has is_rest */
	S_KEY,		/* :key */
	S_NUMBER,
	S_STRING,	/* text without quotes, escapes done */
	S_DOTS,		/* ... after a list: (f ?xs...)... */
};

struct sexp {
	enum sexp_kind kind;
	bool is_rest;			/* EXTENT: #..d.  REST: with @: ..a@axis has text a, at_name axis */
	const char *text;		/* of an atom */
	const char *at_name;		/* REST: what follows @, or NULL */
	struct tn_number num;
	struct sexp *kid, *next;	/* LIST and BRACKET: first; sibling */
	int nkid;
	struct tn_span at;
};

/* (name …) */
static inline bool
is_clause(const struct sexp *s, const char *name)
{
	return s->kind == S_LIST && s->kid && s->kid->kind == S_NAME && strcmp(s->kid->text, name) == 0;
}

/* All forms of a file, as siblings; includes are not followed.  Syntax errors are in diags. */
struct sexp *sexp_parse(struct sources *, int file, struct arena *, struct diags *);
/* Canonical text of a whole file, comments kept; what tenonc --format prints.  False on syntax errors. */
bool sexp_format(struct sources *, int file, struct diags *, FILE *);
/* Tree with spans, one node a line: tenonc -d ast. */
void sexp_dump(const struct sexp *, FILE *);

#endif
