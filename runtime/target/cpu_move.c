/* Operators that give elements other places, on the CPU: the copies of move.c. */
#include <string.h>

#include "base/mem.h"
#include "target/cpu.h"

/* Two axes of a copy of 4-byte elements: those along `n` lie together in the result, those along `m` in the operand. */
struct turn {
	int64_t n, m, to, from;		/* strides of the result along m, of the operand along n; n 0: it is no such copy */
	struct loop rest;		/* the other axes */
};

struct move {
	struct kernel kernel;
	size_t size;			/* of an element */
	size_t cleared;			/* bytes of the result that are set to 0 before */
	const void **constant;		/* by operand; NULL: it is an input */
	struct moves moves;
	struct turn *turn;		/* by part */
	int nin;
};

/* ---- elements whose neighbours become others -------------------------------------------------------------------------- */

enum { TILE = 16 };		/* 4-byte elements of a cache line */

static int64_t
at_most(int64_t n)
{
	return n < TILE ? n : TILE;
}

/* a tile: what is read and written in short jumps stays in the nearest cache, so that the long ones go from line to line */
static void
turn_tile(const struct turn *t, int64_t n, int64_t m, const uint32_t *from, uint32_t *to)
{
	int64_t i, k;

	if (t->to > t->from)
		for (i = 0; i < m; i++)
			for (k = 0; k < n; k++)
				to[i * t->to + k] = from[k * t->from + i];
	else
		for (k = 0; k < n; k++)
			for (i = 0; i < m; i++)
				to[i * t->to + k] = from[k * t->from + i];
}

/* called for each run along the last of the other axes */
static void
turn_run(const void *arg, int64_t count, char *const at[], const int64_t stride[])
{
	const struct turn *t = arg;
	uint32_t *to = (uint32_t *)(void *)at[0];
	const uint32_t *from = (const uint32_t *)(const void *)at[1];
	int64_t i, k;

	for (; count > 0; count--, to += stride[0], from += stride[1])
		for (k = 0; k < t->n; k += TILE)
			for (i = 0; i < t->m; i += TILE)
				turn_tile(t, at_most(t->n - k), at_most(t->m - i), from + k * t->from + i, to + i * t->to + k);
}

/* is it such a copy? */
static void
find_turn(struct turn *t, const struct loop *l, size_t size)
{
	int last = l->rank - 1, across = last, i;

	*t = (struct turn){.n = 0};
	while (across >= 0 && l->stride[1][across] != 1)
		across--;
	if (size != 4 || l->stride[0][last] != 1 || across < 0 || across == last)
		return;
	t->n = l->dim[last], t->from = l->stride[1][last];
	t->m = l->dim[across], t->to = l->stride[0][across];
	t->rest = (struct loop){.ntensor = 2};
	for (i = 0; i < last; i++) {
		if (i == across)
			continue;
		t->rest.dim[t->rest.rank] = l->dim[i];
		t->rest.stride[0][t->rest.rank] = l->stride[0][i];
		t->rest.stride[1][t->rest.rank++] = l->stride[1][i];
	}
	if (t->rest.rank == 0)
		t->rest.dim[t->rest.rank++] = 1;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------- */

static bool
move_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct move *m = (struct move *)k;
	char *base[2];
	int i;

	(void)scratch, (void)e;
	if (m->cleared)
		memset(out, 0, m->cleared);
	for (i = 0; i < m->moves.npart; i++) {
		const struct part *p = &m->moves.part[i];
		const void *from = m->constant[p->operand] ? m->constant[p->operand] : in[p->operand];

		base[0] = (char *)out + p->to * (int64_t)m->size;
		base[1] = (char *)(uintptr_t)from + p->from * (int64_t)m->size;
		if (m->turn[i].n)
			loop_run(&m->turn[i].rest, base, m->size, turn_run, &m->turn[i]);
		else
			loop_run(&p->loop, base, m->size, copy_run, &m->size);
	}
	return true;
}

static void
move_drop(struct kernel *k)
{
	struct move *m = (struct move *)k;
	int i;

	for (i = 0; i < m->nin; i++)
		mem_free((void *)(uintptr_t)m->constant[i]);
	mem_free(m->constant);
	mem_free(m->moves.part);
	mem_free(m->turn);
	mem_free(m);
}

enum { SHORT = 8 };

/*
 * A run along a short axis costs more for its call than for its elements: the axis before it takes its place.  What is
 * repeated along it is left to tiles, which write each line once.
 */
static void
run_along_longer(struct loop *l)
{
	int last = l->rank - 1, before = last - 1, i;
	int64_t dim = l->dim[last], step;

	if (l->rank < 2 || dim >= SHORT || dim >= l->dim[before] || l->stride[1][last] == 0 ||
	    (l->stride[0][last] == 1 && l->stride[1][last] == 1))
		return;
	l->dim[last] = l->dim[before];
	l->dim[before] = dim;
	for (i = 0; i < l->ntensor; i++) {
		step = l->stride[i][last];
		l->stride[i][last] = l->stride[i][before];
		l->stride[i][before] = step;
	}
}

/* a constant as it lies in memory, from its first element to its last */
static const void *
keep(const struct tn_tensor *t, size_t size)
{
	size_t bytes = (size_t)view_reach(t) * size;

	return memcpy(mem_alloc(bytes + 1), t->data, bytes);
}

struct kernel *
move_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct move *m = mem_alloc(sizeof *m);
	int i;

	(void)cpu;
	m->kernel = (struct kernel){move_run, move_drop};
	m->size = dtype_size(job->out.dtype);
	m->nin = job->nin;
	m->constant = mem_alloc(((size_t)job->nin + 1) * sizeof *m->constant);
	m->moves.part = mem_alloc(((size_t)job->nin + 1) * sizeof *m->moves.part);
	if (!moves_make(&m->moves, job)) {
		move_drop(&m->kernel);
		tn_fail(e, TN_E_INPUT, "it is none that moves elements");
		return NULL;
	}
	for (i = 0; i < m->moves.npart; i++)
		run_along_longer(&m->moves.part[i].loop);
	if (m->moves.is_cleared)
		m->cleared = (size_t)view_count(&job->out) * m->size;
	m->turn = mem_alloc(((size_t)m->moves.npart + 1) * sizeof *m->turn);
	for (i = 0; i < m->moves.npart; i++)
		find_turn(&m->turn[i], &m->moves.part[i].loop, m->size);
	for (i = 0; i < job->nin; i++)
		m->constant[i] = job->in[i].data ? keep(&job->in[i], m->size) : NULL;
	facts->how = "copy";
	return &m->kernel;
}
