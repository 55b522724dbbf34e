/*
 * Attribute values and records, interned: equal values are one handle.
 *
 * A value's key is its kind and length and then its number, its text or its list.  Floats are rounded
 * to f32 and told apart by their bits, so that 0 and -0 are two values and all NaNs one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/sx.h"
#include "tensor/ctx.h"
#include "tensor/print.h"

/* x as f32 holds it */
static double
round_float(double x)
{
	return isnan(x) ? (double)NAN : (double)(float)x;
}

static bool
is_list(const struct tn_value *v)
{
	return v->kind == TN_K_INTS || v->kind == TN_K_DIMS;
}

/* kind, length, number or list or text */
static void
put_key(struct buf *key, const struct tn_value *v)
{
	buf_put(key, &v->kind, sizeof v->kind);
	buf_put(key, &v->n, sizeof v->n);
	if (is_list(v))
		buf_put(key, v->u.list, v->n * sizeof *v->u.list);
	else if (v->kind == TN_K_STRING)
		buf_puts(key, v->u.s);
	else if (v->kind == TN_K_FLOAT)
		buf_put(key, &v->u.f, sizeof v->u.f);
	else
		buf_put(key, &v->u.i, sizeof v->u.i);
}

tn_val
tn_val_make(struct tn_ctx *c, const struct tn_value *value)
{
	struct tn_value v = *value, *copy;
	struct buf key = {0};
	tn_val at;

	if (!is_list(&v))
		v.n = 0;
	if (v.kind == TN_K_FLOAT)
		v.u.f = round_float(v.u.f);
	put_key(&key, &v);
	if ((at = pool_find(&c->val, key.at, key.n)) == TN_NONE) {
		copy = arena_dup(&c->arena, &v, sizeof v);
		if (is_list(&v))
			copy->u.list = arena_dup(&c->arena, v.u.list, v.n * sizeof *v.u.list);
		else if (v.kind == TN_K_STRING)
			copy->u.s = tn_ctx_str(c, v.u.s, strlen(v.u.s));
		at = pool_put(&c->val, key.at, key.n, copy);
	}
	buf_free(&key);
	return at;
}

const struct tn_value *
tn_val_get(const struct tn_ctx *c, tn_val v)
{
	return c->val.at.at[v];
}

/* place of an f32 on the line of all of them */
static int64_t
float_place(double x)
{
	float f = (float)x;
	int32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

bool
tn_float_near(double a, double b, bool exact)
{
	int64_t apart;

	if (a == b)
		return true;
	if (exact || !isfinite((float)a) || !isfinite((float)b))
		return false;
	apart = float_place(a) - float_place(b);
	return apart >= -2 && apart <= 2;
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* the shortest decimal that f32 reads as x */
static void
put_float(struct buf *b, double x)
{
	char text[32];
	int digits;

	if (isinf(x)) {
		buf_puts(b, x < 0 ? "-inf" : "inf");
		return;
	}
	for (digits = 1; digits <= 9; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if ((double)strtof(text, NULL) == x)
			break;
	}
	buf_puts(b, text);
}

static void
print_dim(struct buf *b, const struct tn_ctx *c, tn_dim d)
{
	size_t len = tn_dim_print(c, d, NULL, 0);
	char *text = mem_alloc(len + 1);

	tn_dim_print(c, d, text, len + 1);
	buf_puts(b, text);
	mem_free(text);
}

static void
put_list(struct buf *b, const struct tn_ctx *c, const struct tn_value *v)
{
	uint32_t i;

	buf_putc(b, '[');
	for (i = 0; i < v->n; i++) {
		if (i)
			buf_putc(b, ' ');
		if (v->kind == TN_K_DIMS)
			print_dim(b, c, v->u.list[i]);
		else
			buf_printf(b, "%" PRId64, v->u.list[i]);
	}
	buf_putc(b, ']');
}

void
print_val(struct buf *b, const struct tn_ctx *c, const struct tn_enum *enums, tn_val val)
{
	const struct tn_value *v = tn_val_get(c, val);

	switch (v->kind) {
	case TN_K_FLOAT:
		put_float(b, v->u.f);
		break;
	case TN_K_BOOL:
		buf_puts(b, v->u.i ? "true" : "false");
		break;
	case TN_K_STRING:
		sx_put_string(b, v->u.s, strlen(v->u.s));
		break;
	case TN_K_DTYPE:
		buf_puts(b, dtype_name(v->u.i > 0 && v->u.i < TN_NDTYPES ? (enum tn_dtype)v->u.i : TN_UNTYPED));
		break;
	case TN_K_INTS:
	case TN_K_DIMS:
		put_list(b, c, v);
		break;
	case TN_K_DIM:
		print_dim(b, c, v->u.dim);
		break;
	case TN_K_ENUM:
		if (enums && v->u.i >= 0 && v->u.i < enums->nvalue) {
			buf_puts(b, enums->value[v->u.i]);
			break;
		}
		/* fall through */
	default:
		buf_printf(b, "%" PRId64, v->u.i);
	}
}

void
print_type(struct buf *b, const struct tn_ctx *c, tn_type type)
{
	const struct tn_shape *t = tn_type_get(c, type);
	int i;

	buf_printf(b, "%s [", dtype_name(t->dtype));
	if (t->rank < 0)
		buf_putc(b, '?');
	for (i = 0; i < t->rank; i++) {
		if (i)
			buf_putc(b, ' ');
		print_dim(b, c, t->dim[i]);
	}
	buf_putc(b, ']');
}

/* the text into out, cut to size; its full length */
static size_t
hand_out(struct buf *b, char *out, size_t size)
{
	size_t n = b->n;

	snprintf(out, size, "%s", b->at);
	buf_free(b);
	return n;
}

size_t
tn_val_print(const struct tn_ctx *c, const struct tn_enum *enums, tn_val v, char *out, size_t size)
{
	struct buf b = {0};

	print_val(&b, c, enums, v);
	return hand_out(&b, out, size);
}

size_t
tn_type_print(const struct tn_ctx *c, tn_type type, char *out, size_t size)
{
	struct buf b = {0};

	print_type(&b, c, type);
	return hand_out(&b, out, size);
}

/* ---- records ------------------------------------------------------------------------------------------- */

tn_attrs
tn_attrs_make(struct tn_ctx *c, const tn_val v[], int n)
{
	size_t size = (size_t)n * sizeof *v;
	struct record *r;
	tn_attrs at;

	if (n == 0 && c->attrs.at.n > 0)
		return 0;
	if ((at = pool_find(&c->attrs, v, size)) != TN_NONE)
		return at;
	r = arena_new(&c->arena, struct record);
	*r = (struct record){(uint32_t)n, arena_dup(&c->arena, v, size)};
	return pool_put(&c->attrs, v, size, r);
}

const tn_val *
tn_attrs_get(const struct tn_ctx *c, tn_attrs a, int *n)
{
	const struct record *r = c->attrs.at.at[a];

	if (n)
		*n = (int)r->n;
	return r->val;
}

tn_attrs
tn_attrs_with(struct tn_ctx *c, tn_attrs a, int i, tn_val v)
{
	const struct record *r = c->attrs.at.at[a];
	tn_val small[16], *copy = r->n <= 16 ? small : mem_alloc(r->n * sizeof *copy);

	memcpy(copy, r->val, r->n * sizeof *copy);
	copy[i] = v;
	a = tn_attrs_make(c, copy, (int)r->n);
	if (copy != small)
		mem_free(copy);
	return a;
}
