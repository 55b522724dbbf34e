/* Steps and places in words. */
#ifndef GEN_DRAW_H
#define GEN_DRAW_H

#include "gen/gen.h"

struct draw {
	const struct gen *g;
	VEC(int) op;		/* by node, of the steps drawn so far */
};

const char *draw_ref(struct draw *, const struct ref *);
/* Steps are drawn in order. */
const char *draw_step(struct draw *, const struct step *);
void draw_end(struct draw *);

#endif
