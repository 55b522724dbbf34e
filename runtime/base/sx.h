/*
 * S-expressions of the text files that programs read while they run: .terms and .graph.
 *
 *	( … ) and [ … ]  lists		"text"  string		; comment to the end of the line
 *	anything else up to a blank, a bracket, a quote or a semicolon: an atom
 *
 * Only the form is known here.  A string has the escapes \" \\ \n \t \xHH.  Lists nest at most
 * SX_DEPTH deep, so that readers of the tree may recurse.
 */
#ifndef BASE_SX_H
#define BASE_SX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "tenon/base.h"

enum { SX_DEPTH = 1000 };

enum sx_kind { SX_ATOM, SX_STRING, SX_LIST, SX_BRACKET };

struct sx {
	uint8_t kind;		/* enum sx_kind */
	uint32_t at;		/* byte offset of its first character */
	uint32_t n;		/* bytes of the text, or items of the list */
	const char *text;	/* ATOM, STRING: NUL-terminated */
	const struct sx *item;	/* LIST, BRACKET */
};

/* A file and its tree; all of it lives until sx_free. */
struct sx_file {
	const char *name;	/* as the user gave it */
	const char *text;
	uint32_t len;
	struct sx top;		/* a LIST of what stands in the file */
	struct arena arena;
};

/* False: the file cannot be read, or is not well-formed; nothing is left to free then. */
bool sx_read(struct sx_file *, const char *path, struct tn_error *);
/* The file's text, as far as sx_parse() takes any; the caller frees it, whatever is returned. */
bool sx_text(const char *path, struct buf *text, struct tn_error *);
/* The same of text in memory, which is copied; `name` goes into errors. */
bool sx_parse(struct sx_file *, const char *name, const char *text, size_t len, struct tn_error *);
void sx_free(struct sx_file *);

/* "name:line:col: text" as a TN_E_INPUT error, for the place where the expression begins; false. */
bool sx_fail(const struct sx_file *, const struct sx *, struct tn_error *, const char *fmt, ...) TN_PRINTF(4, 5);

static inline bool
sx_is_list(const struct sx *x)
{
	return x->kind >= SX_LIST;
}

/* Is it this atom? */
bool sx_is(const struct sx *, const char *atom);
/* A whole number that fits; false if the atom is not one. */
bool sx_int(const struct sx *, int64_t *);
/* The text as a string that reads back, quotes and all. */
void sx_put_string(struct buf *, const char *text, size_t len);
/* Can the text be written as an atom? */
bool sx_is_atom_text(const char *text, size_t len);
/* Is it a number, or does one begin it?  Such an atom is never a name. */
bool sx_is_number_text(const char *text, size_t len);
/* The text as a name that reads back: an atom, or a string where the atom would be something else. */
void sx_put_name(struct buf *, const char *text, size_t len);

#endif
