/* Extents, axes and attributes, as nodes that are known before all loops. */
#include "gen/def.h"

#include <string.h>

static const char *
name_of(struct def *d, const char *prefix, int var)
{
	return arena_printf(d->arena, "%s%s", prefix, d->op->var[var].name);
}

/* First operand and item that bear the variable's name; false if there is none. */
static bool
find_item(const struct tn_op *op, int var, int *operand, int *item)
{
	for (*operand = 0; *operand < op->nin; ++*operand)
		for (*item = 0; *item < op->in[*operand].nitem; ++*item)
			if (op->in[*operand].item[*item].var == var)
				return true;
	return false;
}

static int
find_out(const struct tn_op *op, int var)
{
	for (int i = 0; i < op->nout; i++)
		if (op->out[i] == var)
			return i;
	return NONE;
}

static bool
is_seq(const struct tn_op *op, int var)
{
	return op->var[var].sort == TN_S_LIST;
}

int
def_attr(struct def *d, int attr)
{
	const struct tn_attr_decl *a = &d->op->attr[attr];
	const char *fn = a->kind == TN_K_FLOAT ? "float" : a->kind == TN_K_INTS || a->kind == TN_K_DIMS ? "list" : "attr";
	enum node_type type = a->kind == TN_K_FLOAT ? TYPE_REAL : fn[0] == 'l' ? TYPE_LIST : TYPE_INT;

	if (a->kind == TN_K_STRING)
		return def_decline(d);
	return def_text(d, type, a->name, arena_printf(d->arena, "tn_eval_%s(ev, %d)", fn, attr), 0, NULL);
}

/* Axes of the result before its i-th item, or, with i NONE, all but sequence `but`'s. */
static int
out_axes(struct def *d, int i, int but)
{
	const struct tn_op *op = d->op;
	int sum = def_int(d, 0);

	for (int j = 0; j < (i == NONE ? op->nout : i); j++)
		if (op->out[j] != but)
			sum = def_call(d, TN_F_ADD, TYPE_INT, sum,
				is_seq(op, op->out[j]) ? def_length(d, op->out[j]) : def_int(d, 1));
	return sum;
}

int
def_place(struct def *d, int operand, int item)
{
	const struct tn_operand *in = &d->op->in[operand];
	int sum = def_int(d, 0);

	for (int j = 0; j < item; j++)
		sum = def_call(d, TN_F_ADD, TYPE_INT, sum,
			in->item[j].is_seq ? def_length(d, in->item[j].var) : def_int(d, 1));
	return sum;
}

/* Length of a sequence that takes what an operand's other items leave. */
static int
rest_length(struct def *d, int operand, int item)
{
	const struct tn_operand *in = &d->op->in[operand];
	int rank = def_text(d, TYPE_INT, arena_printf(d->arena, "r_%s", in->name),
		arena_printf(d->arena, "ev->in[%d].rank", operand), 0, NULL);
	int sum = def_int(d, 0);

	for (int j = 0; j < in->nitem; j++)
		if (j != item)
			sum = def_call(d, TN_F_ADD, TYPE_INT, sum,
				in->item[j].is_seq ? def_length(d, in->item[j].var) : def_int(d, 1));
	return def_call(d, TN_F_SUB, TYPE_INT, rank, sum);
}

int
def_length(struct def *d, int var)
{
	const struct tn_op *op = d->op;
	int operand, item, rank;

	if (find_item(op, var, &operand, &item)) {
		if (op->in[operand].item[item].count >= 0)
			return def_attr(d, op->in[operand].item[item].count);
		return rest_length(d, operand, item);
	}
	if (find_out(op, var) == NONE)
		return def_decline(d);
	rank = def_text(d, TYPE_INT, "r_out", "ev->out->rank", 0, NULL);
	return def_call(d, TN_F_SUB, TYPE_INT, rank, out_axes(d, NONE, var));
}

/* Value of a let that is no axis of the result, from extents alone. */
static int
let_value(struct def *d, int var)
{
	for (int i = 0; i < d->op->nlet; i++)
		if (d->op->let[i].var == var) {
			struct bound *saved = d->bound;
			int cond = NONE, value;

			/* In a let a dim's name is its extent. */
			d->bound = arena_news(d->arena, (size_t)d->op->nvar, struct bound);
			for (int v = 0; v < d->op->nvar; v++)
				d->bound[v] = (struct bound){NONE, NONE, NONE, NONE};
			value = d->op->let[i].x->sort == TN_S_LIST ? def_list(d, d->op->let[i].x, &cond) :
				def_whole(d, d->op->let[i].x, &cond);
			d->bound = saved;
			return cond == NONE ? value : def_decline(d);
		}
	return def_decline(d);
}

/* One axis, all of a sequence's axes as a product, or as a list, by `what`: dim, extent, extents. */
static int
extent_as(struct def *d, int var, char what)
{
	const char *of, *name = name_of(d, "n_", var);
	int operand, item, out = find_out(d->op, var), kid[2];

	if (find_item(d->op, var, &operand, &item)) {
		of = arena_printf(d->arena, "ev->in[%d]", operand);
		kid[0] = def_place(d, operand, item);
	} else if (out != NONE) {
		of = "*ev->out";
		kid[0] = out_axes(d, out, NONE);
	} else if (what == 'p') {
		return def_text(d, TYPE_INT, name, "tn_list_product($0)", 1, (int[]){let_value(d, var)});
	} else {
		return let_value(d, var);
	}
	if (what == 'd')
		return def_text(d, TYPE_INT, name, *of == '*' ? "ev->out->dim[$0]" :
			arena_printf(d->arena, "%s.dim[$0]", of), 1, kid);
	kid[1] = def_length(d, var);
	of = *of == '*' ? "ev->out" : arena_printf(d->arena, "&%s", of);
	if (what == 'p')
		return def_text(d, TYPE_INT, name, arena_printf(d->arena, "tn_extent(%s, $0, $1)", of), 2, kid);
	return def_text(d, TYPE_LIST, name_of(d, "dims_", var),
		arena_printf(d->arena, "tn_list_extents(%s, $0, $1)", of), 2, kid);
}

int
def_extent(struct def *d, int var)
{
	return extent_as(d, var, is_seq(d->op, var) ? 'p' : 'd');
}

int
def_extents(struct def *d, int var)
{
	return extent_as(d, var, 'l');
}
