/*
 * S-expressions.  The reader hands over balanced brackets (it reports and mends those that are not),
 * so that the grammar is these few lines, and what forms mean is the typed pass's business.
 */
%code requires {
#include "dsl/reader.h"
}
%define api.pure full
%define api.prefix {rule_}
%define api.location.type {struct tn_span}
%define api.token.prefix {RULE_}
%define parse.lac full
%define parse.error custom
%locations
%expect 0
%param {struct reader *r}

%union {
	struct sexp *form;
	struct sexps forms;
}

%token OPEN "(" CLOSE ")" BRACKET "[" UNBRACKET "]"
%token UNCLOSED_STRING BAD_BYTE
%token <form> ATOM
%type <form> form
%type <forms> forms

%{
#define YYLLOC_DEFAULT(current, rhs, n) \
	((current) = (n) ? (struct tn_span){YYRHSLOC(rhs, 1).file, YYRHSLOC(rhs, 1).from, YYRHSLOC(rhs, n).to} \
	    : (struct tn_span){YYRHSLOC(rhs, 0).file, YYRHSLOC(rhs, 0).to, YYRHSLOC(rhs, 0).to})

int rule_lex(RULE_STYPE *, struct tn_span *, struct reader *);
static void rule_error(struct tn_span *, struct reader *, const char *);
static struct sexp *group(struct reader *, enum sexp_kind, struct tn_span, struct sexps);
static struct sexps append(struct sexps, struct sexp *);
%}

%%

file:
  forms			{ r->forms = $1; }
;

forms:
  %empty		{ $$ = (struct sexps){0}; }
| forms form		{ $$ = append($1, $2); }
;

form:
  ATOM
| "(" forms ")"		{ $$ = group(r, S_LIST, @$, $2); }
| "[" forms "]"		{ $$ = group(r, S_BRACKET, @$, $2); }
;

%%

static struct sexps
append(struct sexps s, struct sexp *form)
{
	if (s.last)
		s.last->next = form;
	else
		s.first = form;
	s.last = form;
	s.n++;
	return s;
}

static struct sexp *
group(struct reader *r, enum sexp_kind kind, struct tn_span at, struct sexps kids)
{
	struct sexp *s = reader_node(r, kind, at, "", 0);

	if (kids.n > PARTS_LIMIT)
		diag_at(r->diags, D_TOO_LARGE, at, "more than %d parts in one list", PARTS_LIMIT);
	s->kid = kids.first;
	s->nkid = kids.n;
	return s;
}

/* the reader leaves nothing for this to say but a defect of ours */
static int
yyreport_syntax_error(const yypcontext_t *context, struct reader *r)
{
	yysymbol_kind_t expected[8];
	int n = yypcontext_expected_tokens(context, expected, 8);

	diag_at(r->diags, D_BAD_FORM, *yypcontext_location(context), "found %s where %s stands",
	    yysymbol_name(yypcontext_token(context)), n > 0 ? yysymbol_name(expected[0]) : "nothing");
	return 0;
}

static void
rule_error(struct tn_span *at, struct reader *r, const char *text)
{
	diag_at(r->diags, D_TOO_DEEP, *at, "%s", text);
}
