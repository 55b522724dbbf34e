/* Inside of the reference executor. */
#ifndef REF_EXECUTE_H
#define REF_EXECUTE_H

#include "tenon/tenon.h"

struct rng;

/* tn_execute until `deadline_s` of clock_now; 0: without end. */
struct tn_array *execute_until(const struct tn_graph *, const struct tn_exec *, double deadline_s, struct tn_error *);

/*
 * Room for an array of the type at sizes, zeros; false: the sizes do not tell its shape, or it is too
 * large.  Where the type tells no shape, or elements that are no numbers, there are no elements: v NULL, rank -1.
 */
bool array_make(const struct tn_ctx *, tn_type, const int64_t sizes[], struct tn_array *, struct tn_error *);
int64_t array_count(const struct tn_array *);	/* elements it has; 0 if it has none */
/* Numbers of the kind that is the seed's: any, positive, within 1, above 1, negative; whole ones from 0 on. */
void array_draw(struct tn_array *, struct rng *, uint64_t seed);
enum { DRAW_KINDS = 5 };
/* A weight's elements; false: they are no numbers, or there are fewer bytes. */
bool array_load(struct tn_array *, const struct tn_weight *, struct tn_error *);

#endif
