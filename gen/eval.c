/*
 * Compiled defs: eval_OP computes elements from … to of the result.
 *
 * The result's loops start in the middle, where `from` is, and stop at `to`:
 *
 *	int64_t at = ev->from;
 *	…
 *	q = at % n_q;
 *	p = at / n_q;
 *	for (; p < n_p && at < ev->to; p++, q = 0)
 *		for (; q < n_q && at < ev->to; q++)
 *			out[at++] = …;
 *
 * Where reductions need some of the result's indices only, and not the outermost, the loops over
 * those go outside: softmax finds the largest of a line once.
 *
 * Where they need the innermost, and neighbours along it are read from neighbours, a strip of its elements
 * is reduced side by side, each in its own order:
 *
 *	while (q < n_q && at < ev->to) {
 *		int64_t q_at = q, q_to = tn_lanes(q, n_q, ev->to - at);
 *		double sum[TN_LANES];
 *		for (q = q_at; q < q_to; q++)
 *			sum[q - q_at] = 0;
 *		for (k = 0; k < n_k; k++)
 *			for (q = q_at; q < q_to; q++)
 *				sum[q - q_at] += …;
 *		for (q = q_at; q < q_to; q++)
 *			out[at++] = …;
 *	}
 */
#include "gen/eval.h"

#include <stdio.h>
#include <string.h>

#include "gen/place.h"

/* Loops in the order they are nested; false if it is the result's own. */
static bool
order_loops(const struct def *d, int order[])
{
	uint64_t all = 0, needed = 0;
	int n = 0, last = 0;

	for (int i = 0; i < d->nout; i++)
		all |= UINT64_C(1) << d->out[i];
	for (uint32_t i = 0; i < d->node.n; i++) {
		const struct node *x = &d->node.at[i];

		if (x->kind == NODE_REDUCE && x->uses > 0 && !(x->loops & ~all)) {
			needed |= x->loops;
			if (x->loops == all)
				needed = all;
		}
	}
	for (int want = 1; want >= 0; want--)
		for (int i = 0; i < d->nout; i++)
			if ((int)(needed >> d->out[i] & 1) == want)
				order[n++] = d->out[i];
	while (last < d->nout && order[last] == d->out[last])
		last++;
	return last < d->nout;
}

/* Does an element's place depend on the loop by the last axis alone? */
static bool
is_along(const struct def *d, int offset, int loop)
{
	const struct node *n = &d->node.at[offset];

	return !n->is_offset || !(d->node.at[n->kid[0]].loops >> loop & 1);
}

/* Whether reads in the value go along the loop: 0 where none depends on it, -1 where one goes across. */
static int
find_along(const struct def *d, int node, int loop, bool seen[])
{
	const struct node *n = &d->node.at[node];
	int all = 0, one;

	if (seen[node] || !(n->loops >> loop & 1))
		return 0;
	seen[node] = true;
	if (n->kind == NODE_READ && n->nkid > 1 && d->node.at[n->kid[1]].loops >> loop & 1)
		return is_along(d, n->kid[1], loop) ? 1 : -1;
	for (int i = 0; i < n->nkid && all >= 0; i++)
		if ((one = find_along(d, n->kid[i], loop, seen)) != 0)
			all = one;
	return all;
}

/* The innermost loop of the result, if reductions go side by side along it, or NONE. */
static int
find_lane(const struct def *d)
{
	int lane = d->nout ? d->out[d->nout - 1] : NONE, all = 0, one;
	bool *seen = mem_alloc((size_t)d->node.n + 1);

	for (uint32_t i = 0; lane != NONE && all >= 0 && i < d->node.n; i++)
		if (d->node.at[i].kind == NODE_REDUCE && d->node.at[i].uses > 0 &&
		    (one = find_along(d, (int)i, lane, seen)) != 0)
			all = one;
	mem_free(seen);
	return all > 0 ? lane : NONE;
}

static const char *
loop_name(const struct place *p, int loop)
{
	return p->var.at[p->var_of[loop]].name;
}

static const char *
extent_name(struct place *p, int loop, int prec)
{
	return place_value(p, p->d->loop.at[loop].extent, prec);
}

/* Where nothing is asked for, extents may be 0, and are not divided by. */
static void
place_guard(struct place *p)
{
	place_stmt(p, "if (ev->from == ev->to)");
	buf_puts(&p->at->text, "\t\treturn;\n");
}

/* Index of each loop at element ev->from. */
static void
place_start(struct place *p, int n, const char *const name[])
{
	const struct def *d = p->d;

	place_guard(p);
	place_stmt(p, "int64_t at = ev->from;");
	for (int i = n - 1; i >= 0; i--) {
		const char *inner = NULL;

		for (int j = i + 1; j < n; j++) {
			const char *one = extent_name(p, d->out[j], PREC_MUL);

			inner = inner ? arena_printf(p->arena, "%s * %s", inner, one) : one;
		}
		if (inner && i + 2 < n)
			inner = arena_printf(p->arena, "(%s)", inner);
		inner = inner ? arena_printf(p->arena, "at / %s", inner) : "at";
		if (i == 0)
			place_stmt(p, "%s = %s;", name[i], inner);
		else
			place_stmt(p, "%s = %s %% %s;", name[i], inner, extent_name(p, d->out[i], PREC_UNARY));
	}
}

static void
place_element(struct place *p)
{
	const char *text = place_value(p, p->d->result, PREC_ANY);

	place_stmt(p, "out[at++] = %s;", text);
}

/* The innermost loop: its name. */
static const char *
place_strips(struct place *p, int lane, const char *extent)
{
	const char *name, *head;

	place_strip(p, lane);
	name = loop_name(p, lane);
	place_stmt(p, "int64_t %s = %s, %s = tn_lanes(%s, %s, ev->to - at);", p->lane_at, name, p->lane_to, name, extent);
	place_open(p, lane);
	place_element(p);
	head = arena_printf(p->arena, "for (%s = %s; %s < %s; %s++)", name, p->lane_at, name, p->lane_to, name);
	place_close(p, head);
	return name;
}

/* The result in its own order. */
static void
place_forward(struct place *p, int lane)
{
	const struct def *d = p->d;
	const char *name[MAX_LOOPS], *head[MAX_LOOPS], *extent[MAX_LOOPS];
	int n = d->nout;

	for (int i = 0; i < n; i++)
		extent[i] = extent_name(p, d->out[i], PREC_REL);
	for (int i = 0; i < n; i++) {
		if (d->out[i] == lane) {
			name[i] = place_strips(p, lane, extent[i]);
			continue;
		}
		place_open(p, d->out[i]);
		name[i] = loop_name(p, d->out[i]);
	}
	if (lane == NONE)
		place_element(p);
	for (int i = n - 1; i >= 0; i--) {
		head[i] = arena_printf(p->arena, "for (; %s < %s && at < ev->to; %s++%s)", name[i], extent[i], name[i],
			i + 1 < n ? arena_printf(p->arena, ", %s = 0", name[i + 1]) : "");
		if (d->out[i] == lane)
			head[i] = arena_printf(p->arena, "while (%s < %s && at < ev->to)", name[i], extent[i]);
		if (i == 0) {
			struct block *open = p->at;

			p->at = open->up;
			place_start(p, n, name);
			p->at = open;
		}
		if (d->out[i] == lane)
			place_strip_close(p, head[i]);
		else
			place_close(p, head[i]);
	}
}

/* One loop, or none: the result's index is the loop's. */
static void
place_flat(struct place *p)
{
	const struct def *d = p->d;
	const char *i = "ev->from", *head = "if (ev->from < ev->to)", *text;

	place_open(p, d->nout ? d->out[0] : NONE);
	if (d->nout) {
		i = loop_name(p, d->out[0]);
		head = arena_printf(p->arena, "for (%s = ev->from; %s < ev->to; %s++)", i, i, i);
	}
	text = place_value(p, d->result, PREC_ANY);
	place_stmt(p, "out[%s] = %s;", i, text);
	place_close(p, head);
}

/* The result with some loops outside others: each element is looked at, and taken if it is asked for. */
static void
place_ordered(struct place *p, const int order[])
{
	struct def *d = p->d;
	const char *head[MAX_LOOPS], *at, *text, *inner = NULL;
	int offset = NONE, n = d->nout;

	for (int i = 0; i < n; i++) {
		int index = def_node(d, (struct node){.kind = NODE_LOOP, .type = TYPE_INT, .a = d->out[i],
			.loops = UINT64_C(1) << d->out[i]}, NULL);

		offset = offset == NONE ? index : def_call(d, TN_F_ADD, TYPE_INT,
			def_call(d, TN_F_MUL, TYPE_INT, offset, d->loop.at[d->out[i]].extent), index);
		if (i > 0) {
			const char *one = extent_name(p, d->out[i], PREC_UNARY);

			inner = inner ? arena_printf(p->arena, "%s * %s", inner, one) : one;
		}
	}
	d->node.at[offset].hint = "at";
	d->node.at[offset].uses = 2;
	place_guard(p);
	for (int i = 0; i < n; i++) {
		bool is_cut = i == 0 && order[0] == d->out[0];
		const char *to = is_cut ? NULL : extent_name(p, order[i], PREC_REL), *var;

		place_open(p, order[i]);
		var = loop_name(p, order[i]);
		if (is_cut)
			head[i] = arena_printf(p->arena, "for (%s = ev->from / (%s); %s * (%s) < ev->to; %s++)", var, inner,
				var, inner, var);
		else
			head[i] = arena_printf(p->arena, "for (%s = 0; %s < %s; %s++)", var, var, to, var);
	}
	at = place_value(p, offset, PREC_ANY);
	place_skip(p, arena_printf(p->arena, "%s < ev->from || %s >= ev->to", at, at));
	text = place_value(p, d->result, PREC_ANY);
	place_stmt(p, "out[%s] = %s;", at, text);
	for (int i = n - 1; i >= 0; i--)
		place_close(p, head[i]);
}

/* Declarations of the loops' variables, a line's width at a time. */
static void
put_vars(struct place *p, struct buf *out)
{
	size_t width = 0;

	for (uint32_t i = 0; i < p->var.n; i++) {
		const char *name = p->var.at[i].name;

		if (i > 0 && width + strlen(name) > 70)
			width = 0;
		buf_printf(out, "%s%s", i == 0 ? "\tint64_t " : width == 0 ? ";\n\tint64_t " : ", ", name);
		width += strlen(name) + 2;
	}
	if (p->var.n)
		buf_puts(out, ";\n");
}

static void
place_free(struct place *p)
{
	vec_free(&p->placed);
	vec_free(&p->var);
	names_free(&p->names);
	buf_free(&p->at->text);
	vec_free(&p->at->holds);
}

bool
gen_eval(struct buf *out, const struct tn_op *op, const char *name, const struct names *ops)
{
	struct arena arena = {0};
	struct def d;
	struct place p = {.d = &d, .arena = &arena, .names = {.arena = &arena, .ops = ops}, .lane = NONE};
	bool is_made = op->def && def_make(&d, &arena, op);
	int order[MAX_LOOPS], lane;

	if (is_made) {
		name_new(&p.names, "ev");
		name_new(&p.names, "at");
		name_new(&p.names, "out");
		place_open(&p, NONE);
		if (order_loops(&d, order))
			place_ordered(&p, order);
		else if ((lane = find_lane(&d)) != NONE || d.nout > 1)
			place_forward(&p, lane);
		else
			place_flat(&p);
		buf_printf(out, "static void\neval_%s(struct tn_eval *ev)\n{\n", name);
		buf_puts(out, "\tdouble *restrict out = ev->out->v;\n");
		put_vars(&p, out);
		buf_putc(out, '\n');
		buf_put(out, p.at->text.at, p.at->text.n);
		buf_puts(out, "}\n");
		place_free(&p);
	}
	if (op->def)
		def_free(&d);
	arena_free(&arena);
	return is_made;
}
