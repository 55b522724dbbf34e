/* What the lexer and the grammar share: one file being read. */
#ifndef DSL_READER_H
#define DSL_READER_H

#include "base/vec.h"
#include "dsl/sexp.h"

enum {
	DEPTH_LIMIT = 256,	/* nested brackets; bounds every recursion over the tree */
	PARTS_LIMIT = 16384,	/* of one list: numbers of operands, variables and attributes fit 16 bits */
	WORD_LIMIT = 4000,	/* bytes of a word or string: a C compiler need not take strings of 4096 */
};

/* siblings under construction */
struct sexps {
	struct sexp *first, *last;
	int n;
};

struct reader {
	struct arena *arena;
	struct diags *diags;
	uint32_t file, offset;
	void *scanner;
	struct opened {
		struct tn_span at;
		bool is_bracket;
	} open[DEPTH_LIMIT];
	int depth;
	bool is_at_end;
	bool is_lost;			/* brackets do not match, which was said: what follows from it is not */
	bool has_next;			/* a form at the first column, before which those that are open are closed */
	struct tn_span next;
	struct tn_span suspect;		/* a form at the first column inside another: where a ')' may be missing */
	struct sexps forms;
};

struct sexp *reader_node(struct reader *, enum sexp_kind, struct tn_span, const char *text, size_t len);

#endif
