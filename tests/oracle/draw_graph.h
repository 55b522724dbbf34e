/*
 * Random graphs: values that several operators read, views of views, chains in place, sums.
 *
 * Elements are whole numbers as long as they are small, so that what is computed in any order is the same; what rounds is only
 * moved on.
 */
#ifndef ORACLE_DRAW_GRAPH_H
#define ORACLE_DRAW_GRAPH_H

#include "base/buf.h"
#include "base/rand.h"
#include "tenon/tenon.h"

enum { LINES_MOST = 24 };

struct drawn {
	struct tn_shape shape;
	double most;			/* that an element is, either way; 0: it is no whole number */
};

struct draw {
	struct tn_ctx *c;
	struct rng rng;
	struct buf text;		/* "(graph g (let v0 …) …", without its end */
	struct drawn v[LINES_MOST];	/* of "v0", … */
	int n;
};

/* A graph of c and rng, whose inputs are to be whole numbers from -2 to 2; its text stays in the draw.  NULL: said. */
struct tn_graph *draw_graph(struct draw *);
int64_t draw_elements(const struct tn_shape *);

#endif
