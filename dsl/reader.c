/*
 * From a file's text to its tree: between flex and the grammar stands this reader, which sees to it that
 * brackets balance and says once, in the user's terms, where they do not.
 */
#include <string.h>

#include "dsl/reader.h"
#include "dsl/parser.h"
#include "dsl/lexer.h"

int rule_scan(RULE_STYPE *, struct tn_span *, yyscan_t);
int rule_lex(RULE_STYPE *, struct tn_span *, struct reader *);

/* remember an opening bracket; false if there are too many */
static bool
open_bracket(struct reader *r, struct tn_span at, bool is_bracket)
{
	const char *text = r->diags->sources->at[at.file].text;

	if (r->depth == DEPTH_LIMIT) {
		diag_at(r->diags, D_TOO_DEEP, at, "more than %d brackets inside each other", DEPTH_LIMIT);
		r->is_at_end = true;
		return false;
	}
	if (r->depth && !r->suspect.to && text[at.from - 1] == '\n')
		r->suspect = at;
	r->open[r->depth++] = (struct opened){at, is_bracket};
	return true;
}

/* the token that closes the innermost bracket */
static int
close_innermost(struct reader *r)
{
	return r->open[--r->depth].is_bracket ? RULE_UNBRACKET : RULE_CLOSE;
}

/* at the end of the file: say once what is open, then close it */
static int
end(struct reader *r)
{
	if (!r->depth)
		return RULE_YYEOF;
	if (!r->is_at_end && !r->is_lost) {
		diag_at(r->diags, D_UNCLOSED, r->open[0].at, "'%c' is never closed", r->open[0].is_bracket ? '[' : '(');
		if (r->suspect.to)
			diag_note(r->diags, r->suspect, "this form begins inside it: is a ')' missing before?");
	}
	r->is_at_end = true;
	return close_innermost(r);
}

/* a run of bytes that begin nothing */
static void
bad_bytes(struct reader *r, struct tn_span at)
{
	const char *text = r->diags->sources->at[at.file].text + at.from;
	unsigned char first = (unsigned char)*text;

	if (first < ' ' || first == 0x7f)
		diag_at(r->diags, D_BAD_BYTE, at, "byte 0x%02x has no place in a rule file", first);
	else
		diag_at(r->diags, D_BAD_BYTE, at, "'%.*s' begins nothing", (int)(at.to - at.from), text);
}

/* a bracket that does not match; the first since brackets last did is said */
static void
bad_bracket(struct reader *r, struct tn_span at, char found)
{
	if (!r->is_lost && !r->depth)
		diag_at(r->diags, D_UNOPENED, at, "'%c' closes nothing", found);
	else if (!r->is_lost) {
		diag_at(r->diags, D_MISMATCH, at, "found '%c' where '%c' would close", found, found == ')' ? ']' : ')');
		diag_note(r->diags, r->open[r->depth - 1].at, "what it would close");
	}
	r->is_lost = true;
}

/* the next token of flex, or that which waits */
static int
scan(struct reader *r, RULE_STYPE *value, struct tn_span *at)
{
	if (r->is_at_end)
		return 0;
	if (r->has_next && !r->depth) {
		r->has_next = r->is_lost = false;
		*at = r->next;
		return RULE_OPEN;
	}
	return rule_scan(value, at, r->scanner);
}

/* Is it a form at the first column while we are lost?  Then it is where brackets match again. */
static bool
is_new_start(struct reader *r, struct tn_span at)
{
	const char *text = r->diags->sources->at[at.file].text;

	r->has_next = r->is_lost && (at.from == 0 || text[at.from - 1] == '\n');
	r->next = at;
	return r->has_next;
}

/* tokens from flex, with the brackets balanced */
int
rule_lex(RULE_STYPE *value, struct tn_span *at, struct reader *r)
{
	int token;

	for (;;) {
		if (r->has_next && r->depth)
			return close_innermost(r);
		token = scan(r, value, at);
		if (token == RULE_OPEN && is_new_start(r, *at))
			continue;
		switch (token) {
		case 0:
			return end(r);
		case RULE_OPEN:
		case RULE_BRACKET:
			if (open_bracket(r, *at, token == RULE_BRACKET))
				return token;
			break;
		case RULE_CLOSE:
		case RULE_UNBRACKET:
			if (!r->depth || r->open[r->depth - 1].is_bracket != (token == RULE_UNBRACKET))
				bad_bracket(r, *at, token == RULE_CLOSE ? ')' : ']');
			if (r->depth)
				return close_innermost(r);
			break;
		case RULE_UNCLOSED_STRING:
			at->to = at->from + 1;
			diag_at(r->diags, D_UNCLOSED_STRING, *at, "this string is never closed");
			r->is_at_end = true;
			break;
		case RULE_BAD_BYTE:
			bad_bytes(r, *at);
			break;
		default:
			return token;
		}
	}
}

struct sexp *
sexp_parse(struct sources *sources, int file, struct arena *arena, struct diags *diags)
{
	struct reader r = {.arena = arena, .diags = diags, .file = (uint32_t)file};
	const struct source *s = &sources->at[file];
	const char *nul = memchr(s->text, '\0', s->size);
	YY_BUFFER_STATE buffer;

	if (nul) {
		uint32_t at = (uint32_t)(nul - s->text);

		diag_at(diags, D_BAD_BYTE, (struct tn_span){(uint32_t)file, at, at + 1}, "byte 0x00: this is no text");
		return NULL;
	}
	rule_scan_lex_init_extra(&r, (yyscan_t *)&r.scanner);
	buffer = rule_scan__scan_bytes(s->text, (int)s->size, r.scanner);
	rule_parse(&r);
	rule_scan__delete_buffer(buffer, r.scanner);
	rule_scan_lex_destroy(r.scanner);
	return r.forms.first;
}
