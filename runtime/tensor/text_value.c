/* What stands in the forms of .graph text: extents, types, numbers, elements, attributes. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/rand.h"
#include "tensor/at.h"
#include "tensor/data.h"
#include "tensor/element.h"
#include "tensor/text.h"

enum { LARGEST = 1 << 30 };		/* bytes of a weight */

bool
text_bad(struct text_reader *r, const struct sx *at, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return sx_fail(&r->file, at, r->error, "%s", text);
}

/* ---- extents and types ----------------------------------------------------------------------------- */

static tn_dim
operate(struct tn_ctx *c, const char *name, tn_dim a, tn_dim b, bool *is_known)
{
	static const struct {
		const char *name;
		tn_dim (*of)(struct tn_ctx *, tn_dim, tn_dim);
	} table[] = {
		{"+", tn_dim_add}, {"-", tn_dim_sub}, {"*", tn_dim_mul}, {"div", tn_dim_div}, {"mod", tn_dim_mod},
		{"ceil-div", tn_dim_ceildiv}, {"max", tn_dim_max}, {"min", tn_dim_min},
	};
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].of(c, a, b);
	*is_known = false;
	return TN_DIM_BAD;
}

static bool
read_dim(struct text_reader *r, const struct sx *s, tn_dim *out)
{
	bool is_known = true;
	int64_t n;
	tn_dim d;
	uint32_t i;

	if (s->kind == SX_ATOM && sx_int(s, &n)) {
		*out = n;
		return tn_dim_is_num(n) || text_bad(r, s, "an extent of %s is too large", s->text);
	}
	if ((s->kind == SX_ATOM && !text_is_number(s)) || s->kind == SX_STRING) {
		*out = tn_dim_sym(r->g->ctx, s->text);
		return true;
	}
	if (s->kind != SX_LIST || s->n < 2 || s->item[0].kind != SX_ATOM || (s->n == 2 && !sx_is(&s->item[0], "-")))
		return text_bad(r, s, "an extent is a number, a name, or made of such: (+ 1 (div h 2))");
	if (!read_dim(r, &s->item[1], out))
		return false;
	if (s->n == 2)
		*out = tn_dim_sub(r->g->ctx, 0, *out);
	for (i = 2; i < s->n; i++) {
		if (!read_dim(r, &s->item[i], &d))
			return false;
		*out = operate(r->g->ctx, s->item[0].text, *out, d, &is_known);
	}
	if (!is_known)
		return text_bad(r, &s->item[0], "'%s' is no operation on extents", s->item[0].text);
	return *out != TN_DIM_BAD || text_bad(r, s, "this extent cannot be computed");
}

static bool
find_dtype(const struct sx *s, enum tn_dtype *type)
{
	*type = s->kind == SX_ATOM ? dtype_named(s->text) : TN_UNTYPED;
	return *type != TN_UNTYPED;
}

bool
text_type(struct text_reader *r, const struct sx *form, uint32_t at, tn_type *type)
{
	struct tn_shape shape = {0};
	const struct sx *dims;
	uint32_t i;

	if (at + 1 >= form->n || !find_dtype(&form->item[at], &shape.dtype) || form->item[at + 1].kind != SX_BRACKET)
		return text_bad(r, at < form->n ? &form->item[at] : form, "an element type and extents are wanted: f32 [1 3 h w]");
	dims = &form->item[at + 1];
	if (dims->n > TN_MAX_RANK)
		return text_bad(r, dims, "%u axes: at most %d are possible", dims->n, TN_MAX_RANK);
	shape.rank = dims->n == 1 && sx_is(&dims->item[0], "?") ? -1 : (int)dims->n;
	for (i = 0; (int)i < shape.rank; i++) {
		if (!read_dim(r, &dims->item[i], &shape.dim[i]))
			return false;
		if (tn_dim_lt(r->g->ctx, shape.dim[i], 0) == TN_TRUE)
			return text_bad(r, &dims->item[i], "an extent is not negative");
	}
	*type = tn_type_make(r->g->ctx, &shape);
	return true;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

bool
text_is_number(const struct sx *s)
{
	return s->kind == SX_ATOM && sx_is_number_text(s->text, s->n);
}

bool
text_number(struct text_reader *r, const struct sx *s, double *x)
{
	struct tn_number n;
	char *end;

	if (s->kind == SX_ATOM && number_parse(s->text, s->n, &n)) {
		*x = copysign(tn_number_double(n), *s->text == '-' ? -1 : 1);	/* -0 is not 0 */
		return true;
	}
	/* digits enough to tell two floats apart may not fit an exact number */
	if (text_is_number(s) || sx_is(s, "nan") || sx_is(s, "-nan")) {
		*x = strtod(s->text, &end);
		if (end != s->text && !*end)
			return true;
	}
	return text_bad(r, s, "a number is wanted here");
}

/* ---- elements ------------------------------------------------------------------------------------------- */

/* a whole number of 64 bits, exactly */
static bool
long_element(struct text_reader *r, const struct sx *s, enum tn_dtype type, char *to)
{
	unsigned long long u;
	char *end;
	int64_t i;

	if (type == TN_I64) {
		if (!sx_int(s, &i))
			return text_bad(r, s, "a whole number of 64 bits is wanted here");
		memcpy(to, &i, sizeof i);
		return true;
	}
	errno = 0;
	u = s->kind == SX_ATOM && *s->text >= '0' && *s->text <= '9' ? strtoull(s->text, &end, 10) : (errno = ERANGE, end = "", 0);
	if (errno || *end)
		return text_bad(r, s, "a whole number of 64 bits is wanted here, at least 0");
	memcpy(to, &u, sizeof u);
	return true;
}

static bool
element(struct text_reader *r, const struct sx *s, enum tn_dtype type, char *to)
{
	double x;

	if (type == TN_I64 || type == TN_U64)
		return long_element(r, s, type, to);
	if (!text_number(r, s, &x))
		return false;
	if (!dtype_is_float(type) && element_round(type, x) != x)
		return text_bad(r, s, "an element of type %s cannot be %s", dtype_name(type), s->text);
	element_store(type, &x, 1, to);
	return true;
}

/*
 * Deviation of a seeded weight that keeps the size of what passes a layer with relu: sqrt(2/n), n the
 * elements that make one output (He et al., Delving Deep into Rectifiers, 2015).
 */
static double
he_scale(const struct tn_shape *t)
{
	double n = 1;
	int i;

	for (i = 1; i < t->rank; i++)
		n *= (double)t->dim[i];
	return sqrt(2 / fmax(1, n));
}

static void
draw_between(enum tn_dtype type, int64_t seed, double low, double high, size_t n, char *to)
{
	enum { BLOCK = 512 };
	size_t size = dtype_size(type), i, k, many;
	struct rng rng = {(uint64_t)seed};
	double x[BLOCK];

	for (i = 0; i < n; i += many) {
		many = n - i < BLOCK ? n - i : BLOCK;
		for (k = 0; k < many; k++)
			x[k] = low + (high - low) * rng_unit(&rng);
		element_store(type, x, many, to + i * size);
	}
}

/* Only the deviation matters, so floats are uniform: a normal one takes ten times as long. */
static void
draw(const struct tn_shape *t, int64_t seed, size_t n, char *to)
{
	double x, most = sqrt(3) * he_scale(t);
	size_t i, size = dtype_size(t->dtype);
	struct rng rng = {(uint64_t)seed};

	if (dtype_is_float(t->dtype)) {
		draw_between(t->dtype, seed, -most, most, n, to);
		return;
	}
	for (i = 0; i < n; i++) {
		x = rng_below(&rng, 2);
		element_store(t->dtype, &x, 1, to + i * size);
	}
}

/* :seed 7, or :seed 7 :between [0.5 1.5] for floats; kept as text, to be written again */
static bool
seed_elements(struct text_reader *r, const struct sx *form, uint32_t at, const struct tn_shape *t, size_t n, struct tn_weight *w)
{
	const struct sx *bounds = &form->item[at + 3];
	double low, high;
	char text[128];
	int64_t seed;

	if (!sx_int(&form->item[at + 1], &seed))
		return text_bad(r, &form->item[at + 1], "a seed is a whole number");
	if (form->n == at + 2) {
		draw(t, seed, n, (char *)w->data);
		snprintf(text, sizeof text, ":seed %" PRId64, seed);
	} else {
		if (!sx_is(&form->item[at + 2], ":between") || bounds->kind != SX_BRACKET || bounds->n != 2 || !dtype_is_float(t->dtype))
			return text_bad(r, &form->item[at + 2], "after a seed of floats :between [LOW HIGH] may stand");
		if (!text_number(r, &bounds->item[0], &low) || !text_number(r, &bounds->item[1], &high))
			return false;
		if (!isfinite(low) || !isfinite(high))
			return text_bad(r, bounds, "the bounds of random numbers are finite");
		draw_between(t->dtype, seed, low, high, n, (char *)w->data);
		snprintf(text, sizeof text, ":seed %" PRId64 " :between [%.17g %.17g]", seed, low, high);
	}
	w->seed = tn_ctx_str(r->g->ctx, text, strlen(text));
	return true;
}

static bool
fill_elements(struct text_reader *r, const struct sx *key, const struct sx *value, const struct tn_shape *t, size_t n, char *to)
{
	size_t i, size = dtype_size(t->dtype);

	if (sx_is(key, ":fill")) {
		for (i = 0; i < n; i++)
			if (!element(r, value, t->dtype, to + i * size))
				return false;
		return true;
	}
	if (sx_is(key, ":left-out"))
		return text_bad(r, key, "the elements of this weight were left out of the text");
	if (!sx_is(key, ":data") || value->kind != SX_BRACKET)
		return text_bad(r, key, "a weight has :data [ELEMENT …], :seed N or :fill X");
	if (value->n != n)
		return text_bad(r, value, "found %u elements where %zu are wanted", value->n, n);
	for (i = 0; i < n; i++)
		if (!element(r, &value->item[i], t->dtype, to + i * size))
			return false;
	return true;
}

bool
text_elements(struct text_reader *r, const struct sx *form, uint32_t at, struct tn_weight *w)
{
	const struct tn_shape *t = tn_type_get(r->g->ctx, w->type);
	size_t size = dtype_size(t->dtype);
	bool is_seeded;
	int64_t n;
	char *data;
	int i;

	for (i = 0; i < t->rank; i++)
		if (!tn_dim_is_num(t->dim[i]))
			return text_bad(r, form, "a weight's extents are numbers");
	if (t->rank < 0 || !size)
		return text_bad(r, form, "a weight has extents, and elements that are numbers");
	if (!at_count(t->rank, t->dim, &n) || n > LARGEST / (int64_t)size)
		return text_bad(r, form, "a weight has at most %d bytes", LARGEST);
	is_seeded = form->n > at && sx_is(&form->item[at], ":seed");
	if (form->n != at + 2 && !(is_seeded && form->n == at + 4))
		return text_bad(r, form, "a weight has :data [ELEMENT …], :seed N or :fill X");
	w->size_bytes = (size_t)n * size;
	data = malloc(w->size_bytes + 1);
	if (!data)
		mem_oom(w->size_bytes);
	w->data = data;
	w->is_owned = true;
	if (is_seeded ? seed_elements(r, form, at, t, (size_t)n, w)
	    : fill_elements(r, &form->item[at], &form->item[at + 1], t, (size_t)n, data))
		return true;
	free(data);
	return false;
}

/* ---- attributes ------------------------------------------------------------------------------------------- */

static bool
list_value(struct text_reader *r, const struct sx *s, const struct tn_attr_decl *a, struct tn_value *v)
{
	int64_t *list;
	uint32_t i;

	if (s->kind != SX_BRACKET)
		return text_bad(r, s, ":%s takes a list: [1 2]", a->name);
	if (a->nelem && s->n != (uint32_t)a->nelem)
		return text_bad(r, s, ":%s takes %d numbers: found %u", a->name, a->nelem, s->n);
	list = arena_array(&r->file.arena, (size_t)s->n + 1, sizeof *list);
	for (i = 0; i < s->n; i++) {
		if (!read_dim(r, &s->item[i], &list[i]))
			return false;
		if (a->kind == TN_K_INTS && !tn_dim_is_num(list[i]))
			return text_bad(r, &s->item[i], ":%s takes whole numbers", a->name);
	}
	v->n = s->n;
	v->u.list = list;
	return true;
}

static bool
enum_value(struct text_reader *r, const struct sx *s, const struct tn_attr_decl *a, struct tn_value *v)
{
	for (v->u.i = 0; v->u.i < a->enums->nvalue; v->u.i++)
		if (sx_is(s, a->enums->value[v->u.i]))
			return true;
	return text_bad(r, s, ":%s takes a value of '%s'", a->name, a->enums->name);
}

static bool
attr_value(struct text_reader *r, const struct sx *s, const struct tn_attr_decl *a, struct tn_value *v)
{
	enum tn_dtype type = TN_UNTYPED;

	*v = (struct tn_value){.kind = (enum tn_kind)a->kind};
	switch (v->kind) {
	case TN_K_FLOAT:
		return text_number(r, s, &v->u.f);
	case TN_K_BOOL:
		v->u.i = sx_is(s, "true");
		return v->u.i || sx_is(s, "false") || text_bad(r, s, ":%s is true or false", a->name);
	case TN_K_STRING:
		v->u.s = s->kind == SX_STRING ? s->text : "";
		return s->kind == SX_STRING || text_bad(r, s, ":%s takes a string", a->name);
	case TN_K_DTYPE:
		if (!find_dtype(s, &type))
			return text_bad(r, s, ":%s takes an element type", a->name);
		v->u.i = type;
		return true;
	case TN_K_ENUM:
		return enum_value(r, s, a, v);
	case TN_K_INTS:
	case TN_K_DIMS:
		return list_value(r, s, a, v);
	case TN_K_DIM:
		return read_dim(r, s, &v->u.dim);
	default:
		return sx_int(s, &v->u.i) || text_bad(r, s, ":%s takes a whole number", a->name);
	}
}

/* the attribute that the key names; -1, said: none */
static int
find_attr(struct text_reader *r, const struct tn_op *op, const struct sx *key)
{
	int i;

	for (i = 0; i < op->nattr; i++)
		if (key->kind == SX_ATOM && key->text[0] == ':' && strcmp(key->text + 1, op->attr[i].name) == 0)
			return i;
	text_bad(r, key, "'%s' has no attribute %s", op->name, key->kind == SX_ATOM ? key->text : "here");
	return -1;
}

bool
text_attrs(struct text_reader *r, const struct tn_op *op, const struct sx *form, uint32_t at, tn_attrs *attrs)
{
	tn_val *v = arena_array(&r->file.arena, (size_t)op->nattr + 1, sizeof *v);
	struct tn_value value;
	int i;

	for (i = 0; i < op->nattr; i++)
		v[i] = attr_default(r->g->ctx, &op->attr[i]);
	for (; at < form->n; at += 2) {
		if ((i = find_attr(r, op, &form->item[at])) < 0)
			return false;
		if (at + 1 == form->n)
			return text_bad(r, &form->item[at], "%s has no value", form->item[at].text);
		if (!attr_value(r, &form->item[at + 1], &op->attr[i], &value))
			return false;
		v[i] = tn_val_make(r->g->ctx, &value);
	}
	for (i = 0; i < op->nattr; i++)
		if (v[i] == TN_NONE)
			return text_bad(r, form, "'%s' wants :%s", op->name, op->attr[i].name);
	*attrs = tn_attrs_make(r->g->ctx, v, op->nattr);
	return true;
}
