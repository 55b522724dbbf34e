/*
 * Declarations as static data: what was typed from the rule file, written as the structures of
 * tenon/op.h that it was typed into.
 *
 *	static const struct tn_x x_relu[] = {
 *		{TN_X(CALL, REAL), .fn = TN_F_MAX, TN_KIDS(2, x_relu + 1, x_relu + 2)},
 *
 * A shared subtree is written once and pointed at twice.
 */
#include "gen/table.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "gen/literal.h"

/* One operator's tables on their way out. */
struct table {
	struct buf *out;
	const struct tn_op *op;
	const char *name;		/* as a C identifier */
	const struct table_names *names;
	struct map number;		/* of a tree's node, by address */
	VEC(const struct tn_x *) x;
};

/* ---- names of the enumerators ---------------------------------------------------------------------- */

static const char *const kind_names[] = {
	"NUM", "TEXT", "VAR", "EXTENT", "CALL", "LIST", "LET", "SWITCH", "REDUCE", "READ", "INSIDE", "PICK",
	"BEFORE", "TOTAL", "ANY",
};
static const char *const sort_names[] = {"INT", "REAL", "BOOL", "LIST", "STRING", "DTYPE", "ENUM", "TENSOR"};
static const char *const var_names[] = {"DIM", "STAR", "LET", "ITER", "VALUE", "ATTR", "ELEM"};

static const char *const fn_names[] = {
#define X(name, text, least, most, group) #name,
	TN_FNS(X)
#undef X
};

static const char *const attr_kinds[] = {
#define X(name, text) #name,
	TN_KINDS(X)
#undef X
};

/* ---- text ---------------------------------------------------------------------------------------------- */

/* A new line if the next `len` characters would make this one too long. */
static void
make_room(struct buf *out, size_t len)
{
	size_t column = 0;

	for (size_t i = out->n; i-- > 0 && out->at[i] != '\n';)
		column += out->at[i] == '\t' ? 8 : 1;
	if (column + len > 90) {
		while (out->n && out->at[out->n - 1] == ' ')
			out->n--;
		buf_puts(out, "\n\t    ");
	}
}

static void
put_number(struct buf *out, struct tn_number n)
{
	buf_printf(out, "{%lld, %lld, %d}", (long long)n.num, (long long)n.den, (int)n.exp10);
}

/* ---- trees -------------------------------------------------------------------------------------------- */

/* Number the tree's nodes from the root down. */
static void
number(struct table *t, const struct tn_x *x)
{
	bool is_new;

	if (!x)
		return;
	map_put(&t->number, &x, sizeof x, t->x.n, &is_new);
	if (!is_new)
		return;
	vec_push(&t->x, x);
	for (int i = 0; i < x->nkid; i++)
		number(t, x->kid[i]);
}

static void
put_ref(struct table *t, const struct tn_x *x)
{
	if (x)
		buf_printf(t->out, "x_%s + %u", t->name, *map_get(&t->number, &x, sizeof x));
	else
		buf_puts(t->out, "NULL");
}

static bool
has_var(const struct tn_x *x)
{
	switch (x->kind) {
	case TN_X_VAR: case TN_X_EXTENT: case TN_X_LET: case TN_X_SWITCH: case TN_X_READ: case TN_X_PICK:
	case TN_X_BEFORE: case TN_X_TOTAL:
		return true;
	default:
		return false;
	}
}

static const char *
var_comment(const struct table *t, const struct tn_x *x)
{
	if (x->kind == TN_X_READ || x->kind == TN_X_PICK || x->kind == TN_X_TOTAL)
		return t->op->in[x->var].name;
	return t->op->var[x->var].name;
}

static void
put_x(struct table *t, uint32_t i)
{
	const struct tn_x *x = t->x.at[i];

	buf_printf(t->out, "\t{TN_X(%s, %s)", kind_names[x->kind], sort_names[x->sort]);
	if (x->kind == TN_X_CALL || x->kind == TN_X_REDUCE)
		buf_printf(t->out, ", .fn = TN_F_%s", fn_names[x->fn]);
	if (has_var(x))
		buf_printf(t->out, ", .var = %d", x->var);
	if (x->kind == TN_X_NUM || x->kind == TN_X_TEXT) {
		buf_puts(t->out, ", .num = ");
		put_number(t->out, x->num);
	}
	if (x->text) {
		buf_puts(t->out, ", .text = ");
		literal_lines(t->out, x->text);
	}
	if (x->niter) {
		buf_printf(t->out, ", .niter = %d, ", x->niter);
		make_room(t->out, 30 + 4 * (size_t)x->niter);
		buf_puts(t->out, ".iter = (const int16_t[]){");
		for (int k = 0; k < x->niter; k++)
			buf_printf(t->out, "%s%d", k ? ", " : "", x->iter[k]);
		buf_putc(t->out, '}');
	}
	if (x->nkid) {
		buf_puts(t->out, ", ");
		make_room(t->out, 24);
		buf_printf(t->out, "TN_KIDS(%d", x->nkid);
	}
	for (int k = 0; k < x->nkid; k++) {
		buf_puts(t->out, ", ");
		make_room(t->out, strlen(t->name) + 12);
		put_ref(t, x->kid[k]);
	}
	buf_puts(t->out, x->nkid ? ")}," : "},");
	if (has_var(x)) {
		buf_putc(t->out, ' ');
		make_room(t->out, strlen(var_comment(t, x)) + 6);
		buf_puts(t->out, "/* ");
		literal_comment(t->out, var_comment(t, x), strlen(var_comment(t, x)));
		buf_puts(t->out, " */");
	}
	buf_putc(t->out, '\n');
}

static void
put_trees(struct table *t)
{
	const struct tn_op *op = t->op;

	for (int i = 0; i < op->nattr; i++)
		number(t, op->attr[i].init);
	for (int i = 0; i < op->nwhere; i++)
		number(t, op->where[i].cond);
	for (int i = 0; i < op->nlet; i++)
		number(t, op->let[i].x);
	number(t, op->def);
	number(t, op->cost);
	if (t->x.n == 0)
		return;
	buf_printf(t->out, "static const struct tn_x x_%s[] = {\n", t->name);
	for (uint32_t i = 0; i < t->x.n; i++)
		put_x(t, i);
	buf_puts(t->out, "};\n");
}

/* ---- operators ------------------------------------------------------------------------------------------ */

static void
put_vars(struct table *t)
{
	if (t->op->nvar == 0)
		return;
	buf_printf(t->out, "static const struct tn_var var_%s[] = {\n", t->name);
	for (int i = 0; i < t->op->nvar; i++) {
		const struct tn_var *v = &t->op->var[i];

		buf_puts(t->out, "\t{");
		literal_lines(t->out, v->name);
		buf_printf(t->out, ", TN_V_%s, TN_S_%s, %d, %d},\n", var_names[v->kind], sort_names[v->sort], v->attr,
			v->elem);
	}
	buf_puts(t->out, "};\n");
}

static int
enum_number(const struct table *t, const struct tn_enum *e)
{
	int i = 0;

	while (t->names->text->enums[i] != e)
		i++;
	return i;
}

static void
put_attrs(struct table *t)
{
	if (t->op->nattr == 0)
		return;
	buf_printf(t->out, "static const struct tn_attr_decl attr_%s[] = {\n", t->name);
	for (int i = 0; i < t->op->nattr; i++) {
		const struct tn_attr_decl *a = &t->op->attr[i];

		buf_puts(t->out, "\t{");
		literal_lines(t->out, a->name);
		buf_printf(t->out, ", TN_K_%s", attr_kinds[a->kind]);
		if (a->nelem)
			buf_printf(t->out, ", .nelem = %d", a->nelem);
		if (a->enums)
			buf_printf(t->out, ", .enums = &%s", t->names->enums[enum_number(t, a->enums)]);
		if (a->init) {
			buf_puts(t->out, ", .init = ");
			put_ref(t, a->init);
		}
		buf_puts(t->out, ", ");
		make_room(t->out, 28);
		buf_printf(t->out, ".axis_of = %d, .var = %d},\n", a->axis_of, a->var);
	}
	buf_puts(t->out, "};\n");
}

static void
put_operands(struct table *t)
{
	if (t->op->nin == 0)
		return;
	buf_printf(t->out, "static const struct tn_operand in_%s[] = {\n", t->name);
	for (int i = 0; i < t->op->nin; i++) {
		const struct tn_operand *in = &t->op->in[i];

		buf_puts(t->out, "\t{");
		literal_lines(t->out, in->name);
		if (in->is_variadic)
			buf_puts(t->out, ", .is_variadic = true");
		if (in->has_default) {
			buf_puts(t->out, ", .has_default = true, .init = ");
			put_number(t->out, in->init);
		}
		buf_printf(t->out, ", .type = %d", in->type);
		if (in->nitem) {
			buf_printf(t->out, ",\n\t    .nitem = %d, .item = (const struct tn_item[]){", in->nitem);
			for (int j = 0; j < in->nitem; j++) {
				buf_puts(t->out, j ? ", " : "");
				make_room(t->out, 16);
				buf_printf(t->out, "{%d, %d, %s}", in->item[j].var, in->item[j].count,
					in->item[j].is_seq ? "true" : "false");
			}
			buf_putc(t->out, '}');
		}
		buf_puts(t->out, "},\n");
	}
	buf_puts(t->out, "};\n");
}

static void
put_conditions(struct table *t)
{
	if (t->op->nwhere) {
		buf_printf(t->out, "static const struct tn_where where_%s[] = {\n", t->name);
		for (int i = 0; i < t->op->nwhere; i++) {
			buf_puts(t->out, "\t{");
			put_ref(t, t->op->where[i].cond);
			buf_puts(t->out, ", ");
			literal_lines(t->out, t->op->where[i].message);
			buf_puts(t->out, "},\n");
		}
		buf_puts(t->out, "};\n");
	}
	if (t->op->nlet) {
		buf_printf(t->out, "static const struct tn_let let_%s[] = {\n", t->name);
		for (int i = 0; i < t->op->nlet; i++) {
			buf_printf(t->out, "\t{%d, ", t->op->let[i].var);
			put_ref(t, t->op->let[i].x);
			buf_puts(t->out, "},\n");
		}
		buf_puts(t->out, "};\n");
	}
	if (t->op->nout) {
		buf_printf(t->out, "static const int16_t out_%s[] = {", t->name);
		for (int i = 0; i < t->op->nout; i++)
			buf_printf(t->out, "%s%d", i ? ", " : "", t->op->out[i]);
		buf_puts(t->out, "};\n");
	}
}

/* ", .nwhere = 2, .where = where_conv2d" where there are any */
static void
put_array(struct buf *row, const char *name, const char *prefix, const char *member, int n)
{
	if (n)
		buf_printf(row, "\t\t.n%s = %d, .%s = %s_%s,\n", member, n, member, prefix, name);
}

static void
put_row(struct table *t, struct buf *row, const char *shape, const char *eval)
{
	const struct tn_op *op = t->op;
	struct buf *out = t->out;

	buf_puts(row, "\t{\n\t\t.name = ");
	literal_lines(row, op->name);
	buf_puts(row, ",\n\t\t.doc = ");
	literal_lines(row, op->doc);
	buf_puts(row, ",\n\t\t.file = ");
	literal_lines(row, op->file);
	buf_printf(row, ", .line = %d,\n", op->line);
	if (op->onnx) {
		buf_puts(row, "\t\t.onnx = ");
		literal_lines(row, op->onnx);
		buf_puts(row, ", .onnx_domain = ");
		literal_lines(row, op->onnx_domain);
		buf_puts(row, ",\n");
	}
	put_array(row, t->name, "var", "var", op->nvar);
	put_array(row, t->name, "attr", "attr", op->nattr);
	put_array(row, t->name, "in", "in", op->nin);
	put_array(row, t->name, "where", "where", op->nwhere);
	put_array(row, t->name, "let", "let", op->nlet);
	put_array(row, t->name, "out", "out", op->nout);
	buf_printf(row, "\t\t.out_type = %d, .dtypes = 0x%x,\n", op->out_type, (unsigned)op->dtypes);
	t->out = row;
	buf_puts(row, op->def || op->cost ? "\t\t.def = " : "");
	if (op->def || op->cost) {
		put_ref(t, op->def);
		buf_puts(row, ", .cost = ");
		put_ref(t, op->cost);
		buf_puts(row, ",\n");
	}
	t->out = out;
	if (op->is_commutative)
		buf_puts(row, "\t\t.is_commutative = true,\n");
	if (op->is_scalar)
		buf_puts(row, "\t\t.is_scalar = true,\n");
	if (shape)
		buf_printf(row, "\t\t.shape = %s,\n", shape);
	if (eval)
		buf_printf(row, "\t\t.eval = %s,\n", eval);
	buf_puts(row, "\t},\n");
}

void
table_op(struct buf *out, struct buf *row, const struct tn_op *op, const char *name, const struct table_names *n)
{
	struct table t = {.out = out, .op = op, .name = name, .names = n};

	put_trees(&t);
	put_vars(&t);
	put_attrs(&t);
	put_operands(&t);
	put_conditions(&t);
	put_row(&t, row, n->shape, n->eval);
	map_free(&t.number);
	vec_free(&t.x);
}

void
table_enum(struct buf *out, const struct tn_enum *e, const char *name)
{
	buf_printf(out, "static const struct tn_enum %s = {", name);
	literal_lines(out, e->name);
	buf_printf(out, ", %d,\n    (const char *const[]){", e->nvalue);
	for (int i = 0; i < e->nvalue; i++) {
		buf_puts(out, i == 0 ? "" : i % 6 ? ", " : ",\n    ");
		literal_lines(out, e->value[i]);
	}
	buf_puts(out, "}};\n");
}

void
table_device(struct buf *out, const struct tn_device *d)
{
	buf_puts(out, "\t{");
	literal_lines(out, d->name);
	buf_printf(out, ", %d, (const char *const[]){", d->nkey);
	for (int i = 0; i < d->nkey; i++) {
		buf_puts(out, i ? ", " : "");
		literal_lines(out, d->key[i]);
	}
	buf_puts(out, "},\n\t    (const double[]){");
	for (int i = 0; i < d->nkey; i++) {
		buf_puts(out, i ? ", " : "");
		literal_real(out, d->value[i]);
	}
	buf_puts(out, "}},\n");
}
