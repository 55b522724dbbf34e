/* Are two declarations one operator?  Names of dims, variables and operands, docs and prices do not matter. */
#include <string.h>

#include "tenon/tenon.h"
#include "tensor/same_op.h"

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* is it about a variable or an operand?  of others compiled operators and those just read say different things in its place */
static bool
has_var(const struct tn_x *x)
{
	return x->kind != TN_X_NUM && x->kind != TN_X_TEXT && x->kind != TN_X_CALL && x->kind != TN_X_LIST && x->kind != TN_X_REDUCE &&
	    x->kind != TN_X_INSIDE;
}

static bool
same_x(const struct tn_x *a, const struct tn_x *b)
{
	int i;

	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind || a->sort != b->sort || a->fn != b->fn || a->niter != b->niter ||
	    (has_var(a) && a->var != b->var) || a->nkid != b->nkid || a->num.num != b->num.num || a->num.den != b->num.den ||
	    a->num.exp10 != b->num.exp10 || !same_text(a->text, b->text))
		return false;
	for (i = 0; i < a->niter; i++)
		if (a->iter[i] != b->iter[i])
			return false;
	for (i = 0; i < a->nkid; i++)
		if (!same_x(a->kid[i], b->kid[i]))
			return false;
	return true;
}

static bool
same_attr(const struct tn_attr_decl *a, const struct tn_attr_decl *b)
{
	int i;

	if (strcmp(a->name, b->name) != 0 || a->kind != b->kind || a->nelem != b->nelem || a->axis_of != b->axis_of ||
	    a->var != b->var || !a->enums != !b->enums || (a->enums && a->enums->nvalue != b->enums->nvalue))
		return false;
	for (i = 0; a->enums && i < a->enums->nvalue; i++)
		if (strcmp(a->enums->value[i], b->enums->value[i]) != 0)
			return false;
	return true;
}

static bool
same_operand(const struct tn_operand *a, const struct tn_operand *b)
{
	int i;

	if (a->is_variadic != b->is_variadic || a->type != b->type || a->nitem != b->nitem)
		return false;
	for (i = 0; i < a->nitem; i++)
		if (a->item[i].var != b->item[i].var || a->item[i].count != b->item[i].count || a->item[i].is_seq != b->item[i].is_seq)
			return false;
	return true;
}

static bool
same_var(const struct tn_var *a, const struct tn_var *b)
{
	return a->kind == b->kind && a->sort == b->sort && a->attr == b->attr && a->elem == b->elem;
}

/* the parts of which there are equally many */
static bool
same_parts(const struct tn_op *a, const struct tn_op *b)
{
	int i;

	for (i = 0; i < a->nvar; i++)
		if (!same_var(&a->var[i], &b->var[i]))
			return false;
	for (i = 0; i < a->nattr; i++)
		if (!same_attr(&a->attr[i], &b->attr[i]))
			return false;
	for (i = 0; i < a->nin; i++)
		if (!same_operand(&a->in[i], &b->in[i]))
			return false;
	for (i = 0; i < a->nwhere; i++)
		if (!same_x(a->where[i].cond, b->where[i].cond))
			return false;
	for (i = 0; i < a->nlet; i++)
		if (a->let[i].var != b->let[i].var || !same_x(a->let[i].x, b->let[i].x))
			return false;
	for (i = 0; i < a->nout; i++)
		if (a->out[i] != b->out[i])
			return false;
	return true;
}

bool
op_is_same(const struct tn_op *a, const struct tn_op *b)
{
	return a == b || (strcmp(a->name, b->name) == 0 && a->nvar == b->nvar && a->nattr == b->nattr && a->nin == b->nin &&
	    a->nwhere == b->nwhere && a->nlet == b->nlet && a->nout == b->nout && a->out_type == b->out_type &&
	    same_parts(a, b) && same_x(a->def, b->def));
}

bool
op_is_namesake(const struct tn_op *op)
{
	int i;

	for (i = TN_CORE; i < tn_builtin.nop; i++)
		if (strcmp(tn_builtin.op[i].name, op->name) == 0)
			return !op_is_same(&tn_builtin.op[i], op);
	return false;
}

unsigned
op_standard(const struct tn_program *p, const char *name)
{
	unsigned op = tn_op_named(p, name);

	return op != TN_NONE && !op_is_namesake(&p->op[op]) ? op : TN_NONE;
}
