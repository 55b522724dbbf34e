/*
 * Rule files to a program while running: compiled by tenonc's own code and the system's C compiler,
 * kept in a cache by content, loaded.
 */
#ifndef TENON_COMPILE_H
#define TENON_COMPILE_H

#include "match.h"
#include "rule.h"

/*
 * The program of these rule files.
 *
 * include_dir	where includes are looked for that do not lie beside the file; NULL: nowhere
 *
 * Compiled with $CC or cc against the headers in TENON_INCLUDE, in the build tree, or where they are installed;
 * kept in $XDG_CACHE_HOME/tenon or ~/.cache/tenon under a name made of all that goes in.  Stays loaded for good.
 * NULL and error: TN_E_INPUT with the diagnostics on diag (NULL: dropped), TN_E_IO, TN_E_MISSING without a compiler.
 */
TN_API const struct tn_program *tn_program_load(const char *const path[], int npath, const char *include_dir, void *diag,
    struct tn_error *);

/* Rule files as typed rules, not compiled: what is verified.  NULL and error as above, but no compiler is needed. */
struct tn_rules;
TN_API struct tn_rules *tn_rules_read(const char *const path[], int npath, const char *include_dir, void *diag,
    struct tn_error *);
/* The rules, which live as long as what was read. */
TN_API const struct tn_program_text *tn_rules_text(const struct tn_rules *);
TN_API void tn_rules_free(struct tn_rules *);
/*
 * Were these files, by their text, remembered as verified before?  In the same cache; without one nothing is.  What was
 * said of them then, malloc'ed; NULL: no.
 */
TN_API char *tn_rules_known(const struct tn_rules *);
/* Remember them, and what is to be said of them. */
TN_API void tn_rules_remember(const struct tn_rules *, const char *said);

#endif
