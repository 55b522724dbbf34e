/* Operators that only give elements another place, told from their defs; see cost.h. */
#include "cost/cost.h"
#include "tensor/at.h"
#include "tensor/weight.h"

/* the function that the one read of the operator's def goes by; TN_NFNS: it is another kind of operator */
static enum tn_fn
place_of(const struct tn_op *op)
{
	const struct tn_x *x = op->def;

	return x && x->kind == TN_X_READ && x->nkid == 1 && x->kid[0]->kind == TN_X_CALL ? (enum tn_fn)x->kid[0]->fn : TN_NFNS;
}

/* (unflatten (flatten ..e #..e) #..d): the place in row-major order stays */
bool
view_is_free(const struct tn_op *op)
{
	const struct tn_x *to, *from;

	if (place_of(op) != TN_F_UNFLATTEN)
		return false;
	to = op->def->kid[0];
	from = to->kid[0];
	return to->kid[1]->kind == TN_X_EXTENT && from->kind == TN_X_CALL && from->fn == TN_F_FLATTEN &&
	    from->kid[0]->kind == TN_X_VAR && from->kid[1]->kind == TN_X_EXTENT && from->kid[0]->var == from->kid[1]->var;
}

/* the value of the attribute that variable x stands for; NULL: x is none */
static const struct tn_value *
attribute_of(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_x *x)
{
	int n, attr = x->kind == TN_X_VAR ? op->var[x->var].attr : -1;
	const tn_val *v = tn_attrs_get(c, attrs, &n);

	return attr >= 0 && attr < n ? tn_val_get(c, v[attr]) : NULL;
}

/* ---- a part ---------------------------------------------------------------------------------------------- */

/* the index (+ from (* step e)) of the plain e that is the result's axis */
static bool
is_moved(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_x *x, int e, struct view_slice *s)
{
	const struct tn_x *scaled = x->kind == TN_X_CALL && x->fn == TN_F_ADD && x->nkid == 2 ? x->kid[1] : NULL;
	const struct tn_value *from, *step;

	if (!scaled || scaled->kind != TN_X_CALL || scaled->fn != TN_F_MUL || scaled->nkid != 2 || scaled->kid[1]->kind != TN_X_VAR ||
	    scaled->kid[1]->var != e)
		return false;
	from = attribute_of(c, op, attrs, x->kid[0]);
	step = attribute_of(c, op, attrs, scaled->kid[0]);
	if (!from || from->kind != TN_K_DIM || !step || step->kind != TN_K_INT || step->u.i < 1)
		return false;
	s->from = from->u.dim;
	s->step = step->u.i;
	return true;
}

/* how many axes item i of the operand stands for; -1: as many as there are */
static int64_t
axes_of(struct tn_ctx *c, tn_attrs attrs, const struct tn_item *item)
{
	if (!item->is_seq)
		return 1;
	return item->count < 0 ? -1 : tn_val_get(c, tn_attrs_get(c, attrs, NULL)[item->count])->u.i;
}

bool
view_slices(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, struct view_slice *s)
{
	const struct tn_x *x = op->def;
	int64_t axis = 0, n;
	int i, moved = 0;

	if (op->nin != 1 || op->in[0].is_variadic || !x || x->kind != TN_X_READ || x->nkid != op->in[0].nitem || x->nkid != op->nout)
		return false;
	for (i = 0; i < x->nkid; i++) {
		if (x->kid[i]->kind == TN_X_VAR && x->kid[i]->var != op->out[i])
			return false;
		if (x->kid[i]->kind != TN_X_VAR) {
			if (!is_moved(c, op, attrs, x->kid[i], op->out[i], s) || axis < 0 || moved++)
				return false;
			s->axis = (int)axis;
		}
		n = axes_of(c, attrs, &op->in[0].item[i]);
		axis = axis < 0 || n < 0 ? -1 : axis + n;
	}
	return moved == 1;
}

bool
view_is_part(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, tn_type from, tn_type out, const int64_t sizes[])
{
	struct tn_shape whole, part;
	struct view_slice slice;
	int i;

	if (!view_slices(c, op, attrs, &slice) || slice.step != 1 || !at_shape(c, from, sizes, &whole) ||
	    !at_shape(c, out, sizes, &part) || whole.rank != part.rank)
		return false;
	for (i = 0; i < whole.rank && whole.dim[i] == part.dim[i]; i++)
		if (whole.dim[i] != 1)
			break;
	for (i++; i < whole.rank; i++)
		if (whole.dim[i] != part.dim[i])
			return false;
	return true;
}

/* ---- repeating ------------------------------------------------------------------------------------------ */

/* (in (a ..d) (b ..d)) (out ..d) */
static bool
repeats_operands(const struct tn_op *op)
{
	int i;

	if (op->nin < 2 || op->nout != 1 || op->var[op->out[0]].sort != TN_S_LIST)
		return false;
	for (i = 0; i < op->nin; i++)
		if (op->in[i].is_variadic || op->in[i].nitem != 1 || op->in[i].item[0].var != op->out[0])
			return false;
	return true;
}

/* the source with its axes at their places and 1 elsewhere; false: they are not in order */
static bool
align(struct tn_ctx *c, const struct tn_op *maker, tn_attrs attrs, tn_type type, tn_type from, struct tn_source *s)
{
	const struct tn_value *axes = attribute_of(c, maker, attrs, maker->def->kid[0]->kid[2]);
	const struct tn_shape *small = tn_type_get(c, from);
	struct tn_shape full = *tn_type_get(c, type);
	int i;

	if (!axes || (int)axes->n != small->rank)
		return false;
	for (i = 0; i < full.rank; i++)
		full.dim[i] = 1;
	for (i = 0; i < small->rank; i++) {
		if ((i && axes->u.list[i] <= axes->u.list[i - 1]) || axes->u.list[i] < 0 || axes->u.list[i] >= full.rank)
			return false;
		full.dim[axes->u.list[i]] = small->dim[i];
	}
	*s = (struct tn_source){.type = type, .stored = tn_type_make(c, &full)};
	return true;
}

/* ---- swapping ------------------------------------------------------------------------------------------- */

/* the sum over one variable of a product of two reads; NULL: there is none */
static const struct tn_x *
find_contraction(const struct tn_x *x)
{
	const struct tn_x *body, *found = NULL;
	int i;

	if (x->kind == TN_X_REDUCE && x->fn == TN_F_ADD && x->niter == 1) {
		body = x->kid[0];
		if (body->kind == TN_X_CALL && body->fn == TN_F_MUL && body->nkid == 2 && body->kid[0]->kind == TN_X_READ &&
		    body->kid[1]->kind == TN_X_READ)
			return x;
	}
	for (i = 0; !found && i < x->nkid; i++)
		if (x->kid[i])
			found = find_contraction(x->kid[i]);
	return found;
}

/* is operand i a factor of a product of matrices: read by plain variables, summed over one of its last two axes? */
static bool
swaps_operand(const struct tn_op *op, int i)
{
	const struct tn_x *sum = op->def ? find_contraction(op->def) : NULL, *read = NULL;
	int k;

	for (k = 0; sum && k < 2; k++)
		if (sum->kid[0]->kid[k]->var == i)
			read = sum->kid[0]->kid[k];
	if (!read || read->nkid < 2)
		return false;
	for (k = 0; k < read->nkid; k++)
		if (read->kid[k]->kind != TN_X_VAR)
			return false;
	return read->kid[read->nkid - 1]->var == sum->iter[0] || read->kid[read->nkid - 2]->var == sum->iter[0];
}

/* [0 1 … n-1 n-2] */
static bool
is_last_swap(const struct tn_value *perm)
{
	uint32_t i, n = perm ? perm->n : 0;

	for (i = 0; i + 2 < n; i++)
		if (perm->u.list[i] != i)
			return false;
	return n >= 2 && perm->u.list[n - 1] == n - 2;
}

/* ---- both ----------------------------------------------------------------------------------------------- */

bool
view_is_taken(struct tn_ctx *c, const struct tn_op *user, int i, const struct tn_op *maker, tn_attrs attrs, tn_type type,
    tn_type from, struct tn_source *s)
{
	enum tn_fn place = place_of(maker);

	if (place == TN_F_BROADCAST)
		return repeats_operands(user) && align(c, maker, attrs, type, from, s);
	if (place == TN_F_UNPERMUTE && swaps_operand(user, i) &&
	    is_last_swap(attribute_of(c, maker, attrs, maker->def->kid[0]->kid[1]))) {
		*s = (struct tn_source){.type = type, .stored = from, .is_transposed = true};
		return true;
	}
	return false;
}

bool
view_takes_number(const struct tn_op *user, int i)
{
	return repeats_operands(user) || (i < user->nin && user->in[i].has_default);
}

/* one value everywhere: a number, or a weight that might be one */
static bool
is_number(const struct tn_graph *g, uint32_t node)
{
	const struct tn_gnode *n = &g->node[node];

	return n->op == TN_FILL || (n->op == TN_WEIGHT && weight_uniform(g->ctx, weight_of(g, n)) != TN_NONE);
}

uint32_t
view_operand(const struct tn_graph *g, uint32_t node, int i, struct tn_source *s)
{
	const struct tn_gnode *n = &g->node[node];
	uint32_t kid = g->kid[n->kid + (uint32_t)i], from;
	const struct tn_gnode *k = &g->node[kid];

	*s = (struct tn_source){.type = k->type, .stored = k->type};
	if (k->op >= TN_CORE && k->nkid == 1) {
		from = g->kid[k->kid];
		if (view_is_taken(g->ctx, &g->program->op[n->op], i, &g->program->op[k->op], k->attrs, k->type, g->node[from].type, s))
			kid = from;
	}
	if (is_number(g, kid) && view_takes_number(&g->program->op[n->op], i))
		s->stored = TN_NONE;
	return kid;
}
