/*
 * Compiled shape functions.
 *
 * In order: each operand's rank, the extents its names bind, the equality of those that were bound
 * before; each `where`; the lets; the result's axes.  A let or an attribute gets its variable where
 * it is first used.
 */
#include "gen/eval.h"

#include <string.h>

#include "gen/names.h"
#include "gen/shape.h"

void
shape_stmt(struct shape *s, const char *text)
{
	const size_t room = 90 - 8;
	size_t at, indent = 0;

	buf_putc(&s->text, '\t');
	while (strlen(text) > room - indent) {
		at = 0;
		for (size_t i = 0; i < room - indent; i++)
			if (text[i] == ' ' && i > 8)
				at = i;
		if (at == 0)
			break;
		buf_put(&s->text, text, at);
		buf_puts(&s->text, "\n\t    ");
		text += at + 1;
		indent = 4;
	}
	buf_printf(&s->text, "%s\n", text);
}

/* ---- operands ------------------------------------------------------------------------------------ */

/* "1 + r_b": a sum of ones and lengths of sequences. */
static const char *
sum_text(struct shape *s, int ones, const char *lengths)
{
	if (!lengths)
		return arena_printf(s->arena, "%d", ones);
	return ones ? arena_printf(s->arena, "%s + %d", lengths, ones) : lengths;
}

/* Axes of the operand's items from..to - 1 but `but`; all of whose lengths are known. */
static const char *
axes(struct shape *s, const struct tn_operand *in, int to, int but)
{
	const char *lengths = NULL;
	int ones = 0;

	for (int j = 0; j < to; j++)
		if (j != but && in->item[j].is_seq)
			lengths = lengths ? arena_printf(s->arena, "%s + %s", lengths, s->length[in->item[j].var]) :
				s->length[in->item[j].var];
		else if (j != but)
			ones++;
	return sum_text(s, ones, lengths);
}

static void
fail_unless(struct shape *s, const char *check)
{
	shape_stmt(s, arena_printf(s->arena, "if (!%s)", check));
	buf_puts(&s->text, "\t\treturn false;\n");
}

/* Does anything ask for the item's length: for its name, or to find the axes behind it? */
static bool
is_length_used(const struct shape *s, const struct tn_operand *in, int j)
{
	for (int k = j; k < in->nitem; k++)
		if (s->is_used[in->item[k].var])
			return true;
	return in->is_variadic;
}

/* Lengths of the operand's sequences; the item that takes what is left, or -1. */
static int
find_lengths(struct shape *s, const struct tn_operand *in)
{
	int rest = -1;

	for (int j = 0; j < in->nitem; j++) {
		const struct tn_item *it = &in->item[j];

		if (!it->is_seq || s->length[it->var])
			continue;
		s->length[it->var] = name_new(&s->names, arena_printf(s->arena, "r_%s", s->op->var[it->var].name));
		if (it->count < 0)
			rest = j;
		if (it->count >= 0 || is_length_used(s, in, j))
			buf_printf(&s->ints, "%s%s", s->ints.n ? ", " : "", s->length[it->var]);
		if (it->count >= 0)
			fail_unless(s, arena_printf(s->arena, "tn_infer_count(infer, %d, &%s)", it->count, s->length[it->var]));
	}
	return rest;
}

static void
bind_item(struct shape *s, const struct tn_operand *in, int j, const char *shape)
{
	const struct tn_item *it = &in->item[j];
	const char *name = s->op->var[it->var].name, *place = arena_printf(s->arena, "%s->dim[%s]", shape, axes(s, in, j, -1));

	if (s->op->var[it->var].kind == TN_V_STAR) {
		s->place[it->var] = arena_printf(s->arena, "%s", axes(s, in, j, -1));
	} else if (s->value[it->var]) {
		fail_unless(s, it->is_seq ? arena_printf(s->arena, "tn_infer_same(infer, \"%s\", %s, %s, &%s)", name, s->length[it->var],
			s->value[it->var], place) : arena_printf(s->arena, "tn_infer_same(infer, \"%s\", 1, &%s, &%s)", name,
			s->value[it->var], place));
	} else if (it->is_seq) {
		s->value[it->var] = arena_printf(s->arena, "&%s", place);
	} else if (s->is_used[it->var]) {
		s->value[it->var] = name_new(&s->names, name);
		buf_printf(&s->dims, "%s%s", s->dims.n ? ", " : "", s->value[it->var]);
		shape_stmt(s, arena_printf(s->arena, "%s = %s;", s->value[it->var], place));
	}
}

/* The further operands of a variadic list agree with the first in all but d*. */
static void
bind_more(struct shape *s, const struct tn_operand *in, int first, const char *shape)
{
	buf_printf(&s->text, "\tfor (int i = %d; i < infer->nin; i++) {\n", first + 1);
	buf_printf(&s->text, "\t\tif (!tn_infer_in(infer, i, %s, false, &%s)", axes(s, in, in->nitem, -1), shape);
	for (int j = 0; j < in->nitem; j++) {
		const struct tn_item *it = &in->item[j];
		const char *name = s->op->var[it->var].name;

		if (s->op->var[it->var].kind != TN_V_STAR)
			buf_printf(&s->text, " ||\n\t\t    !tn_infer_same(infer, \"%s\", %s, %s%s,\n\t\t    &%s->dim[%s])", name,
				it->is_seq ? s->length[it->var] : "1", it->is_seq ? "" : "&", s->value[it->var], shape,
				axes(s, in, j, -1));
	}
	buf_puts(&s->text, ")\n\t\t\treturn false;\n\t}\n");
}

static void
bind_operand(struct shape *s, int i)
{
	const struct tn_operand *in = &s->op->in[i];
	const char *shape = name_new(&s->names, in->name);
	int rest = find_lengths(s, in);

	buf_printf(&s->shapes, "%s*%s", s->shapes.n ? ", " : "", shape);
	fail_unless(s, arena_printf(s->arena, "tn_infer_in(infer, %d, %s, %s, &%s)", i, axes(s, in, in->nitem, rest),
		rest >= 0 ? "true" : "false", shape));
	if (rest >= 0 && is_length_used(s, in, rest)) {
		const char *others = axes(s, in, in->nitem, rest);

		if (strcmp(others, "0") == 0)
			shape_stmt(s, arena_printf(s->arena, "%s = %s->rank;", s->length[in->item[rest].var], shape));
		else if (strchr(others, ' '))
			shape_stmt(s, arena_printf(s->arena, "%s = %s->rank - (%s);", s->length[in->item[rest].var], shape, others));
		else
			shape_stmt(s, arena_printf(s->arena, "%s = %s->rank - %s;", s->length[in->item[rest].var], shape, others));
	}
	for (int j = 0; j < in->nitem; j++)
		bind_item(s, in, j, shape);
	if (in->is_variadic) {
		const char *other = name_new(&s->names, arena_printf(s->arena, "%s-i", in->name));

		buf_printf(&s->shapes, ", *%s", other);
		bind_more(s, in, i, other);
	}
}

/* ---- lets, wheres, the result -------------------------------------------------------------------------- */

static void
mark_used(struct shape *s, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR || x->kind == TN_X_EXTENT)
		s->is_used[x->var] = true;
	for (int i = 0; i < x->nkid; i++)
		if (x->kid[i])
			mark_used(s, x->kid[i]);
}

/* Names that anything but their first place asks for. */
static void
find_used(struct shape *s)
{
	const struct tn_op *op = s->op;
	bool *seen = arena_news(s->arena, (size_t)op->nvar, bool);

	for (int i = 0; i < op->nwhere; i++)
		mark_used(s, op->where[i].cond);
	for (int i = 0; i < op->nlet; i++)
		mark_used(s, op->let[i].x);
	for (int i = 0; i < op->nout; i++)
		s->is_used[op->out[i]] = true;
	for (int i = 0; i < op->nin; i++)
		for (int j = 0; j < op->in[i].nitem; j++) {
			int var = op->in[i].item[j].var;

			s->is_used[var] |= seen[var] || op->in[i].is_variadic;
			seen[var] = true;
		}
}

static void
put_out(struct shape *s, int var)
{
	const char *value = shape_var(s, var);

	if (s->is_declined)
		return;
	if (s->op->var[var].sort != TN_S_LIST)
		shape_stmt(s, arena_printf(s->arena, "tn_infer_put(&out, 1, &%s);", value));
	else if (s->length[var])
		shape_stmt(s, arena_printf(s->arena, "tn_infer_put(&out, %s, %s);", s->length[var], value));
	else
		shape_stmt(s, arena_printf(s->arena, "tn_infer_put(&out, %s.n, %s.d);", value, value));
}

static void
put_head(struct shape *s, struct buf *out, const char *name)
{
	buf_printf(out, "static bool\nshape_%s(struct tn_infer *infer)\n{\n", name);
	if (s->uses_ctx)
		buf_puts(out, "\tstruct tn_ctx *ctx = infer->ctx;\n");
	if (s->shapes.n)
		buf_printf(out, "\tconst struct tn_shape %s;\n", s->shapes.at);
	buf_puts(out, "\tstruct tn_shape out = {0};\n");
	if (s->dims.n)
		buf_printf(out, "\ttn_dim %s;\n", s->dims.at);
	if (s->ints.n)
		buf_printf(out, "\tint %s;\n", s->ints.at);
	buf_putc(out, '\n');
}

bool
gen_shape(struct buf *out, const struct tn_op *op, const char *name, const struct names *ops)
{
	struct arena arena = {0};
	struct shape s = {.arena = &arena, .op = op, .names = {.arena = &arena, .ops = ops}};
	size_t nvar = (size_t)op->nvar;

	s.value = arena_news(&arena, nvar, const char *);
	s.length = arena_news(&arena, nvar, const char *);
	s.place = arena_news(&arena, nvar, const char *);
	s.is_used = arena_news(&arena, nvar, bool);
	name_new(&s.names, "infer");
	name_new(&s.names, "ctx");
	name_new(&s.names, "out");
	name_new(&s.names, "i");
	find_used(&s);
	for (int i = 0; i < op->nin; i++)
		bind_operand(&s, i);
	for (int i = 0; i < op->nwhere && !s.is_declined; i++) {
		const char *cond = shape_cond(&s, op->where[i].cond);

		fail_unless(&s, arena_printf(&arena, "tn_infer_where(infer, %d, %s)", i, cond));
	}
	for (int i = 0; i < op->nout && !s.is_declined; i++)
		shape_var(&s, op->out[i]);
	for (int i = 0; i < op->nout && !s.is_declined; i++)
		put_out(&s, op->out[i]);
	if (!s.is_declined) {
		put_head(&s, out, name);
		buf_put(out, s.text.at ? s.text.at : "", s.text.n);
		buf_puts(out, "\treturn tn_infer_out(infer, &out);\n}\n");
	}
	buf_free(&s.text);
	buf_free(&s.shapes);
	buf_free(&s.dims);
	buf_free(&s.ints);
	names_free(&s.names);
	arena_free(&arena);
	return !s.is_declined;
}
