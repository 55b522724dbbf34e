/*
 * TENSAT's operators as those of rules/tensor.rules.
 *
 *	(matmul ACT a b)			(concat AXIS RANK a b)
 *	(conv2d STRIDE STRIDE PAD ACT x w)	(split_0 (split AXIS a)), (split_1 …)
 *	(ewadd a b) (ewmul a b)			(relu a) (sigmoid a) (tanh a)
 *
 * ACT 0 to 3: none, sigmoid, relu, tanh.  PAD 0: the size stays (stride 1 only), 1: none.  Where a tensor
 * splits its text does not say: there, where the concat that it comes from joined it.  Nor does it say
 * groups: one is taken, for which all its laws were meant to hold.
 */
#include <string.h>

#include "cmd/import.h"

static bool
wrong(struct import *m, const struct sx *at, const char *text)
{
	return sx_fail(m->file, at, m->error, "%s", text);
}

static bool
is_op(const struct sx *t, const char *name, uint32_t operands)
{
	return t->kind == SX_LIST && t->n == operands + 1 && sx_is(&t->item[0], name);
}

static bool
is_variable(const struct sx *t)
{
	return t->kind == SX_ATOM && t->text[0] == '?' && t->n > 1;
}

static bool
number(struct import *m, const struct sx *t, int64_t least, int64_t most, int64_t *n)
{
	return (t->kind == SX_ATOM && sx_int(t, n) && *n >= least && *n <= most) || wrong(m, t, "another number is wanted here");
}

/* the variable that stands first in a term: it has the term's rank */
static const struct sx *
first_variable(const struct sx *t)
{
	uint32_t i;
	const struct sx *v = NULL;

	if (is_variable(t))
		return t;
	for (i = 1; !v && t->kind == SX_LIST && i < t->n; i++)
		v = first_variable(&t->item[i]);
	return v;
}

static bool
put_act(struct import *m, const struct sx *t, struct buf *out)
{
	static const char *const act[] = {"none", "sigmoid", "relu", "tanh"};
	int64_t n;

	if (!number(m, t, 0, 3, &n))
		return false;
	buf_printf(out, " :act %s", act[n]);
	return true;
}

/* operands from item `at` on */
static bool
put_operands(struct import *m, const struct sx *t, uint32_t at, struct buf *out)
{
	for (; at < t->n; at++) {
		buf_putc(out, ' ');
		if (!tensat_term(m, &t->item[at], out))
			return false;
	}
	return true;
}

static bool
put_conv(struct import *m, const struct sx *t, struct buf *out)
{
	int64_t sh, sw, pad;

	if (!number(m, &t->item[1], 1, 1024, &sh) || !number(m, &t->item[2], 1, 1024, &sw) || !number(m, &t->item[3], 0, 1, &pad))
		return false;
	if (pad == 0 && (sh != 1 || sw != 1))
		return wrong(m, t, "padding that depends on the size is read for stride 1 only");
	if (m->is_left && !m->kernel && is_variable(&t->item[6]))
		m->kernel = &t->item[6];
	m->is_same |= pad == 0;
	buf_puts(out, "(conv2d");
	if (!put_operands(m, t, 5, out))
		return false;
	buf_printf(out, " :strides [%lld %lld] :pads %s", (long long)sh, (long long)sw, pad ? "[0 0 0 0]" : "[$p $q $p $q]");
	if (!put_act(m, &t->item[4], out))
		return false;
	buf_puts(out, ")");
	return true;
}

static bool
put_concat(struct import *m, const struct sx *t, struct buf *out)
{
	const struct sx *v = first_variable(t);
	int64_t axis, rank;

	if (!number(m, &t->item[1], 0, 7, &axis) || !number(m, &t->item[2], 1, 8, &rank))
		return false;
	if (m->is_left && v)
		buf_printf(&m->guards, " (= %lld (rank %s))", (long long)rank, v->text);
	buf_puts(out, "(concat");
	if (!put_operands(m, t, 3, out))
		return false;
	buf_printf(out, " :axis %lld)", (long long)axis);
	return true;
}

/* the variable, and its axis, after which the term's axis is split */
static bool
find_joint(struct import *m, const struct sx *t, int64_t *axis, const struct sx **v)
{
	int64_t n;

	if (is_op(t, "concat", 4) && sx_int(&t->item[1], &n) && n == *axis && is_variable(&t->item[3])) {
		*v = &t->item[3];
		return true;
	}
	if (is_op(t, "relu", 1) || is_op(t, "sigmoid", 1) || is_op(t, "tanh", 1) || is_op(t, "ewadd", 2) || is_op(t, "ewmul", 2))
		return find_joint(m, &t->item[1], axis, v);
	if (is_op(t, "matmul", 3) && *axis <= 1)
		return find_joint(m, &t->item[2 + *axis], axis, v);
	if (is_op(t, "conv2d", 6) && *axis <= 1) {
		n = *axis;
		*axis = 0;
		return find_joint(m, &t->item[5 + n], axis, v);
	}
	return wrong(m, t, "where this is split is not known: no concat of variables along the axis");
}

/* the number of the let that a term has, made if it had none */
static bool
share(struct import *m, const struct sx *t, uint32_t *i)
{
	struct buf a = {0}, b = {0};
	bool ok = tensat_term(m, t, &a), same = false;

	for (*i = 0; ok && !same && *i < m->shared.n; *i += !same) {
		b.n = 0;
		ok = tensat_term(m, m->shared.at[*i], &b);
		same = ok && strcmp(a.at, b.at) == 0;
	}
	if (ok && !same) {
		vec_push(&m->shared, t);
		buf_printf(&m->lets, "\n  (let ?y%u %s)", *i, a.at);
	}
	buf_free(&a);
	buf_free(&b);
	return ok;
}

static bool
put_split(struct import *m, const struct sx *t, bool is_second, struct buf *out)
{
	const struct sx *split = &t->item[1], *v;
	int64_t axis, joint;
	uint32_t y;

	if (m->is_left || !is_op(split, "split", 2))
		return wrong(m, t, "split_0 and split_1 of (split AXIS TERM) are read on the right side only");
	if (!number(m, &split->item[1], 0, 7, &axis))
		return false;
	joint = axis;
	if (!find_joint(m, &split->item[2], &joint, &v) || !share(m, &split->item[2], &y))
		return false;
	buf_printf(out, is_second ? "(slice ?y%u :axis %lld :from (dim %s %lld) :to (dim ?y%u %lld))"
	    : "(slice ?y%u :axis %lld :from 0 :to (dim %s %lld))", y, (long long)axis, v->text, (long long)joint, y, (long long)axis);
	return true;
}

bool
tensat_term(struct import *m, const struct sx *t, struct buf *out)
{
	static const struct {
		const char *name, *as;
		uint32_t operands;
	} plain[] = {{"ewadd", "add", 2}, {"ewmul", "mul", 2}, {"relu", "relu", 1}, {"sigmoid", "sigmoid", 1}, {"tanh", "tanh", 1}};
	size_t i;

	if (is_variable(t)) {
		buf_puts(out, t->text);
		return true;
	}
	for (i = 0; i < sizeof plain / sizeof *plain; i++)
		if (is_op(t, plain[i].name, plain[i].operands)) {
			buf_printf(out, "(%s", plain[i].as);
			if (!put_operands(m, t, 1, out))
				return false;
			buf_putc(out, ')');
			return true;
		}
	if (is_op(t, "matmul", 3)) {
		buf_puts(out, "(matmul");
		if (!put_operands(m, t, 2, out) || !put_act(m, &t->item[1], out))
			return false;
		buf_putc(out, ')');
		return true;
	}
	if (is_op(t, "conv2d", 6))
		return put_conv(m, t, out);
	if (is_op(t, "concat", 4))
		return put_concat(m, t, out);
	if (is_op(t, "split_0", 1) || is_op(t, "split_1", 1))
		return put_split(m, t, t->item[0].text[6] == '1', out);
	return wrong(m, t, "this operator, with so many operands, is none that is read");
}
