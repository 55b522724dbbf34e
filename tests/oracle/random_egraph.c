/* Random e-graphs; see random_egraph.h. */
#include "tests/oracle/random_egraph.h"

#include <string.h>

#include "tensor/data.h"

enum { KIDS = 8, VARS = 32, NODES = 14, PATTERNS = 12, UNIONS = 3 };

static uint32_t
below(struct random_egraph *e, uint32_t n)
{
	return rng_below(&e->rng, n);
}

static tn_id
any_class(struct random_egraph *e)
{
	return tn_find(e->g, below(e, tn_nids(e->g)));
}

static const struct tensor_data *
data(const struct random_egraph *e, tn_id class)
{
	return tn_data(e->g, class);
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

static tn_val
list_value(struct random_egraph *e, const struct tn_attr_decl *a, const int64_t list[], uint32_t n)
{
	return tn_val_make(e->ctx, &(struct tn_value){.kind = a->kind, .n = n, .u.list = list});
}

static tn_val
random_list(struct random_egraph *e, const struct tn_attr_decl *a)
{
	static const int64_t perm[][2] = {{1, 0}, {0, 1}}, shape[][2] = {{2, 3}, {3, 2}};
	int64_t by[] = {below(e, 4), below(e, 4)}, k = below(e, 2);

	if (strcmp(a->name, "perm") == 0)
		return below(e, 6) ? list_value(e, a, perm[k], 2) : list_value(e, a, (const int64_t[]){0}, 1);
	if (a->kind == TN_K_DIMS)
		return below(e, 3) ? list_value(e, a, shape[k], 2) : list_value(e, a, (const int64_t[]){6}, 1);
	return list_value(e, a, by, 2);
}

static tn_val
random_value(struct random_egraph *e, const struct tn_attr_decl *a)
{
	static const double real[] = {0, 1, 2, -1, 0.16666670143604279, 1.0f / 6};
	struct tn_value v = {.kind = a->kind, .u.i = below(e, 2)};

	switch (a->kind) {
	case TN_K_INTS:
	case TN_K_DIMS:
		return random_list(e, a);
	case TN_K_FLOAT:
		v.u.f = real[below(e, sizeof real / sizeof *real)];
		break;
	case TN_K_STRING:
		v.u.s = tn_ctx_str(e->ctx, below(e, 2) ? "a" : "b", 1);
		break;
	case TN_K_DTYPE:
		v.u.i = below(e, 4) ? TN_F32 : TN_I64;
		break;
	case TN_K_ENUM:
		v.u.i = below(e, (uint32_t)a->enums->nvalue);
		break;
	case TN_K_INT:
		v.u.i = 1 + below(e, 2);
		break;
	default:
		break;
	}
	return tn_val_make(e->ctx, &v);
}

/* ---- nodes --------------------------------------------------------------------------------------------------- */

/* the node if its shapes fit, else TN_NONE */
static tn_id
add(struct random_egraph *e, unsigned op, const tn_val value[], const tn_id kid[], int nkid)
{
	const struct tn_op *o = &e->program->op[op];
	tn_type in[KIDS];
	struct tn_infer s = {.ctx = e->ctx, .op = o, .nin = nkid, .in = in};
	int i;

	for (i = 0; i < nkid; i++)
		in[i] = data(e, kid[i])->type;
	s.attrs = tn_attrs_normalise(e->ctx, o, tn_attrs_make(e->ctx, value, o->nattr), in, nkid);
	return s.attrs != TN_NONE && tn_infer_run(&s) ? tn_find(e->g, tn_add(e->g, (uint16_t)op, s.attrs, kid, nkid)) : TN_NONE;
}

static tn_id
add_number(struct random_egraph *e, double x)
{
	tn_type type = tn_type_make(e->ctx, &(struct tn_shape){.dtype = TN_F32, .rank = 2, .dim = {2, 3}});

	return tn_find(e->g, tn_add(e->g, TN_FILL, fill_attrs(e->ctx, x, type), NULL, 0));
}

static void
add_random(struct random_egraph *e)
{
	unsigned op = TN_CORE + below(e, (uint32_t)e->program->nop - TN_CORE);
	const struct tn_op *o = &e->program->op[op];
	int i, nkid = o->in[o->nin - 1].is_variadic ? 1 + (int)below(e, 3) : o->nin;
	tn_val value[KIDS];
	tn_id kid[KIDS];

	for (i = 0; i < o->nattr; i++)
		value[i] = random_value(e, &o->attr[i]);
	for (i = 0; i < nkid; i++)
		kid[i] = any_class(e);
	add(e, op, value, kid, nkid);
}

/* ---- instances of patterns ---------------------------------------------------------------------------------------- */

/* what the variables of the instance are */
struct instance {
	struct random_egraph *e;
	const struct tn_rule *rule;
	tn_id class[VARS];
	tn_id run[VARS][KIDS];
	int n;			/* length of all runs */
	bool has_value[VARS];
	struct tn_v value[VARS];
};

/* an item: a number, what the variable is, or anything small */
static int64_t
item(struct instance *in, const struct tn_x *x)
{
	struct tn_v v = tn_v_int(below(in->e, 3));

	if (x->kind == TN_X_NUM)
		return x->num.num;
	if (x->kind == TN_X_VAR && in->has_value[x->var] && in->value[x->var].kind == TN_VV_INT)
		return in->value[x->var].u.i;
	if (x->kind == TN_X_VAR) {
		in->has_value[x->var] = true;
		in->value[x->var] = v;
	}
	return v.u.i;
}

static tn_val
instance_value(struct instance *in, const struct tn_attr_decl *a, const struct tn_x *x)
{
	struct tn_search *s = in->e->search;
	tn_val value = random_value(in->e, a);
	int64_t list[KIDS];
	int i;

	switch (x->kind) {
	case TN_X_NUM:
		return x->sort == TN_S_BOOL ? tn_val_make(in->e->ctx, &(struct tn_value){.kind = TN_K_BOOL, .u.i = x->num.num != 0}) :
		    tn_v_val(s, tn_v_num(x->num.num, x->num.den, x->num.exp10), (enum tn_kind)a->kind, a->enums);
	case TN_X_VAR:
		if (in->has_value[x->var] && below(in->e, 8))
			return tn_v_val(s, in->value[x->var], (enum tn_kind)a->kind, a->enums);
		in->has_value[x->var] = true;
		in->value[x->var] = tn_v_attr(s, value);
		return value;
	case TN_X_LIST:
		for (i = 0; i < x->nkid; i++) {
			if (x->kid[i]->sort == TN_S_LIST)
				return value;
			list[i] = item(in, x->kid[i]);
		}
		return list_value(in->e, a, list, (uint32_t)x->nkid);
	default:
		return value;
	}
}

static tn_id instance_of(struct instance *, const struct tn_term *, int elem);

/* operands of t; a list is as long as all runs of the instance; -1: one could not be made */
static int
instance_kids(struct instance *in, const struct tn_term *t, int elem, tn_id kid[])
{
	int i, k, n = 0;

	for (i = 0; i < t->nkid; i++) {
		bool is_list = t->kid[i]->kind == TN_T_MAP || (t->kid[i]->kind == TN_T_REST && elem < 0);

		for (k = 0; k < (is_list ? in->n : 1) && n < KIDS; k++)
			kid[n++] = instance_of(in, t->kid[i]->kind == TN_T_MAP ? t->kid[i]->kid[0] : t->kid[i], is_list ? k : elem);
	}
	for (i = 0; i < n; i++)
		if (kid[i] == TN_NONE)
			return -1;
	return n;
}

/* the class of an instance of the term, or TN_NONE */
static tn_id
instance_of(struct instance *in, const struct tn_term *t, int elem)
{
	const struct tn_op *o;
	tn_val value[KIDS];
	tn_id kid[KIDS];
	double x;
	int i, k, nkid;

	switch (t->kind) {
	case TN_T_VAR:
		return tn_find(in->e->g, in->class[t->var]);
	case TN_T_REST:
		return tn_find(in->e->g, in->run[t->var][elem]);
	case TN_T_NUM:
		return add_number(in->e, tn_number_double(t->num));
	case TN_T_ATTR:
		x = in->has_value[t->var] && in->value[t->var].kind == TN_VV_REAL ? in->value[t->var].u.f : (double)below(in->e, 3);
		in->has_value[t->var] = true;
		in->value[t->var] = (struct tn_v){.kind = TN_VV_REAL, .u.f = x};
		return add_number(in->e, x);
	case TN_T_ANY:
		return any_class(in->e);
	default:
		break;
	}
	o = &in->e->program->op[t->op];
	for (i = 0, k = 0; i < o->nattr; i++)
		value[i] = k < t->nbind && t->bind[k].attr == i ? instance_value(in, &o->attr[i], t->bind[k++].x) :
		    below(in->e, 4) ? attr_default(in->e->ctx, &o->attr[i]) : random_value(in->e, &o->attr[i]);
	nkid = instance_kids(in, t, elem, kid);
	return nkid < 0 ? TN_NONE : add(in->e, (unsigned)t->op, value, kid, nkid);
}

static void
add_instance(struct random_egraph *e)
{
	struct instance in = {.e = e, .rule = &e->text->rule[below(e, (uint32_t)e->text->nrule)], .n = 1 + (int)below(e, 3)};
	tn_id one = any_class(e);
	int i, k;

	for (i = 0; i < in.rule->nvar; i++) {
		in.class[i] = below(e, 2) ? one : any_class(e);
		for (k = 0; k < KIDS; k++)
			in.run[i][k] = below(e, 2) ? one : any_class(e);
	}
	for (i = 0; i < in.rule->narrow; i++)
		instance_of(&in, in.rule->arrow[i].from, -1);
	tn_search_reset(e->search);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------ */

static void
unite(struct random_egraph *e)
{
	tn_id a = any_class(e), b = any_class(e);

	if (data(e, a)->type == data(e, b)->type && (data(e, a)->uniform == TN_NONE || data(e, b)->uniform == TN_NONE))
		tn_union(e->g, a, b, NULL);
}

void
random_egraph_begin(struct random_egraph *e, struct tn_ctx *c, const struct tn_program *p, const struct tn_program_text *text,
    uint64_t seed)
{
	static const struct tn_shape shapes[] = {
		{TN_F32, 2, {2, 3}}, {TN_F32, 2, {2, 3}}, {TN_F32, 2, {3, 2}}, {TN_F32, 1, {6}},
	};
	size_t i;

	*e = (struct random_egraph){.ctx = c, .program = p, .text = text, .rng = {seed}};
	e->graph = tn_graph_new(c, p, "random");
	for (i = 0; i < sizeof shapes / sizeof *shapes; i++)
		tn_graph_output(e->graph, "y", tn_graph_input(e->graph, "x", tn_type_make(c, &shapes[i])));
	e->tensors = tn_tensors_new(c, p, e->graph, false);
	e->g = tn_tensors_egraph(e->tensors);
	e->search = tn_tensors_search(e->tensors);
	for (i = 0; i < 3; i++)
		add_number(e, (double)i);
}

bool
random_egraph_grow(struct random_egraph *e)
{
	int i;

	for (i = 0; i < NODES; i++)
		add_random(e);
	for (i = 0; i < PATTERNS; i++)
		add_instance(e);
	for (i = 0; i < UNIONS; i++)
		unite(e);
	return tn_rebuild(e->g);
}

void
random_egraph_end(struct random_egraph *e)
{
	tn_tensors_free(e->tensors);
	tn_graph_free(e->graph);
}
