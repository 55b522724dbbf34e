/* Places for a plan's buffers: results in place of operands that nobody reads again, the others by memory.c. */
#include "target/plan.h"

static uint32_t
place_of(const struct tn_plan *p, uint32_t buffer)
{
	while (p->buffer.at[buffer].lies_in != TN_NONE)
		buffer = p->buffer.at[buffer].lies_in;
	return buffer;
}

/* may the step's result take the place of its first operand? */
static bool
can_be_in_place(const struct tn_plan *p, uint32_t i)
{
	const struct step *s = &p->step.at[i];
	const struct buffer *from = s->job.nin && s->in[0] != TN_NONE ? &p->buffer.at[s->in[0]] : NULL;
	int k;

	if (!s->said.facts.in_place || !from || from->is_kept || from->to != i || from->bytes != p->buffer.at[s->out].bytes ||
	    !view_same(&s->job.in[0], &s->job.out))
		return false;
	for (k = 1; k < s->job.nin; k++)
		if (s->in[k] == s->in[0])
			return false;
	return true;
}

static void
share_places(struct tn_plan *p)
{
	uint32_t i, to;

	for (i = 0; i < p->step.n; i++) {
		struct step *s = &p->step.at[i];

		if (!can_be_in_place(p, i))
			continue;
		s->said.is_in_place = true;
		to = place_of(p, s->in[0]);
		p->buffer.at[s->out].lies_in = to;
		if (p->buffer.at[s->out].to > p->buffer.at[to].to)
			p->buffer.at[to].to = p->buffer.at[s->out].to;
		if (p->buffer.at[s->out].is_kept)
			p->buffer.at[to].to = p->step.n;
	}
}

static void
find_places(struct tn_plan *p)
{
	struct span_of_use *use = arena_news(&p->mem, (size_t)p->buffer.n + 1, struct span_of_use);
	uint32_t *of = arena_news(&p->mem, (size_t)p->buffer.n + 1, uint32_t);
	uint32_t i, n = 0;

	for (i = 0; i < p->buffer.n; i++) {
		const struct buffer *b = &p->buffer.at[i];

		p->apart += b->bytes;
		if (b->lies_in != TN_NONE)
			continue;
		of[n] = i;
		use[n++] = (struct span_of_use){.bytes = b->bytes, .from = b->from, .to = b->is_kept ? p->step.n : b->to};
	}
	p->bytes = memory_place(use, n);
	for (i = 0; i < n; i++)
		p->buffer.at[of[i]].offset = use[i].offset;
	for (i = 0; i < p->buffer.n; i++)
		p->buffer.at[i].offset = p->buffer.at[place_of(p, i)].offset;
}

static void
find_addresses(struct tn_plan *p)
{
	uint32_t i;
	int k;

	for (i = 0; i < p->step.n; i++) {
		struct step *s = &p->step.at[i];

		for (k = 0; k < s->job.nin; k++)
			s->at[k] = s->in[k] == TN_NONE ? NULL : p->block + p->buffer.at[s->in[k]].offset + s->skip[k];
		s->result = s->out == TN_NONE ? NULL : p->block + p->buffer.at[s->out].offset;
	}
}

bool
plan_place(struct tn_plan *p, struct tn_error *e)
{
	const struct tn_target_plugin *plugin = p->target->plugin;
	uint32_t i;

	share_places(p);
	find_places(p);
	for (i = 0; i < p->step.n; i++)
		if (p->step.at[i].said.facts.scratch_bytes > p->scratch_bytes)
			p->scratch_bytes = p->step.at[i].said.facts.scratch_bytes;
	p->block = plugin->alloc(p->target->state, p->bytes + 1, e);
	p->scratch = p->block ? plugin->alloc(p->target->state, p->scratch_bytes + 1, e) : NULL;
	if (!p->scratch)
		return false;
	find_addresses(p);
	return true;
}
