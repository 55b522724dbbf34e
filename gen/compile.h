/* Between the files that make programs of rule files while running. */
#ifndef GEN_COMPILE_H
#define GEN_COMPILE_H

#include "dsl/rule.h"

/* The cache's folder, made if it is not there. */
bool cache_dir(struct arena *, const char **dir, struct tn_error *);
/* Read and typed; false: the error says why not, and diag, a FILE or NULL, has the messages. */
bool read_rules(struct rules *, const char *const path[], int npath, void *diag, struct tn_error *);

#endif
