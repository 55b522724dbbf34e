/*
 * The reference executor: a graph's nodes in order, in double, each result freed after its last use.
 *
 * Opaque operators that nobody evaluates give seeded random results, the same for the same operator
 * on the same operands.
 */
#include <string.h>

#include "base/clock.h"
#include "base/dtype.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rand.h"
#include "ref/execute.h"
#include "tensor/at.h"
#include "tensor/data.h"
#include "tensor/element.h"

#define WORK_AT_ONCE 5e7		/* operations between two looks at the clock */

struct run {
	const struct tn_graph *g;
	const struct tn_exec *x;
	double deadline_s;
	struct tn_error *error;
	struct tn_array *value;	/* per node; v NULL: not there */
	uint32_t *uses;		/* per node: users and outputs that still need it */
};

static bool
may_go_on(struct run *r)
{
	if (r->x->interrupted && *r->x->interrupted)
		return tn_fail(r->error, TN_E_INTERRUPT, "interrupted");
	if (r->deadline_s > 0 && clock_now() > r->deadline_s)
		return tn_fail(r->error, TN_E_DEFECT, "not verified in time");
	return true;
}

/* the number in the record of a core operator */
static int64_t
record_number(const struct tn_graph *g, const struct tn_gnode *n)
{
	return tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, &(int){0})[0])->u.i;
}

static void
copy_array(struct tn_array *to, const struct tn_array *from)
{
	size_t n = (size_t)array_count(from);

	*to = *from;
	if (!from->v)
		return;
	to->v = mem_alloc((n + 1) * sizeof *to->v);
	memcpy(to->v, from->v, n * sizeof *to->v);
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

static bool
take_input(struct run *r, const struct tn_gnode *n, struct tn_array *a)
{
	int64_t i = record_number(r->g, n);
	const struct tn_array *in = &r->x->input[i];

	if (a->rank < 0)
		return true;
	if (in->dtype != a->dtype || in->rank != a->rank || memcmp(in->dim, a->dim, (size_t)a->rank * sizeof a->dim[0]) != 0)
		return tn_fail(r->error, TN_E_INPUT, "input %s: the array given has another shape or type", r->g->input[i].name);
	memcpy(a->v, in->v, (size_t)array_count(a) * sizeof *a->v);
	return true;
}

static void
fill(const struct tn_graph *g, const struct tn_gnode *n, struct tn_array *a)
{
	double v = element_round(a->dtype, fill_of(g->ctx, n->attrs));
	int64_t i, count = array_count(a);

	for (i = 0; i < count; i++)
		a->v[i] = v;
}

/* the operands' arrays, borrowed; the caller frees the list */
static struct tn_array *
operands(const struct run *r, const struct tn_gnode *n)
{
	struct tn_array *in = mem_alloc(((size_t)n->nkid + 1) * sizeof *in);
	uint32_t k;

	for (k = 0; k < n->nkid; k++)
		in[k] = r->value[r->g->kid[n->kid + k]];
	return in;
}

/* elements of the result between two looks at the clock */
static int64_t
elements_at_once(const struct run *r, const struct tn_gnode *n, int64_t count)
{
	tn_type *in = mem_alloc(((size_t)n->nkid + 1) * sizeof *in);
	double flops = 0, bytes;
	uint32_t k;

	for (k = 0; k < n->nkid; k++)
		in[k] = r->g->node[r->g->kid[n->kid + k]].type;
	tn_op_work(r->g->ctx, &r->g->program->op[n->op], n->attrs, in, n->nkid, n->type, r->x->sizes, &flops, &bytes);
	mem_free(in);
	return flops > WORK_AT_ONCE ? (int64_t)((double)count / flops * WORK_AT_ONCE) + 1 : count;
}

/*
 * Does the operator's shape check hold at these sizes?  Of a model what is not known to hold is let pass, and may turn
 * out not to: then elements would be read that are not there.
 */
static bool
fits(struct run *r, const struct tn_gnode *n, tn_attrs attrs)
{
	struct tn_ctx *c = r->g->ctx;
	struct tn_error why = {0};
	struct tn_infer s = {.ctx = c, .op = &r->g->program->op[n->op], .attrs = attrs, .nin = n->nkid, .error = &why};
	bool ok = true;
	uint32_t k;

	s.in = mem_alloc(((size_t)n->nkid + 1) * sizeof *s.in);
	for (k = 0; k < n->nkid && ok; k++) {
		s.in[k] = at_type(c, r->g->node[r->g->kid[n->kid + k]].type, r->x->sizes);
		ok = s.in[k] != TN_NONE || tn_fail(&why, TN_E_INPUT, "%s: the shape of an operand is not known", s.op->name);
	}
	ok = ok && tn_infer_run(&s) && (s.out == at_type(c, n->type, r->x->sizes) ||
	    tn_fail(&why, TN_E_INPUT, "%s: the result has another shape", s.op->name));
	mem_free(s.in);
	return ok || tn_fail(r->error, TN_E_INPUT, "at these sizes %s", why.msg);
}

/* Whole numbers are stored in their type: a fraction is cut, what is too large wraps. */
static void
store_whole(struct tn_array *a, int64_t count)
{
	int64_t i;

	for (i = 0; i < count && !dtype_is_float(a->dtype); i++)
		a->v[i] = element_round(a->dtype, a->v[i]);
}

static bool
evaluate(struct run *r, const struct tn_gnode *n, struct tn_array *a)
{
	struct tn_eval ev = {.ctx = r->g->ctx, .op = &r->g->program->op[n->op], .nin = n->nkid, .out = a};
	int64_t count = array_count(a), at_once = elements_at_once(r, n, count);
	struct tn_array *in;
	bool ok = true;

	ev.attrs = at_attrs(ev.ctx, n->attrs, r->x->sizes);
	if (ev.attrs == TN_NONE)
		return tn_fail(r->error, TN_E_INPUT, "%s: an attribute is not known at these sizes", ev.op->name);
	if (!ev.op->def)
		return tn_fail(r->error, TN_E_INPUT, "%s has no def, so its values cannot be computed", ev.op->name);
	if (!fits(r, n, ev.attrs))
		return false;
	ev.in = in = operands(r, n);
	for (; ok && ev.from < count; ev.from = ev.to) {
		ev.to = count - ev.from > at_once ? ev.from + at_once : count;
		tn_eval_run(&ev);
		ok = may_go_on(r);
	}
	store_whole(a, count);
	mem_free(in);
	return ok;
}

/* ---- opaque operators ---------------------------------------------------------------------------------- */

static uint64_t
hash_operands(const struct tn_array in[], uint32_t n)
{
	uint64_t h[3] = {0};
	uint32_t k;

	for (k = 0; k < n; k++) {
		h[1] = in[k].rank > 0 ? hash_bytes(in[k].dim, (size_t)in[k].rank * sizeof in[k].dim[0]) : 0;
		h[2] = in[k].v ? hash_bytes(in[k].v, (size_t)array_count(&in[k]) * sizeof *in[k].v) : 0;
		h[0] = hash_bytes(h, sizeof h);
	}
	return h[0];
}

static bool
is_result(const struct run *r, uint32_t node, uint32_t opaque)
{
	const struct tn_gnode *n = &r->g->node[node];

	return n->op == TN_RESULT && r->uses[node] && r->g->kid[n->kid] == opaque;
}

/* of what is said of an opaque operator */
static uint64_t
hash_words(const struct run *r, const struct tn_gnode *n)
{
	const char *text;
	int count;
	const tn_val *v = tn_attrs_get(r->g->ctx, n->attrs, &count);

	if (count < 2)
		return 0;
	text = tn_val_get(r->g->ctx, v[1])->u.s;
	return hash_bytes(text, strlen(text));
}

/* results seeded by what they depend on */
static void
invent(struct run *r, uint32_t opaque, const struct tn_array in[])
{
	const struct tn_gnode *n = &r->g->node[opaque];
	uint64_t key[5] = {r->x->seed, (uint64_t)record_number(r->g, n), hash_words(r, n), hash_operands(in, n->nkid)};
	struct rng rng;
	uint32_t i;

	for (i = opaque + 1; i < r->g->nnode; i++)
		if (is_result(r, i, opaque)) {
			key[4] = (uint64_t)record_number(r->g, &r->g->node[i]);
			rng.state = hash_bytes(key, sizeof key);
			array_draw(&r->value[i], &rng, r->x->seed);
		}
}

/* results by the caller's function */
static bool
ask(struct run *r, uint32_t opaque, const struct tn_array in[])
{
	struct tn_array *out;
	int64_t most = 0, p;
	bool ok;
	uint32_t i;

	for (i = opaque + 1; i < r->g->nnode; i++)
		if (is_result(r, i, opaque) && (p = record_number(r->g, &r->g->node[i]) + 1) > most)
			most = p;
	out = mem_alloc(((size_t)most + 1) * sizeof *out);
	for (i = opaque + 1; i < r->g->nnode; i++)
		if (is_result(r, i, opaque))
			out[record_number(r->g, &r->g->node[i])] = r->value[i];
	ok = r->x->opaque(r->x->arg, r->g, opaque, in, out, r->error);
	/* Two nodes may stand for one result: the array that was filled is the last one's. */
	for (i = opaque + 1; ok && i < r->g->nnode; i++)
		if (is_result(r, i, opaque)) {
			const struct tn_array *a = &out[record_number(r->g, &r->g->node[i])];

			if (a->v != r->value[i].v)
				memcpy(r->value[i].v, a->v, (size_t)array_count(a) * sizeof *a->v);
		}
	mem_free(out);
	return ok;
}

static bool
run_opaque(struct run *r, uint32_t opaque)
{
	struct tn_array *in;
	bool ok = true;
	uint32_t i;

	for (i = opaque + 1; ok && i < r->g->nnode; i++)
		ok = !is_result(r, i, opaque) || array_make(r->g->ctx, r->g->node[i].type, r->x->sizes, &r->value[i], r->error);
	if (!ok)
		return false;
	in = operands(r, &r->g->node[opaque]);
	if (r->x->opaque)
		ok = ask(r, opaque, in);
	else
		invent(r, opaque, in);
	mem_free(in);
	return ok;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool
run_node(struct run *r, uint32_t node)
{
	const struct tn_gnode *n = &r->g->node[node];
	struct tn_array *a = &r->value[node];

	if (n->op == TN_OPAQUE)
		return run_opaque(r, node);
	if (n->op == TN_RESULT)
		return true;
	if (!array_make(r->g->ctx, n->type, r->x->sizes, a, r->error))
		return false;
	if (a->rank < 0 && n->op != TN_INPUT)
		return tn_fail(r->error, TN_E_INPUT, "%s: the shape of its result is not known", r->g->program->op[n->op].name);
	switch (n->op) {
	case TN_INPUT:
		return take_input(r, n, a);
	case TN_FILL:
		fill(r->g, n, a);
		return true;
	case TN_WEIGHT:
		return array_load(a, &r->g->weight[record_number(r->g, n)], r->error);
	default:
		return evaluate(r, n, a);
	}
}

static void
release(struct run *r, uint32_t node)
{
	if (--r->uses[node] == 0) {
		mem_free(r->value[node].v);
		r->value[node].v = NULL;
	}
}

/* how often each node is needed; how many are */
static uint32_t
count_uses(struct run *r)
{
	const struct tn_graph *g = r->g;
	uint32_t i, k, needed = 0;

	for (i = 0; i < g->noutput; i++)
		r->uses[g->output[i].node]++;
	for (i = g->nnode; i-- > 0;) {
		if (!r->uses[i])
			continue;
		needed++;
		for (k = 0; k < g->node[i].nkid; k++)
			r->uses[g->kid[g->node[i].kid + k]]++;
	}
	return needed;
}

static bool
run_all(struct run *r)
{
	uint32_t i, k, done = 0, all = count_uses(r);

	for (i = 0; i < r->g->nnode; i++) {
		const struct tn_gnode *n = &r->g->node[i];

		if (!r->uses[i])
			continue;
		if (!may_go_on(r) || !run_node(r, i))
			return false;
		for (k = 0; k < n->nkid; k++)
			release(r, r->g->kid[n->kid + k]);
		if (r->x->progress)
			r->x->progress(r->x->arg, ++done, all);
	}
	return true;
}

struct tn_array *
execute_until(const struct tn_graph *g, const struct tn_exec *x, double deadline_s, struct tn_error *e)
{
	struct run r = {.g = g, .x = x, .deadline_s = deadline_s, .error = e};
	struct tn_array *out = NULL;
	uint32_t i;

	r.value = mem_alloc(((size_t)g->nnode + 1) * sizeof *r.value);
	r.uses = mem_alloc(((size_t)g->nnode + 1) * sizeof *r.uses);
	if (run_all(&r)) {
		out = mem_alloc(((size_t)g->noutput + 1) * sizeof *out);
		for (i = 0; i < g->noutput; i++) {
			copy_array(&out[i], &r.value[g->output[i].node]);
			release(&r, g->output[i].node);
		}
	}
	for (i = 0; i < g->nnode; i++)
		mem_free(r.value[i].v);
	mem_free(r.value);
	mem_free(r.uses);
	return out;
}

struct tn_array *
tn_execute(const struct tn_graph *g, const struct tn_exec *x, struct tn_error *e)
{
	return execute_until(g, x, 0, e);
}
