/*
 * Maximum flow with whole-number capacities (Dinic, Soviet Math. Doklady 11, 1970), for many sources
 * on one graph.
 */
#ifndef EXTRACT_MAXFLOW_H
#define EXTRACT_MAXFLOW_H

#include <stdbool.h>

#include "base/vec.h"

struct flow_arc {
	uint32_t to, next;		/* next arc of the same tail, or UINT32_MAX; arcs k and k ^ 1 are each other's reverse */
	int64_t room, capacity;		/* room: what may still flow */
};

struct flow {
	uint32_t n;			/* vertices */
	uint32_t *head;			/* first arc of a vertex */
	VEC(struct flow_arc) arc;
	uint32_t *level, *at;
	VEC(uint32_t) queue, path;
};

void flow_open(struct flow *, uint32_t n);
void flow_close(struct flow *);
void flow_arc(struct flow *, uint32_t from, uint32_t to, int64_t capacity);
/* The most that flows from source to sink, not more than `most`.  Starts from no flow. */
int64_t flow_run(struct flow *, uint32_t source, uint32_t sink, int64_t most);
/* After flow_run that stayed below `most`: the vertices that more could flow to from the source … */
void flow_front(struct flow *, uint32_t source, uint32_t sink, bool in[]);
/* … and those that nothing more could flow from to the sink. */
void flow_back(struct flow *, uint32_t sink, bool in[]);

#endif
