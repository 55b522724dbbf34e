/*
 * Generated text: lines of at most 90 columns, and #line directives out to a rule file and back.
 *
 * The number of a line of our own is known only when all text is there, so the way back is a mark
 * until emit_finish counts the lines.  Pieces can therefore be made apart and put together later.
 */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include <stdbool.h>

#include "base/buf.h"

enum { EMIT_COLUMNS = 90, EMIT_TAB = 8 };

struct emit {
	struct buf text;
	bool no_lines;		/* without #line */
};

/* As it is. */
void emit_text(struct emit *, const char *);
void emit(struct emit *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One line at a depth of tabs, broken after commas and && where it is too long. */
void emit_line(struct emit *, int depth, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Text inside a comment, which it cannot end. */
void emit_comment(struct emit *, const char *text, size_t len);
/* Source text in a comment, line by line, under " *\t". */
void emit_source(struct emit *, const char *text, size_t len);
/* What follows is on this line of a rule file; what follows is our own again. */
void emit_at(struct emit *, const char *file, int line);
void emit_back(struct emit *);
/* Is the name in the text, as a word? */
bool emit_has_word(const char *text, const char *word);
/* Append a piece. */
void emit_join(struct emit *, struct emit *piece);
/* The text with its marks made directives that name it `file`. */
void emit_finish(struct emit *, const char *file, struct buf *out);
void emit_free(struct emit *);

#endif
