/* Writing JSON: what e-graphs in the egraph-serialize format are written with. */
#ifndef EGRAPH_JSON_H
#define EGRAPH_JSON_H

#include <stdio.h>

/* The text in quotes, escaped. */
void json_put_string(FILE *, const char *);
/* The shortest number that reads back as it; an infinite cost, which JSON has not, as 1e300. */
void json_put_cost(FILE *, double);

#endif
