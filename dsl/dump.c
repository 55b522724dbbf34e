/*
 * The typed program as text, for tenonc -d typed: what every name was taken for.
 *
 * Variables print by name, with their number where a name has several (mean.7); arithmetic with the
 * sort it is done in (+:int, +:list).
 */
#include <string.h>

#include "base/dtype.h"
#include "base/num.h"
#include "dsl/rule.h"

/* what a variable prints as, in an operator or in a rule */
struct names {
	const struct tn_program_text *program;
	const struct tn_op *op;		/* NULL in a rule */
	const struct tn_rule *rule;
	FILE *f;
};

static const char *const fn_text[] = {
#define X(id, text, least, most, group) [TN_F_##id] = text,
	TN_FNS(X)
#undef X
};
static const char *const kind_text[] = {
#define X(id, text) [TN_K_##id] = text,
	TN_KINDS(X)
#undef X
};
static const char *const sort_text_short[] = {"int", "real", "bool", "list", "string", "dtype", "enum", "tensor"};

static void expr(const struct names *, const struct tn_x *);

static void
number(const struct names *n, struct tn_number num)
{
	char text[64];

	number_print(num, text);
	fputs(text, n->f);
}

static bool
is_sequence(const struct tn_var *v)
{
	return v->sort == TN_S_LIST && v->kind != TN_V_ATTR;
}

static void
op_var(const struct names *n, int var)
{
	const struct tn_var *v = &n->op->var[var];
	int i, same = 0;

	for (i = 0; i < n->op->nvar; i++)
		same += strcmp(n->op->var[i].name, v->name) == 0 && is_sequence(&n->op->var[i]) == is_sequence(v);
	fprintf(n->f, "%s%s", is_sequence(v) ? ".." : "", v->name);
	if (same > 1)
		fprintf(n->f, ".%d", var);
}

static void
rule_var(const struct names *n, int var)
{
	static const char *const before[] = {"?", "?", "$", "..", "$", "..", "?"};
	const struct tn_rvar *v = &n->rule->var[var];

	fprintf(n->f, "%s%s%s", before[v->kind], v->name, v->kind == TN_R_TENSORS ? "..." : "");
}

static void
variable(const struct names *n, int var)
{
	if (n->op)
		op_var(n, var);
	else
		rule_var(n, var);
}

/* " a b c)" */
static void
rest(const struct names *n, const struct tn_x *x, int from)
{
	int i;

	for (i = from; i < x->nkid; i++) {
		fputc(' ', n->f);
		expr(n, x->kid[i]);
	}
	fputc(')', n->f);
}

/* [a b c] */
static void
list(const struct names *n, const struct tn_x *x)
{
	int i;

	fputc('[', n->f);
	for (i = 0; i < x->nkid; i++) {
		fputs(i ? " " : "", n->f);
		expr(n, x->kid[i]);
	}
	fputc(']', n->f);
}

/* (sum [k (r kh)] e) */
static void
reduction(const struct names *n, const struct tn_x *x)
{
	int i;

	fprintf(n->f, "(%s [", x->fn == TN_F_ADD ? "sum" : fn_text[x->fn]);
	for (i = 0; i < x->niter; i++) {
		fputs(i ? " " : "", n->f);
		if (x->kid[1 + i])
			fputc('(', n->f);
		op_var(n, x->iter[i]);
		if (x->kid[1 + i]) {
			fputc(' ', n->f);
			expr(n, x->kid[1 + i]);
			fputc(')', n->f);
		}
	}
	fputs("] ", n->f);
	expr(n, x->kid[0]);
	fputc(')', n->f);
}

/* (switch act none: e relu: e) */
static void
switch_(const struct names *n, const struct tn_x *x)
{
	const struct tn_var *v = &n->op->var[x->var];
	const struct tn_enum *e = n->op->attr[v->attr].enums;
	int i;

	fprintf(n->f, "(switch %s", v->name);
	for (i = 0; i < x->nkid; i++) {
		fprintf(n->f, " %s: ", e->value[i]);
		expr(n, x->kid[i]);
	}
	fputc(')', n->f);
}

static void
call(const struct names *n, const struct tn_x *x)
{
	bool is_arithmetic = x->sort == TN_S_INT || x->sort == TN_S_REAL || x->sort == TN_S_LIST;

	fprintf(n->f, "(%s", fn_text[x->fn]);
	if (is_arithmetic)
		fprintf(n->f, ":%s", sort_text_short[x->sort]);
	rest(n, x, 0);
}

/* (before d*) of an operator, (before E) of siblings */
static void
before(const struct names *n, const struct tn_x *x)
{
	fputs("(before", n->f);
	if (x->nkid) {
		rest(n, x, 0);
		return;
	}
	fputc(' ', n->f);
	op_var(n, x->var);
	fputc(')', n->f);
}

static void
expr(const struct names *n, const struct tn_x *x)
{
	switch (x->kind) {
	case TN_X_NUM:
		if (x->sort == TN_S_BOOL)
			fputs(x->num.num ? "true" : "false", n->f);
		else
			number(n, x->num);
		break;
	case TN_X_TEXT:
		fprintf(n->f, x->sort == TN_S_STRING ? "\"%s\"" : "%s", x->text);
		break;
	case TN_X_VAR:
		variable(n, x->var);
		break;
	case TN_X_EXTENT:
		fputc('#', n->f);
		op_var(n, x->var);
		break;
	case TN_X_CALL:
		call(n, x);
		break;
	case TN_X_LIST:
		list(n, x);
		break;
	case TN_X_LET:
		fputs("(let ", n->f);
		op_var(n, x->var);
		rest(n, x, 0);
		break;
	case TN_X_SWITCH:
		switch_(n, x);
		break;
	case TN_X_REDUCE:
		reduction(n, x);
		break;
	case TN_X_READ:
		fprintf(n->f, "(read %s", n->op->in[x->var].name);
		rest(n, x, 0);
		break;
	case TN_X_INSIDE:
		fputs("(inside", n->f);
		rest(n, x, 0);
		break;
	case TN_X_PICK:
	case TN_X_TOTAL:
		fprintf(n->f, "(%s [%s]", x->kind == TN_X_PICK ? "pick" : "sum", n->op->in[x->var].name);
		rest(n, x, 0);
		break;
	case TN_X_BEFORE:
		before(n, x);
		break;
	default:
		fputs("$_", n->f);
	}
}

/* ---- operators --------------------------------------------------------------------------------------- */

static void
element_type(const struct names *n, int type)
{
	if (type >= 0)
		fprintf(n->f, " :type %s", dtype_name((enum tn_dtype)type));
	else if (type < -1)
		fprintf(n->f, " :type %s", n->op->attr[-2 - type].name);
}

static void
attributes(const struct names *n)
{
	const struct tn_attr_decl *a;
	int i;

	for (i = 0; i < n->op->nattr; i++) {
		a = &n->op->attr[i];
		fprintf(n->f, "\tattr %s %s", a->name, a->enums ? a->enums->name : kind_text[a->kind]);
		if (a->nelem)
			fprintf(n->f, "[%d]", a->nelem);
		if (a->axis_of >= 0)
			fprintf(n->f, " of %s", n->op->in[a->axis_of].name);
		if (a->init) {
			fputs(" = ", n->f);
			expr(n, a->init);
		}
		fputc('\n', n->f);
	}
}

static void
operands(const struct names *n)
{
	const struct tn_operand *in;
	int i, k;

	for (i = 0; i < n->op->nin; i++) {
		in = &n->op->in[i];
		fprintf(n->f, "\tin %s%s", in->name, in->is_variadic ? "..." : "");
		for (k = 0; k < in->nitem; k++) {
			fputc(' ', n->f);
			op_var(n, in->item[k].var);
			if (in->item[k].count >= 0)
				fprintf(n->f, "@%s", n->op->attr[in->item[k].count].name);
		}
		element_type(n, in->type);
		if (in->has_default) {
			fputs(" = ", n->f);
			number(n, in->init);
		}
		fputc('\n', n->f);
	}
}

static void
shape(const struct names *n)
{
	const struct tn_op *op = n->op;
	int i;

	for (i = 0; i < op->nlet; i++) {
		fputs("\tlet ", n->f);
		op_var(n, op->let[i].var);
		fputc(' ', n->f);
		expr(n, op->let[i].x);
		fputc('\n', n->f);
	}
	for (i = 0; i < op->nwhere; i++) {
		fputs("\twhere ", n->f);
		expr(n, op->where[i].cond);
		fputc('\n', n->f);
	}
	fputs("\tout", n->f);
	for (i = 0; i < op->nout; i++) {
		fputc(' ', n->f);
		op_var(n, op->out[i]);
	}
	element_type(n, op->out_type);
	fputc('\n', n->f);
}

static void
operator_(const struct rules *r, const struct tn_op *op, FILE *f)
{
	const struct names n = {.program = &r->text, .op = op, .f = f};
	int i;

	fprintf(f, "op %s  %s:%d\n\tdtypes", op->name, op->file, op->line);
	for (i = 0; i < TN_NDTYPES; i++)
		if (op->dtypes >> i & 1)
			fprintf(f, " %s", dtype_name((enum tn_dtype)i));
	fputc('\n', f);
	attributes(&n);
	operands(&n);
	shape(&n);
	if (op->is_commutative)
		fputs("\tcommutative\n", f);
	if (op->is_scalar)
		fputs("\tscalar\n", f);
	if (op->def) {
		fputs("\tdef ", f);
		expr(&n, op->def);
		fputc('\n', f);
	}
	if (op->cost) {
		fputs("\tcost ", f);
		expr(&n, op->cost);
		fputc('\n', f);
	}
}

/* ---- rules ------------------------------------------------------------------------------------------- */

static void
term(const struct names *n, const struct tn_term *t)
{
	const struct tn_op *op;
	int i;

	switch (t->kind) {
	case TN_T_ANY:
		fputs("?_", n->f);
		return;
	case TN_T_NUM:
		number(n, t->num);
		return;
	case TN_T_MAP:
		term(n, t->kid[0]);
		fputs("...", n->f);
		return;
	case TN_T_OP:
		break;
	default:
		rule_var(n, t->var);
		return;
	}
	op = &n->program->op[t->op];
	fprintf(n->f, "(%s", op->name);
	for (i = 0; i < t->nkid; i++) {
		fputc(' ', n->f);
		term(n, t->kid[i]);
	}
	for (i = 0; i < t->nbind; i++) {
		fprintf(n->f, " :%s ", op->attr[t->bind[i].attr].name);
		expr(n, t->bind[i].x);
	}
	if (t->capture >= 0) {
		fputc(' ', n->f);
		rule_var(n, t->capture);
	}
	fputc(')', n->f);
}

static void
rule_variables(const struct names *n)
{
	const struct tn_rvar *v;
	int i;

	for (i = 0; i < n->rule->nvar; i++) {
		v = &n->rule->var[i];
		fprintf(n->f, "\t%d ", i);
		rule_var(n, i);
		if (v->kind == TN_R_CAPTURE)
			fprintf(n->f, " of %s", n->program->op[v->op].name);
		else
			fprintf(n->f, " %s", sort_text_short[v->sort]);
		if (v->kind == TN_R_LET || v->kind == TN_R_TERM)
			fputs(" = ", n->f);
		if (v->kind == TN_R_LET)
			expr(n, v->x);
		if (v->kind == TN_R_TERM)
			term(n, v->term);
		fputc('\n', n->f);
	}
}

static void
rule(const struct rules *r, const struct tn_rule *rl, FILE *f)
{
	const struct names n = {.program = &r->text, .rule = rl, .f = f};
	int i;

	fprintf(f, "%s %s  %s:%d%s%s%s\n", rl->is_axiom ? "axiom" : "rule", rl->name, rl->file, rl->line,
	    rl->is_normalise ? " normalise" : "", rl->is_trusted ? " trusted" : "", rl->is_off ? " off" : "");
	rule_variables(&n);
	for (i = 0; i < rl->narrow; i++) {
		fputs("\tfrom ", f);
		term(&n, rl->arrow[i].from);
		fprintf(f, "%s\n\tto   ", rl->is_siblings ? "..." : "");
		term(&n, rl->arrow[i].to);
		fputs(rl->is_siblings ? "...\n" : "\n", f);
	}
	for (i = 0; i < rl->nwhen; i++) {
		fputs("\twhen ", f);
		expr(&n, rl->when[i]);
		fputc('\n', f);
	}
}

void
rules_dump(const struct rules *r, FILE *f)
{
	int i;

	for (i = 0; i < r->text.nop; i++)
		if (i == TN_FILL || i >= TN_CORE)
			operator_(r, &r->text.op[i], f);
	for (i = 0; i < r->text.nrule; i++)
		rule(r, &r->text.rule[i], f);
}
