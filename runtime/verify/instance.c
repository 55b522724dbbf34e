/* The whole of an instance: patterns drawn, guards, results built and fit; one that is small and tells something. */
#include <string.h>

#include "base/dtype.h"
#include "base/mem.h"
#include "tensor/at.h"
#include "verify/near.h"

enum { ELEMENTS_MAX = 512 };

int64_t
instance_count(const struct instance *in, int node)
{
	const struct tn_shape *t = instance_shape(in, node);
	int64_t n = 0;

	return !t || at_count(t->rank, t->dim, &n) ? n : INT64_MAX;
}

bool
instance_is_small(const struct instance *in, int node)
{
	return instance_count(in, node) <= (in->is_larger ? 2 * ELEMENTS_MAX : ELEMENTS_MAX);
}

/* small enough to be computed, and with something to compare */
static bool
is_telling(const struct instance *in)
{
	uint32_t i;
	int k;

	for (i = 0; i < in->node.n; i++)
		if (!instance_is_small(in, (int)i))
			return false;
	for (k = 0; k < in->narrow; k++)
		if (instance_count(in, in->from[k]) == 0)
			return false;
	return true;
}

/* The guards, of siblings for each of them. */
static bool
guards_hold(struct instance *in)
{
	const struct tn_rule *r = in->rule;
	int i, k;

	for (k = 0; k < (r->is_siblings ? in->narrow : 1); k++) {
		in->elem = r->is_siblings ? k : -1;
		for (i = 0; i < r->nwhen; i++)
			if (!compute_guard(in, r->when[i]))
				return false;
	}
	return true;
}

static bool
build_results(struct instance *in)
{
	const struct tn_rule *r = in->rule;
	int i;

	for (i = 0; i < in->narrow; i++) {
		in->elem = r->is_siblings ? i : -1;
		in->to[i] = build_term(in, r->arrow[r->is_siblings ? 0 : i].to, in->elem);
		if (in->to[i] < 0)
			return false;
		if (in->node.at[in->to[i]].type == TN_NONE)
			in->node.at[in->to[i]].type = in->node.at[in->from[i]].type;
	}
	return true;
}

/* Does every result have the type of what it stands for?  It applies only there. */
static bool
results_fit(struct instance *in)
{
	for (in->unlike = 0; in->unlike < in->narrow; in->unlike++)
		if (in->node.at[in->to[in->unlike]].type != in->node.at[in->from[in->unlike]].type)
			return false;
	return true;
}

/* Which tensors are constant: mostly all of them. */
static uint64_t
draw_constants(struct instance *in)
{
	switch (rng_below(&in->rng, 8)) {
	case 0: return 0;
	case 1: return rng_next(&in->rng);
	default: return UINT64_MAX;
	}
}

static enum tn_dtype
draw_float_type(struct instance *in)
{
	static const enum tn_dtype type[] = {TN_F32, TN_F64, TN_F16, TN_BF16};

	return type[rng_below(&in->rng, sizeof type / sizeof *type)];
}

/* one attempt, aimed or not */
static bool
draw_one(struct instance *in)
{
	const struct tn_rule *r = in->rule;
	int i;

	in->node.n = 0;
	memset(in->now.var, 0, (size_t)r->nvar * sizeof in->now.var[0]);
	in->now.nwaiting = in->now.nseen = 0;
	scratch_reset(&in->scratch);
	in->rank = 0;
	in->place = NULL;
	in->stage = AT_PATTERN;
	in->constants = draw_constants(in);
	if (in->asks_type && dtype_is_float(in->dtype))
		in->dtype = draw_float_type(in);
	in->narrow = r->is_siblings ? 2 + (int)rng_below(&in->rng, 2) : r->narrow;
	for (i = 0; i < in->narrow; i++) {
		in->elem = r->is_siblings ? i : -1;
		in->from[i] = draw_term(in, r->arrow[r->is_siblings ? 0 : i].from, in->elem);
		if (in->from[i] < 0)
			return false;
	}
	if (!compute_equations(in))
		return false;
	in->stage = AT_GUARDS;
	if (!guards_hold(in))
		return false;
	in->stage = AT_RESULT;
	if (!build_results(in))
		return false;
	in->stage = AT_SHAPES;
	if (!results_fit(in))
		return false;
	in->stage = AT_SIZE;
	return is_telling(in);
}

bool
instance_draw(struct instance *in)
{
	bool ok;

	aim_next(in);
	near_choose(in);
	ok = draw_one(in);
	aim_note(in, ok);
	return ok;
}

/* ---- its life -------------------------------------------------------------------------------------------------- */

static bool
mentions_type(const struct tn_x *x)
{
	int i;

	if (x->kind == TN_X_CALL && x->fn == TN_F_DTYPE_OF)
		return true;
	for (i = 0; i < x->nkid; i++)
		if (mentions_type(x->kid[i]))
			return true;
	return false;
}

/* is it a rule for some element types alone? */
static bool
asks_type(const struct tn_rule *r)
{
	int i;

	for (i = 0; i < r->nwhen; i++)
		if (mentions_type(r->when[i]))
			return true;
	return false;
}

struct instance *
instance_new(const struct tn_program_text *text, const struct tn_rule *rule, uint64_t seed)
{
	struct instance *in = mem_alloc(sizeof *in);

	*in = (struct instance){.text = text, .rule = rule, .ctx = tn_ctx_new(), .rng = {seed}, .dtype = TN_F32,
	    .asks_type = asks_type(rule)};
	in->calc = (struct calc){in->ctx, &in->scratch};
	numbers_find(&in->numbers, text, rule);
	aim_find(in);
	return in;
}

void
instance_free(struct instance *in)
{
	vec_free(&in->node);
	vec_free(&in->usual);
	vec_free(&in->reach);
	vec_free(&in->target);
	near_free(&in->near);
	numbers_free(&in->numbers);
	scratch_free(&in->scratch);
	arena_free(&in->arena);
	tn_ctx_free(in->ctx);
	mem_free(in);
}
