/* Dinic's algorithm: shortest ways by levels, then a blocking flow along them; see maxflow.h. */
#include "extract/maxflow.h"

#include <string.h>

#include "base/mem.h"

void
flow_open(struct flow *f, uint32_t n)
{
	*f = (struct flow){.n = n};
	f->head = mem_alloc(n * sizeof *f->head);
	f->level = mem_alloc(n * sizeof *f->level);
	f->at = mem_alloc(n * sizeof *f->at);
	memset(f->head, 0xff, n * sizeof *f->head);
}

void
flow_close(struct flow *f)
{
	mem_free(f->head);
	mem_free(f->level);
	mem_free(f->at);
	vec_free(&f->arc);
	vec_free(&f->queue);
	vec_free(&f->path);
}

void
flow_arc(struct flow *f, uint32_t from, uint32_t to, int64_t capacity)
{
	struct flow_arc there = {to, f->head[from], capacity, capacity}, back = {from, f->head[to], 0, 0};

	if (from == to)
		return;
	f->head[from] = f->arc.n;
	vec_push(&f->arc, there);
	f->head[to] = f->arc.n;
	vec_push(&f->arc, back);
}

/* distance from the source, breadth first; true if the sink has one */
static bool
find_levels(struct flow *f, uint32_t source, uint32_t sink)
{
	uint32_t i, k, v;

	memset(f->level, 0xff, f->n * sizeof *f->level);
	f->level[source] = 0;
	f->queue.n = 0;
	vec_push(&f->queue, source);
	for (i = 0; i < f->queue.n && f->level[sink] == UINT32_MAX; i++) {
		v = f->queue.at[i];
		for (k = f->head[v]; k != UINT32_MAX; k = f->arc.at[k].next)
			if (f->arc.at[k].room > 0 && f->level[f->arc.at[k].to] == UINT32_MAX) {
				f->level[f->arc.at[k].to] = f->level[v] + 1;
				vec_push(&f->queue, f->arc.at[k].to);
			}
	}
	return f->level[sink] != UINT32_MAX;
}

/* one more way along the levels, and what flows on it, at most `most`; 0: there is none */
static int64_t
augment(struct flow *f, uint32_t source, uint32_t sink, int64_t most)
{
	uint32_t v = source, i;

	f->path.n = 0;
	while (v != sink) {
		uint32_t k = f->at[v];

		if (k == UINT32_MAX) {		/* a dead end: back to where it came from */
			if (f->path.n == 0)
				return 0;
			k = vec_pop(&f->path);
			v = f->arc.at[k ^ 1].to;
			f->at[v] = f->arc.at[k].next;
		} else if (f->arc.at[k].room > 0 && f->level[f->arc.at[k].to] == f->level[v] + 1) {
			vec_push(&f->path, k);
			v = f->arc.at[k].to;
		} else {
			f->at[v] = f->arc.at[k].next;
		}
	}
	for (i = 0; i < f->path.n; i++)
		if (f->arc.at[f->path.at[i]].room < most)
			most = f->arc.at[f->path.at[i]].room;
	for (i = 0; i < f->path.n; i++) {
		f->arc.at[f->path.at[i]].room -= most;
		f->arc.at[f->path.at[i] ^ 1].room += most;
	}
	return most;
}

int64_t
flow_run(struct flow *f, uint32_t source, uint32_t sink, int64_t most)
{
	int64_t sum = 0, more;
	uint32_t k;

	for (k = 0; k < f->arc.n; k++)
		f->arc.at[k].room = f->arc.at[k].capacity;
	while (sum < most && find_levels(f, source, sink)) {
		memcpy(f->at, f->head, f->n * sizeof *f->at);
		while (sum < most && (more = augment(f, source, sink, most - sum)) > 0)
			sum += more;
	}
	return sum;
}

void
flow_front(struct flow *f, uint32_t source, uint32_t sink, bool in[])
{
	uint32_t v;

	find_levels(f, source, sink);
	for (v = 0; v < f->n; v++)
		in[v] = f->level[v] != UINT32_MAX;
}

void
flow_back(struct flow *f, uint32_t sink, bool in[])
{
	uint32_t i, k, v;

	memset(in, true, f->n);
	in[sink] = false;
	f->queue.n = 0;
	vec_push(&f->queue, sink);
	for (i = 0; i < f->queue.n; i++)
		for (k = f->head[f->queue.at[i]]; k != UINT32_MAX; k = f->arc.at[k].next) {
			v = f->arc.at[k].to;
			if (f->arc.at[k ^ 1].room > 0 && in[v]) {
				in[v] = false;
				vec_push(&f->queue, v);
			}
		}
}
