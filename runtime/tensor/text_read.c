/* .graph text as a graph; the form is described in graph.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rand.h"
#include "base/sx.h"
#include "base/vec.h"
#include "tenon/graph.h"
#include "tensor/data.h"

struct reader {
	struct sx_file file;
	struct tn_graph *g;
	struct map named;	/* name: node */
	struct tn_error *error;
};

static bool
bad(struct reader *r, const struct sx *at, const char *text)
{
	return sx_fail(&r->file, at, r->error, "%s", text);
}

/* ---- extents and types ----------------------------------------------------------------------------- */

static bool
read_dim(struct reader *r, const struct sx *s, tn_dim *out)
{
	struct tn_ctx *c = r->g->ctx;
	int64_t n;
	tn_dim d;
	uint32_t i;

	if (s->kind == SX_ATOM) {
		*out = sx_int(s, &n) ? n : tn_dim_sym(c, s->text);
		return true;
	}
	if (s->kind != SX_LIST || s->n < 3 || s->item[0].kind != SX_ATOM || !read_dim(r, &s->item[1], out))
		return bad(r, s, "an extent is a number, a name or (+ a b), (- a b), (* a b), (div a b)");
	for (i = 2; i < s->n; i++) {
		if (!read_dim(r, &s->item[i], &d))
			return false;
		if (sx_is(&s->item[0], "+"))
			*out = tn_dim_add(c, *out, d);
		else if (sx_is(&s->item[0], "-"))
			*out = tn_dim_sub(c, *out, d);
		else if (sx_is(&s->item[0], "*"))
			*out = tn_dim_mul(c, *out, d);
		else if (sx_is(&s->item[0], "div"))
			*out = tn_dim_div(c, *out, d);
		else
			return bad(r, &s->item[0], "there is no such operation on extents");
	}
	return true;
}

static bool
find_dtype(const struct sx *s, enum tn_dtype *type)
{
	static const char *const text[] = {
#define X(id, name, size, class) [TN_##id] = name,
		TN_DTYPES(X)
#undef X
	};
	int i;

	for (i = 0; i < TN_NDTYPES; i++)
		if (sx_is(s, text[i])) {
			*type = (enum tn_dtype)i;
			return true;
		}
	return false;
}

/* f32 [1 3 h w]: two items */
static bool
read_type(struct reader *r, const struct sx *form, uint32_t at, tn_type *type)
{
	struct tn_shape shape = {0};
	const struct sx *dims;
	uint32_t i;

	if (at + 1 >= form->n || !find_dtype(&form->item[at], &shape.dtype) || form->item[at + 1].kind != SX_BRACKET)
		return bad(r, form, "an element type and extents are wanted: f32 [1 3 h w]");
	dims = &form->item[at + 1];
	if (dims->n == 1 && sx_is(&dims->item[0], "?"))
		shape.rank = -1;
	else if (dims->n > TN_MAX_RANK)
		return bad(r, dims, "too many axes");
	else
		shape.rank = (int)dims->n;
	for (i = 0; shape.rank > 0 && i < dims->n; i++) {
		if (!read_dim(r, &dims->item[i], &shape.dim[i]))
			return false;
		if (tn_dim_is_num(shape.dim[i]) && shape.dim[i] < 0)
			return bad(r, &dims->item[i], "an extent is not negative");
	}
	*type = tn_type_make(r->g->ctx, &shape);
	return true;
}

/* ---- names -------------------------------------------------------------------------------------------- */

static bool
define(struct reader *r, const struct sx *name, uint32_t node)
{
	bool is_new;

	if (sx_is_list(name))
		return bad(r, name, "a name is wanted here");
	map_put(&r->named, name->text, name->n, node, &is_new);
	return is_new ? true : sx_fail(&r->file, name, r->error, "'%s' is defined already", name->text);
}

static bool
find(struct reader *r, const struct sx *name, uint32_t *node)
{
	uint32_t *n = sx_is_list(name) ? NULL : map_get(&r->named, name->text, name->n);

	if (!n)
		return sx_fail(&r->file, name, r->error, "nothing is called '%s' yet", sx_is_list(name) ? "(…" : name->text);
	*node = *n;
	return true;
}

/* ---- weights -------------------------------------------------------------------------------------------- */

static bool
read_number(struct reader *r, const struct sx *s, double *x)
{
	struct tn_number n;
	char *end;

	if (s->kind != SX_ATOM)
		return bad(r, s, "a number is wanted here");
	if (number_parse(s->text, s->n, &n)) {
		*x = tn_number_double(n);
		return true;
	}
	*x = strtod(s->text, &end);	/* digits enough to tell two floats apart may not fit an exact number */
	return end != s->text && !*end ? true : bad(r, s, "a number is wanted here");
}

static void
store(enum tn_dtype type, void *data, size_t i, double x)
{
	float f = (float)x;
	int32_t n = (int32_t)x;
	int64_t l = (int64_t)x;

	switch (type) {
	case TN_F32:
		memcpy((char *)data + 4 * i, &f, 4);
		break;
	case TN_F64:
		memcpy((char *)data + 8 * i, &x, 8);
		break;
	case TN_I32:
		memcpy((char *)data + 4 * i, &n, 4);
		break;
	case TN_I64:
		memcpy((char *)data + 8 * i, &l, 8);
		break;
	default:
		((unsigned char *)data)[i] = (unsigned char)n;
	}
}

/* elements of a type with numbers for extents; false, said, if there are too many or they have no text */
static bool
count_elements(struct reader *r, const struct sx *at, tn_type type, size_t *n, size_t *size)
{
	const struct tn_shape *t = tn_type_get(r->g->ctx, type);
	int64_t product = 1;
	int i;

	*size = t->dtype == TN_F32 || t->dtype == TN_I32 ? 4 : t->dtype == TN_F64 || t->dtype == TN_I64 ? 8 : t->dtype == TN_U8 ||
	    t->dtype == TN_BOOL ? 1 : 0;
	if (!*size)
		return bad(r, at, "weights of this element type have no text");
	for (i = 0; i < t->rank; i++)
		if (!tn_dim_is_num(t->dim[i]) || !num_mul(product, t->dim[i], &product) || product > INT64_C(1) << 31)
			return bad(r, at, "a weight's extents are numbers, and not that large");
	if (t->rank < 0)
		return bad(r, at, "a weight's extents are numbers");
	*n = (size_t)product;
	return true;
}

/* :data [ … ], :seed N (normal, times scale) or :fill X */
static bool
read_elements(struct reader *r, const struct sx *form, enum tn_dtype type, void *data, size_t n, double scale)
{
	const struct sx *key = form->n == 6 ? &form->item[4] : form, *value = form->n == 6 ? &form->item[5] : form;
	struct rng rng;
	size_t i;
	double x;
	int64_t seed;

	if (sx_is(key, ":left-out"))
		return bad(r, key, "the data of this weight was left out of the text");
	if (sx_is(key, ":seed") && sx_int(value, &seed)) {
		rng.state = (uint64_t)seed;
		for (i = 0; i < n; i++)
			store(type, data, i, scale * rng_normal(&rng));
		return true;
	}
	if (sx_is(key, ":fill")) {
		if (!read_number(r, value, &x))
			return false;
		for (i = 0; i < n; i++)
			store(type, data, i, x);
		return true;
	}
	if (!sx_is(key, ":data") || value->kind != SX_BRACKET || value->n != n)
		return bad(r, form, "a weight has :data [every element], :seed N or :fill X");
	for (i = 0; i < n; i++) {
		if (!read_number(r, &value->item[i], &x))
			return false;
		store(type, data, i, x);
	}
	return true;
}

/* deviation of a seeded weight that keeps the size of what passes a layer with relu: sqrt(2/n), n the
 * elements that make one output (He et al., Delving Deep into Rectifiers, 2015) */
static double
he_scale(const struct tn_shape *t)
{
	double n = 1;
	int i;

	for (i = 1; i < t->rank; i++)
		n *= (double)t->dim[i];
	return sqrt(2 / fmax(1, n));
}

static bool
read_weight(struct reader *r, const struct sx *form)
{
	struct tn_weight w = {.is_owned = true};
	size_t n = 0, size = 0;
	void *data;

	if (form->n < 4 || sx_is_list(&form->item[1]))
		return bad(r, form, "(weight NAME f32 [4 8] :seed 1) is wanted");
	if (!read_type(r, form, 2, &w.type) || !count_elements(r, form, w.type, &n, &size))
		return false;
	w.size_bytes = n * size;
	w.data = data = malloc(w.size_bytes ? w.size_bytes : 1);
	if (!data)
		mem_oom(w.size_bytes);
	if (!read_elements(r, form, tn_type_get(r->g->ctx, w.type)->dtype, data, n, he_scale(tn_type_get(r->g->ctx, w.type)))) {
		free(data);
		return false;
	}
	w.name = form->item[1].text;
	return define(r, &form->item[1], tn_graph_weight(r->g, &w));
}

/* ---- attributes ------------------------------------------------------------------------------------------- */

static bool
read_list(struct reader *r, const struct sx *s, struct tn_value *v)
{
	int64_t *list;
	uint32_t i;
	tn_dim d;

	if (s->kind != SX_BRACKET)
		return bad(r, s, "a list is wanted here");
	list = arena_array(&r->file.arena, s->n, sizeof *list);
	for (i = 0; i < s->n; i++) {
		if (!read_dim(r, &s->item[i], &d))
			return false;
		if (v->kind == TN_K_INTS && !tn_dim_is_num(d))
			return bad(r, &s->item[i], "a whole number is wanted here");
		list[i] = d;
	}
	v->n = s->n;
	v->u.list = list;
	return true;
}

static bool
read_value(struct reader *r, const struct tn_attr_decl *a, const struct sx *s, struct tn_value *v)
{
	enum tn_dtype type;
	int i;

	v->kind = (enum tn_kind)a->kind;
	switch (v->kind) {
	case TN_K_FLOAT:
		return read_number(r, s, &v->u.f);
	case TN_K_BOOL:
		v->u.i = sx_is(s, "true");
		return v->u.i || sx_is(s, "false") ? true : bad(r, s, "true or false is wanted here");
	case TN_K_STRING:
		v->u.s = sx_is_list(s) ? "" : tn_ctx_str(r->g->ctx, s->text, s->n);
		return s->kind == SX_STRING ? true : bad(r, s, "a string is wanted here");
	case TN_K_DTYPE:
		if (!find_dtype(s, &type))
			return bad(r, s, "an element type is wanted here");
		v->u.i = type;
		return true;
	case TN_K_ENUM:
		for (i = 0; i < a->enums->nvalue; i++)
			if (sx_is(s, a->enums->value[i])) {
				v->u.i = i;
				return true;
			}
		return sx_fail(&r->file, s, r->error, "a value of '%s' is wanted here", a->enums->name);
	case TN_K_INTS:
	case TN_K_DIMS:
		return read_list(r, s, v);
	case TN_K_DIM:
		return read_dim(r, s, &v->u.dim);
	default:
		return s->kind == SX_ATOM && sx_int(s, &v->u.i) ? true : bad(r, s, "a whole number is wanted here");
	}
}

/* :name VALUE … from item `at` on; the rest by default */
static bool
read_attrs(struct reader *r, const struct tn_op *op, const struct sx *form, uint32_t at, tn_attrs *attrs)
{
	tn_val *v = arena_array(&r->file.arena, (size_t)op->nattr + 1, sizeof *v);
	struct tn_value value = {0};
	int i;

	for (i = 0; i < op->nattr; i++)
		v[i] = attr_default(r->g->ctx, &op->attr[i]);
	for (; at < form->n; at += 2) {
		const struct sx *key = &form->item[at];

		for (i = 0; i < op->nattr; i++)
			if (key->kind == SX_ATOM && key->text[0] == ':' && strcmp(key->text + 1, op->attr[i].name) == 0)
				break;
		if (i == op->nattr || at + 1 == form->n)
			return sx_fail(&r->file, key, r->error, "'%s' has no such attribute, or it has no value", op->name);
		if (!read_value(r, &op->attr[i], &form->item[at + 1], &value))
			return false;
		v[i] = tn_val_make(r->g->ctx, &value);
	}
	for (i = 0; i < op->nattr; i++)
		if (v[i] == TN_NONE)
			return sx_fail(&r->file, form, r->error, "'%s' wants :%s", op->name, op->attr[i].name);
	*attrs = tn_attrs_make(r->g->ctx, v, op->nattr);
	return true;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

typedef VEC(uint32_t) ids;
#define NUMBER UINT32_MAX		/* an operand that is a number, until its shape is known */

static bool read_term(struct reader *, const struct sx *, uint32_t *node);

/* operands up to the first attribute; numbers are kept for later, when their shape is known */
static bool
read_operands(struct reader *r, const struct sx *form, uint32_t *at, ids *kid)
{
	uint32_t node;
	double x;

	for (*at = 1; *at < form->n; ++*at) {
		const struct sx *s = &form->item[*at];

		if (s->kind == SX_ATOM && s->text[0] == ':')
			break;
		if (s->kind == SX_ATOM && !map_get(&r->named, s->text, s->n) && (s->text[0] == '-' || (s->text[0] >= '0' && s->text[0] <= '9'))) {
			if (!read_number(r, s, &x))
				return false;
			vec_push(kid, NUMBER);
			continue;
		}
		if (!read_term(r, s, &node))
			return false;
		vec_push(kid, node);
	}
	return true;
}

/* give numbers and defaults the types their places give them */
static bool
fill_numbers(struct reader *r, const struct sx *form, const struct tn_op *op, tn_attrs attrs, ids *kid)
{
	tn_type *in;
	struct tn_infer s;
	uint32_t i, given = kid->n;
	double x;
	bool ok;

	while (op->nin && !op->in[op->nin - 1].is_variadic && (int)kid->n < op->nin && op->in[kid->n].has_default)
		vec_push(kid, NUMBER);
	in = mem_alloc(((size_t)kid->n + 1) * sizeof *in);
	for (i = 0; i < kid->n; i++)
		in[i] = kid->at[i] == NUMBER ? TN_NONE : r->g->node[kid->at[i]].type;
	s = (struct tn_infer){.ctx = r->g->ctx, .op = op, .nin = (int)kid->n, .in = in, .error = r->error, .keep_unknown = true};
	s.attrs = tn_attrs_normalise(r->g->ctx, op, attrs, in, s.nin);
	ok = s.attrs != TN_NONE && tn_infer_run(&s);
	if (!ok) {
		struct tn_error why = *r->error;

		sx_fail(&r->file, form, r->error, "%s", s.attrs == TN_NONE ? "an axis is out of range" : why.msg);
	}
	for (i = 0; ok && i < kid->n; i++) {
		if (kid->at[i] != NUMBER)
			continue;
		ok = i >= given || read_number(r, &form->item[1 + i], &x);
		if (i >= given)
			x = tn_number_double(op->in[i].init);
		if (ok)
			kid->at[i] = tn_graph_fill(r->g, x, in[i]);
	}
	mem_free(in);
	return ok;
}

/* (opaque x y 7), (result n5 0 f32 [1 h]) */
static bool
read_core(struct reader *r, const struct sx *form, uint32_t *node)
{
	uint32_t kid, i, n = form->n;
	ids kids = {0};
	int64_t number;
	tn_type type;
	bool ok = true;

	if (sx_is(&form->item[0], "result")) {
		if (n != 5 || !sx_int(&form->item[2], &number) || number < 0 || number > 1000000)
			return bad(r, form, "(result NODE NUMBER TYPE) is wanted");
		if (!find(r, &form->item[1], &kid) || !read_type(r, form, 3, &type))
			return false;
		if (r->g->node[kid].op != TN_OPAQUE)
			return bad(r, form, "only opaque operators have results");
		*node = tn_graph_result(r->g, kid, (int)number, type);
		return true;
	}
	if (n < 2 || !sx_int(&form->item[n - 1], &number) || number < 0 || number >= TN_NONE)
		return bad(r, form, "(opaque OPERAND … NUMBER) is wanted");
	for (i = 1; ok && i + 1 < n; i++) {
		ok = find(r, &form->item[i], &kid);
		if (ok)
			vec_push(&kids, kid);
	}
	if (ok)
		*node = tn_graph_opaque(r->g, kids.at, (int)kids.n, (uint32_t)number);
	vec_free(&kids);
	return ok;
}

static bool
read_operator(struct reader *r, const struct sx *form, uint32_t *node)
{
	unsigned number = sx_is_list(&form->item[0]) ? TN_NONE : tn_op_named(r->g->program, form->item[0].text);
	const struct tn_op *op;
	ids kid = {0};
	tn_attrs attrs = 0;
	uint32_t at;
	bool ok;

	if (number == TN_OPAQUE || number == TN_RESULT)
		return read_core(r, form, node);
	if (number == TN_NONE || number == TN_INPUT || number == TN_WEIGHT)
		return bad(r, form, "there is no such operator");
	op = &r->g->program->op[number];
	ok = read_operands(r, form, &at, &kid) && read_attrs(r, op, form, at, &attrs) && fill_numbers(r, form, op, attrs, &kid);
	if (ok) {
		*node = tn_graph_node(r->g, number, attrs, kid.at, (int)kid.n, TN_NONE, r->error);
		ok = *node != TN_NONE;
	}
	vec_free(&kid);
	return ok;
}

static bool
read_term(struct reader *r, const struct sx *s, uint32_t *node)
{
	if (s->kind == SX_LIST && s->n)
		return read_operator(r, s, node);
	return find(r, s, node);
}

static bool
read_form(struct reader *r, const struct sx *form)
{
	uint32_t node;
	tn_type type;

	if (form->kind != SX_LIST || form->n < 2)
		return bad(r, form, "(input …), (weight …), (let …) or (output …) is wanted");
	if (sx_is(&form->item[0], "input")) {
		if (form->n != 4 || sx_is_list(&form->item[1]))
			return bad(r, form, "(input NAME f32 [1 3 h w]) is wanted");
		return read_type(r, form, 2, &type) && define(r, &form->item[1], tn_graph_input(r->g, form->item[1].text, type));
	}
	if (sx_is(&form->item[0], "weight"))
		return read_weight(r, form);
	if (sx_is(&form->item[0], "let"))
		return form->n != 3 ? bad(r, form, "(let NAME TERM) is wanted")
		    : read_term(r, &form->item[2], &node) && define(r, &form->item[1], node);
	if (sx_is(&form->item[0], "output")) {
		const struct sx *name = &form->item[form->n == 3 ? 2 : 1];

		if (form->n > 3 || sx_is_list(name))
			return bad(r, form, "(output NODE) or (output NODE NAME) is wanted");
		if (!find(r, &form->item[1], &node))
			return false;
		tn_graph_output(r->g, name->text, node);
		return true;
	}
	return bad(r, form, "(input …), (weight …), (let …) or (output …) is wanted");
}

struct tn_graph *
tn_graph_read(struct tn_ctx *ctx, const struct tn_program *program, const char *path, struct tn_error *e)
{
	struct tn_error unused;
	struct reader r = {.error = e ? e : &unused};
	const struct sx *form;
	bool ok = true;
	uint32_t i;

	if (!sx_read(&r.file, path, r.error))
		return NULL;
	form = r.file.top.n == 1 ? &r.file.top.item[0] : &r.file.top;
	r.g = tn_graph_new(ctx, program, form->n > 1 && form != &r.file.top && !sx_is_list(&form->item[1]) ? form->item[1].text : "");
	if (form == &r.file.top || form->kind != SX_LIST || form->n < 2 || !sx_is(&form->item[0], "graph"))
		ok = bad(&r, form, "a file holds one (graph NAME …)");
	for (i = 2; ok && i < form->n; i++)
		ok = read_form(&r, &form->item[i]);
	if (ok && !r.g->noutput)
		ok = bad(&r, form, "a graph has an output");
	map_free(&r.named);
	sx_free(&r.file);
	if (ok)
		return r.g;
	tn_graph_free(r.g);
	return NULL;
}
