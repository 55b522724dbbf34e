/* Nodes of the S-expression tree, and the tree as text for tenonc -d ast. */
#include <string.h>

#include "dsl/reader.h"

/* a string's text without its escapes */
static const char *
unescape(struct arena *a, const char *text, size_t len)
{
	char *to = arena_alloc(a, len + 1);
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		if (text[i] == '\\' && i + 1 < len) {
			i++;
			to[n++] = text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
		} else
			to[n++] = text[i];
	}
	return to;
}

struct sexp *
reader_node(struct reader *r, enum sexp_kind kind, struct tn_span at, const char *text, size_t len)
{
	struct sexp *s = arena_new(r->arena, struct sexp);
	const char *count;

	s->kind = kind;
	s->at = at;
	if (len > WORD_LIMIT && kind != S_NUMBER)
		diag_at(r->diags, D_TOO_LARGE, at, "more than %d bytes in one %s", WORD_LIMIT, kind == S_STRING ? "string" : "word");
	if (kind == S_STRING)
		s->text = unescape(r->arena, text, len);
	else if (kind == S_REST && (count = memchr(text, '@', len))) {
		s->text = arena_str(r->arena, text, (size_t)(count - text));
		s->at_name = arena_str(r->arena, count + 1, len - (size_t)(count - text) - 1);
	} else
		s->text = arena_str(r->arena, text, len);
	if (kind == S_NUMBER && !number_parse(text, len, &s->num))
		diag_at(r->diags, D_BAD_NUMBER, at, "'%.*s' is no number, or does not fit", (int)len, text);
	return s;
}

/* list @0..14, then its children two spaces further in */
static void
dump(const struct sexp *s, int depth, FILE *f)
{
	static const char *const name[] = {
		[S_LIST] = "list", [S_BRACKET] = "bracket", [S_NAME] = "name", [S_TENSOR] = "tensor", [S_SEQ] = "tensors",
		[S_VALUE] = "value", [S_REST] = "rest", [S_EXTENT] = "extent", [S_KEY] = "key", [S_NUMBER] = "number",
		[S_STRING] = "string", [S_DOTS] = "dots",
	};
	const struct sexp *k;

	fprintf(f, "%*s%s", 2 * depth, "", name[s->kind]);
	if (s->kind != S_LIST && s->kind != S_BRACKET)
		fprintf(f, " %s%s%s%s", s->kind == S_EXTENT && s->is_rest ? ".." : "", s->text, s->at_name ? "@" : "",
		    s->at_name ? s->at_name : "");
	fprintf(f, " @%u..%u\n", s->at.from, s->at.to);
	for (k = s->kid; k; k = k->next)
		dump(k, depth + 1, f);
}

void
sexp_dump(const struct sexp *s, FILE *f)
{
	for (; s; s = s->next)
		dump(s, 0, f);
}
