/* Inputs that are given; see given.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/mem.h"
#include "base/rand.h"
#include "cmd/given.h"

/* the input that the text before a '=' names, and what follows it; NULL: none, said */
static const char *
find_input(const struct tn_graph *g, const char *text, uint32_t *input, struct tn_error *e)
{
	size_t n;

	for (*input = 0; *input < g->ninput; ++*input) {
		n = strlen(g->input[*input].name);
		if (strncmp(text, g->input[*input].name, n) == 0 && text[n] == '=')
			return text + n + 1;
	}
	if (strchr(text, '='))
		tn_fail(e, TN_E_IO, "--input %s: the model has no input of this name", text);
	else
		tn_fail(e, TN_E_IO, "--input %s: NAME=VALUE is wanted", text);
	return NULL;
}

/* ";x=1,3,48,192" for a file's shape */
static void
put_sizes(struct given *v, const char *name, const struct tn_array *a)
{
	int i;

	buf_printf(&v->at, "%s%s=", v->at.n ? ";" : "", name);
	for (i = 0; i < a->rank; i++)
		buf_printf(&v->at, "%s%" PRId64, i ? "," : "", a->dim[i]);
}

static bool
is_file(const char *text)
{
	size_t n = strlen(text);

	return n > 4 && strcmp(text + n - 4, ".npy") == 0;
}

/* is the file's array one for the input, at some size? */
static bool
fits(const struct tn_graph *g, uint32_t input, const char *path, const struct tn_array *a, struct tn_error *e)
{
	const struct tn_shape *s = tn_type_get(g->ctx, g->input[input].type);
	const char *name = g->input[input].name;
	int i;

	if (a->dtype != s->dtype)
		return tn_fail(e, TN_E_INPUT, "--input %s: %s holds %s, and the model wants %s", name, path, dtype_name(a->dtype),
		    dtype_name(s->dtype));
	if (s->rank >= 0 && a->rank != s->rank)
		return tn_fail(e, TN_E_INPUT, "--input %s: %s has %d axes, and the model wants %d", name, path, a->rank, s->rank);
	for (i = 0; i < s->rank; i++) {
		if (tn_dim_is_num(s->dim[i]) && s->dim[i] != a->dim[i])
			return tn_fail(e, TN_E_INPUT, "--input %s: axis %d of %s is %" PRId64 ", and the model wants %" PRId64, name, i, path,
			    a->dim[i], s->dim[i]);
		if (!tn_dim_is_num(s->dim[i]) && a->dim[i] < 1)
			return tn_fail(e, TN_E_INPUT, "--input %s: axis %d of %s is empty", name, i, path);
	}
	return true;
}

static bool
read_one(struct given *v, const struct tn_graph *g, const char *text, struct tn_error *e)
{
	uint32_t i;
	const char *value = find_input(g, text, &i, e);
	char *end;

	if (!value)
		return false;
	if (v->file[i].v || v->number[i])
		return tn_fail(e, TN_E_IO, "--input %s: it was given before", text);
	if (is_file(value)) {
		if (!tn_npy_read(value, &v->file[i], e) || !fits(g, i, value, &v->file[i], e))
			return false;
		if (v->file[i].rank > 0)
			put_sizes(v, g->input[i].name, &v->file[i]);
		return true;
	}
	strtod(value, &end);
	if (end == value || *end)
		return tn_fail(e, TN_E_IO, "--input %s: '%s' is neither a number nor a .npy file", text, value);
	v->number[i] = value;
	return true;
}

bool
given_read(struct given *v, const struct tn_graph *g, const strings *input, struct tn_error *e)
{
	uint32_t i;

	*v = (struct given){.n = g->ninput};
	v->file = mem_alloc(((size_t)g->ninput + 1) * sizeof *v->file);
	v->number = mem_alloc(((size_t)g->ninput + 1) * sizeof *v->number);
	for (i = 0; i < input->n; i++)
		if (!read_one(v, g, input->at[i], e))
			return false;
	return true;
}

void
given_sizes(const struct given *v, strings *at)
{
	if (!at->n && v->at.n)
		vec_push(at, v->at.at);
}

/* room for the input's elements, *n of them; false: it has no shape at these sizes, or they are no numbers */
static bool
make_room(const struct tn_graph *g, uint32_t input, const int64_t sizes[], struct tn_array *a, int64_t *n, struct tn_error *e)
{
	const struct tn_shape *s = tn_type_get(g->ctx, g->input[input].type);
	int i;

	*a = (struct tn_array){.dtype = s->dtype, .rank = s->rank};
	for (*n = 1, i = 0; i < s->rank; i++) {
		if (!tn_dim_at(g->ctx, s->dim[i], sizes, &a->dim[i]) || a->dim[i] < 0)
			return tn_fail(e, TN_E_INPUT, "input %s has no shape at these sizes", g->input[input].name);
		if (a->dim[i] > TN_MOST_ELEMENTS / (*n ? *n : 1))
			return tn_fail(e, TN_E_INPUT, "input %s has more than %" PRId64 " elements at these sizes", g->input[input].name,
			    TN_MOST_ELEMENTS);
		*n *= a->dim[i];
	}
	if (s->rank < 0 || s->dtype == TN_UNTYPED || s->dtype == TN_STRING)
		return tn_fail(e, TN_E_INPUT, "input %s is no tensor of numbers", g->input[input].name);
	a->v = mem_alloc(((size_t)*n + 1) * sizeof *a->v);
	return true;
}

/* is it an element of the type? of floats all are */
static bool
is_element(enum tn_dtype dtype, double x)
{
	double most = ldexp(1, 8 * (int)dtype_size(dtype));

	if (dtype_is_float(dtype))
		return true;
	if (dtype == TN_BOOL)
		return x == 0 || x == 1;
	if (dtype < TN_U8)
		return x == floor(x) && x >= -most / 2 && x < most / 2;
	return x == floor(x) && x >= 0 && x < most;
}

/* the number in every element of the input; false: its type does not hold it, or it has no shape */
static bool
fill(const struct tn_graph *g, uint32_t input, const char *text, const int64_t sizes[], struct tn_array *a, struct tn_error *e)
{
	enum tn_dtype dtype = tn_type_get(g->ctx, g->input[input].type)->dtype;
	double x = strtod(text, NULL);
	int64_t n, i;

	if (!is_element(dtype, x))
		return tn_fail(e, TN_E_INPUT, "--input %s: its elements are %s, not %s", g->input[input].name, dtype_name(dtype), text);
	if (!make_room(g, input, sizes, a, &n, e))
		return false;
	for (i = 0; i < n; i++)
		a->v[i] = dtype == TN_F64 || dtype >= TN_I8 ? x : (double)(float)x;
	return true;
}

static bool
draw(const struct tn_graph *g, uint32_t input, const int64_t sizes[], struct rng *r, struct tn_array *a, struct tn_error *e)
{
	int64_t n, i;

	if (!make_room(g, input, sizes, a, &n, e))
		return false;
	for (i = 0; i < n; i++)
		a->v[i] = a->dtype >= TN_I8 ? rng_below(r, a->dtype == TN_BOOL ? 2 : 4) : (double)(float)rng_normal(r);
	return true;
}

struct tn_array *
given_arrays(const struct given *v, const struct tn_graph *g, const int64_t sizes[], struct tn_error *e)
{
	struct tn_array *list = mem_alloc(((size_t)v->n + 1) * sizeof *list);
	uint32_t i;

	for (i = 0; i < v->n; i++) {
		if (v->file[i].v)
			list[i] = v->file[i];
		else if (v->number[i] && !fill(g, i, v->number[i], sizes, &list[i], e)) {
			given_done(v, list);
			return NULL;
		}
	}
	return list;
}

void
given_done(const struct given *v, struct tn_array *list)
{
	uint32_t i;

	for (i = 0; i < v->n; i++)
		if (!v->file[i].v)
			mem_free(list[i].v);
	mem_free(list);
}

struct tn_array *
given_draw(const struct given *v, const struct tn_graph *g, const int64_t sizes[], uint64_t seed, struct tn_error *e)
{
	struct tn_array *list = given_arrays(v, g, sizes, e);
	struct rng r = {seed};
	uint32_t i;

	for (i = 0; list && i < v->n; i++)
		if (!list[i].v && !draw(g, i, sizes, &r, &list[i], e)) {
			given_done(v, list);
			return NULL;
		}
	return list;
}

void
given_free(struct given *v)
{
	uint32_t i;

	for (i = 0; i < v->n; i++)
		free(v->file[i].v);
	mem_free(v->file);
	mem_free(v->number);
	buf_free(&v->at);
}
