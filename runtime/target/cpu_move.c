/* Operators that give elements other places, on the CPU: the copies of move.c. */
#include <string.h>

#include "base/mem.h"
#include "target/cpu.h"

struct move {
	struct kernel kernel;
	size_t size;			/* of an element */
	size_t cleared;			/* bytes of the result that are set to 0 before */
	const void **constant;		/* by operand; NULL: it is an input */
	struct moves moves;
	int nin;
};

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
	mem_free(m);
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
	if (m->moves.is_cleared)
		m->cleared = (size_t)view_count(&job->out) * m->size;
	for (i = 0; i < job->nin; i++)
		m->constant[i] = job->in[i].data ? keep(&job->in[i], m->size) : NULL;
	facts->how = "copy";
	return &m->kernel;
}
