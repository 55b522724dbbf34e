/*
 * Random instances of patterns.
 *
 * A term is made under the shape that its place wants, as far as that is known: a name of the operator's
 * result gives extents to its operands, operands that are there give extents to the others, and what is
 * left is drawn.  Then the operator's own check decides.  Guards are not looked at: whoever applies the
 * rule does that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/random_place.h"

static uint32_t make_term(struct drawing *, const struct tn_term *, const struct seq *wanted);

static struct seq
shape_of(const struct drawing *d, uint32_t node)
{
	const struct tn_shape *t = tn_type_get(d->ctx, d->g->node[node].type);
	struct seq s = {t->rank, {0}};

	memcpy(s.d, t->dim, sizeof s.d);
	return s;
}

/* ---- leaves -------------------------------------------------------------------------------------------- */

static uint32_t
make_leaf(struct drawing *d, const struct seq *wanted)
{
	struct tn_shape t = {.dtype = TN_F32, .rank = wanted->n};
	struct tn_weight w = {.name = "w", .is_owned = true};
	int64_t n = 1, i;
	char name[16];
	float *data;
	int k;

	if (t.rank < 0)
		t.rank = (int)random_below(d, 5);
	for (k = 0; k < t.rank; k++) {
		t.dim[k] = wanted->n < 0 ? 1 + random_below(d, d->r->scale) : wanted->d[k];
		if (t.dim[k] < 1 || t.dim[k] > 64)
			return TN_NONE;
		n *= t.dim[k];
	}
	if (n > 20000)
		return TN_NONE;
	if (!d->t->all_weights && random_below(d, 4)) {
		snprintf(name, sizeof name, "x%u", d->g->ninput);
		return tn_graph_input(d->g, name, tn_type_make(d->ctx, &t));
	}
	data = malloc((size_t)n * sizeof *data + 1);
	for (i = 0; i < n; i++)
		data[i] = (float)(0.25 + 1.5 * rng_unit(&d->r->rng));	/* a variance is not negative */
	w.type = tn_type_make(d->ctx, &t);
	w.data = data;
	w.size_bytes = (size_t)n * sizeof *data;
	return tn_graph_weight(d->g, &w);
}

/* ---- operators ----------------------------------------------------------------------------------------------- */

/* the operand that a place is for, the last one where it is variadic */
static const struct tn_operand *
slot(const struct place *p, int k)
{
	return &p->op->in[k < p->op->nin ? k : p->op->nin - 1];
}

/* operands as the pattern has them, with sequences written out */
static bool
list_kids(struct drawing *d, struct place *p)
{
	const struct tn_term *t = p->term;
	int i, k, n;

	for (i = 0; i < t->nkid; i++) {
		const struct tn_term *kid = t->kid[i];
		bool is_run = kid->kind == TN_T_REST || kid->kind == TN_T_MAP;

		if (is_run && d->run[kid->var].n < 0)
			d->run[kid->var].n = 1 + (int)random_below(d, RUN);
		n = is_run ? d->run[kid->var].n : 1;
		for (k = 0; k < n; k++) {
			if (p->nkid == KIDS)
				return false;
			p->kid[p->nkid].term = kid;
			p->kid[p->nkid].run = is_run ? kid->var : -1;
			p->kid[p->nkid].elem = k;
			p->kid[p->nkid++].node = TN_NONE;
		}
	}
	return true;
}

/* an operand that is an operator, or a tensor that was made before; TN_NONE and *ok false: it does not fit */
static uint32_t
make_known(struct drawing *d, struct place *p, int k, bool *ok)
{
	const struct tn_term *t = p->kid[k].term;
	struct seq wanted;
	uint32_t node;
	int run = p->kid[k].run;

	if (t->kind == TN_T_VAR && d->rule->var[t->var].kind == TN_R_TENSOR)
		return d->tensor[t->var];
	if (t->kind == TN_T_REST)
		return d->run[run].at[p->kid[k].elem];
	if (t->kind != TN_T_OP && t->kind != TN_T_VAR && t->kind != TN_T_MAP)
		return TN_NONE;
	random_solve(d, p);
	wanted = random_operand_shape(d, p, slot(p, k), random_below(d, 4) != 0);
	if (t->kind == TN_T_MAP) {
		d->in_map++;
		d->tensor[run] = d->run[run].at[p->kid[k].elem];
		node = make_term(d, t->kid[0], &wanted);
		d->run[run].at[p->kid[k].elem] = d->tensor[run];
		d->in_map--;
	} else
		node = make_term(d, t, &wanted);
	*ok &= node != TN_NONE;
	return node;
}

static bool
make_kids(struct drawing *d, struct place *p)
{
	bool ok = true;
	int pass, k;

	for (pass = 0; pass < 2; pass++)
		for (k = 0; ok && k < p->nkid; k++) {
			bool is_var = p->kid[k].term->kind == TN_T_VAR || p->kid[k].term->kind == TN_T_REST;

			if (p->kid[k].node != TN_NONE || (pass == 0) != is_var)
				continue;
			p->kid[k].node = make_known(d, p, k, &ok);
			if (ok && p->kid[k].node != TN_NONE) {
				struct seq s = shape_of(d, p->kid[k].node);

				random_bind(d, p, slot(p, k), &s);
				if (k == 0)
					p->first = s;
			}
		}
	return ok;
}

/* tensors that are new */
static bool
make_leaves(struct drawing *d, struct place *p)
{
	const struct tn_term *t;
	struct seq s;
	int k;

	for (k = 0; k < p->nkid; k++) {
		t = p->kid[k].term;
		if (p->kid[k].node != TN_NONE || (t->kind != TN_T_VAR && t->kind != TN_T_REST && t->kind != TN_T_ANY))
			continue;
		if (t->kind == TN_T_VAR && d->tensor[t->var] != TN_NONE) {
			p->kid[k].node = d->tensor[t->var];	/* twice in one operator */
			continue;
		}
		s = random_operand_shape(d, p, slot(p, k), true);
		p->kid[k].node = make_leaf(d, &s);
		if (p->kid[k].node == TN_NONE)
			return false;
		if (k == 0)
			p->first = s;
		if (t->kind == TN_T_VAR)
			d->tensor[t->var] = p->kid[k].node;
		else if (t->kind == TN_T_REST)
			d->run[p->kid[k].run].at[p->kid[k].elem] = p->kid[k].node;
	}
	return true;
}

static double
number_of(struct drawing *d, const struct tn_term *t)
{
	struct tn_value v = {.kind = TN_K_FLOAT};

	if (t->kind == TN_T_NUM)
		return tn_number_double(t->num);
	if (d->value[t->var] == TN_NONE) {
		v.u.f = random_below(d, 3) ? (double)(1 + random_below(d, 3)) : (double)(float)rng_normal(&d->r->rng);
		d->value[t->var] = tn_val_make(d->ctx, &v);
	}
	return tn_val_get(d->ctx, random_value_as(d, d->value[t->var], TN_K_FLOAT))->u.f;
}

/* numbers get the shapes that their places give them, and the operator its node */
static uint32_t
finish(struct drawing *d, struct place *p, tn_attrs attrs)
{
	tn_type in[KIDS];
	uint32_t kid[KIDS];
	struct tn_infer s = {.ctx = d->ctx, .op = p->op, .nin = p->nkid, .in = in};
	int k;

	for (k = 0; k < p->nkid; k++)
		in[k] = p->kid[k].node == TN_NONE ? TN_NONE : d->g->node[p->kid[k].node].type;
	s.attrs = tn_attrs_normalise(d->ctx, p->op, attrs, in, p->nkid);
	if (s.attrs == TN_NONE || !tn_infer_run(&s))
		return TN_NONE;
	for (k = 0; k < p->nkid; k++)
		kid[k] = p->kid[k].node == TN_NONE ? tn_graph_fill(d->g, number_of(d, p->kid[k].term), in[k]) : p->kid[k].node;
	return tn_graph_node(d->g, (unsigned)p->term->op, s.attrs, kid, p->nkid, TN_NONE, NULL);
}

static uint32_t
make_operator(struct drawing *d, const struct tn_term *t, const struct seq *wanted)
{
	struct place p = {.op = &d->t->op[t->op], .term = t, .first = random_unknown, .wanted = *wanted};
	tn_attrs attrs;
	int i;

	for (i = 0; i < p.op->nvar; i++)
		p.name[i] = random_unknown;
	random_known_attrs(d, &p);
	random_bind_result(d, &p);
	if (!list_kids(d, &p))
		return TN_NONE;
	if (t->nkid && t->kid[0]->kind == TN_T_OP) {
		if (!make_kids(d, &p))
			return TN_NONE;
		random_aim(d, &p);
	} else {
		random_aim(d, &p);
		if (!make_kids(d, &p))
			return TN_NONE;
	}
	random_solve(d, &p);
	if (!make_leaves(d, &p))
		return TN_NONE;
	random_remember(d, &p);
	if (p.wanted.n < 0)
		p.wanted = p.first;
	attrs = random_other_attrs(d, &p);
	return finish(d, &p, attrs);
}

static uint32_t
make_term(struct drawing *d, const struct tn_term *t, const struct seq *wanted)
{
	uint32_t node;
	int i;

	if (t->kind == TN_T_VAR && d->rule->var[t->var].kind == TN_R_TERM)
		return make_term(d, d->rule->var[t->var].term, wanted);
	if (t->kind == TN_T_VAR) {
		if (d->tensor[t->var] == TN_NONE)
			d->tensor[t->var] = make_leaf(d, wanted);
		return d->tensor[t->var];
	}
	if (t->kind == TN_T_ANY)
		return make_leaf(d, wanted);
	if (t->kind != TN_T_OP)
		return TN_NONE;
	for (i = 0; i < d->nshared; i++)
		if (d->shared[i].term == t)
			return d->shared[i].node;
	node = make_operator(d, t, wanted);
	if (node != TN_NONE && !d->in_map && d->nshared < SHARED) {
		d->shared[d->nshared].term = t;
		d->shared[d->nshared++].node = node;
	}
	return node;
}

/* Each sibling has one tensor of its own of each ?xs... */
static void
next_sibling(struct drawing *d)
{
	int i;

	for (i = 0; i < VARS; i++) {
		d->run[i].n = 1;
		d->run[i].at[0] = TN_NONE;
	}
	d->nshared = 0;
}

struct tn_graph *
random_left_sides(const struct random_term *t, const struct tn_rule *rule)
{
	struct drawing d = {.t = t, .r = t->r, .ctx = t->r->ctx, .rule = rule};
	struct seq wanted = random_unknown;
	uint32_t node = 0;
	char name[16];
	int i, k, n;

	d.g = tn_graph_new(d.ctx, t->program, rule->name);
	for (i = 0; i < VARS; i++) {
		d.tensor[i] = d.record[i] = TN_NONE;
		d.value[i] = TN_NONE;
		d.run[i].n = -1;
		for (k = 0; k < RUN; k++)
			d.run[i].at[k] = TN_NONE;
	}
	n = rule->is_siblings ? 2 + (int)random_below(&d, 2) : rule->narrow;
	for (i = 0; i < n && node != TN_NONE; i++) {
		if (rule->is_siblings)
			next_sibling(&d);
		node = make_term(&d, rule->arrow[rule->is_siblings ? 0 : i].from, &wanted);
		snprintf(name, sizeof name, "y%d", i);
		if (node != TN_NONE)
			tn_graph_output(d.g, name, node);
	}
	if (node != TN_NONE && rule->nvar <= VARS)
		return d.g;
	tn_graph_free(d.g);
	return NULL;
}
