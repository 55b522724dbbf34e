/*
 * How far apart results may be where a target rounds the factors of products.
 *
 * TF32 has 10 bits of a fraction, as f16 has.  A factor that is cut off there is off by less than 2^-10 of itself, a product by
 * less than 2^-9, and a sum of products by less than 2^-9 of what their magnitudes add up to, however many they are.  That sum
 * is what the graph computes of the magnitudes of its inputs and weights; twice 2^-9 leaves room for what comes behind.  Where
 * many layers follow each other that sum says nothing, as it grows where the values do not: then what f16 gets is allowed.
 */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "target/plan.h"
#include "tenon/tenon.h"
#include "tensor/element.h"
#include "tensor/weight.h"

bool
rounding_slack(const struct tn_target *t, enum tn_dtype dtype, struct tn_slack *slack)
{
	*slack = (struct tn_slack){0x1p-8, 0x1p-7, 0};
	return dtype == TN_F32 && strstr(t->plugin->identity(t->state), "tf32") != NULL;
}

/* the magnitudes of the weight's elements, as data of its own */
static void
take_magnitudes(const struct tn_ctx *c, struct tn_weight *w)
{
	enum tn_dtype dtype = tn_type_get(c, w->type)->dtype;
	size_t n, i;
	double *v;
	void *data;

	if (!dtype_is_float(dtype) || !weight_count(c, w, &n))
		return;
	v = mem_alloc((n + 1) * sizeof *v);
	data = mem_alloc(w->size_bytes + 1);
	element_load(dtype, w->data, n, v);
	for (i = 0; i < n; i++)
		v[i] = fabs(v[i]);
	element_store(dtype, v, n, data);
	mem_free(v);
	w->data = data;
	w->is_owned = true;
}

/* no activation of its own, which would hide how large the sums are */
static void
leave_sums(struct tn_graph *g, struct tn_gnode *n)
{
	const struct tn_op *op = &g->program->op[n->op];
	tn_val v[TN_MAX_ATTRS];
	int i, count;
	const tn_val *given = tn_attrs_get(g->ctx, n->attrs, &count);

	if (n->op < TN_CORE || count != op->nattr)
		return;
	for (i = 0; i < count; i++) {
		v[i] = given[i];
		if (op->attr[i].enums && strcmp(op->attr[i].enums->value[0], "none") == 0)
			v[i] = tn_val_make(g->ctx, &(struct tn_value){.kind = TN_K_ENUM});
	}
	n->attrs = tn_attrs_make(g->ctx, v, count);
}

static double
largest(const struct tn_array *a)
{
	double most = 0;
	int64_t n = a->rank >= 0, i;

	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	for (i = 0; i < n; i++)
		if (isfinite(a->v[i]))
			most = fmax(most, fabs(a->v[i]));
	return most;
}

/* the inputs' magnitudes: in[] is copied, and its elements with it */
static struct tn_array *
magnitudes_of(const struct tn_graph *g, const struct tn_array in[])
{
	struct tn_array *to = mem_alloc(((size_t)g->ninput + 1) * sizeof *to);
	int64_t n, k;
	uint32_t i;
	int axis;

	for (i = 0; i < g->ninput; i++) {
		to[i] = in[i];
		for (n = in[i].rank >= 0, axis = 0; axis < in[i].rank; axis++)
			n *= in[i].dim[axis];
		to[i].v = mem_alloc(((size_t)n + 1) * sizeof *to[i].v);
		for (k = 0; k < n; k++)
			to[i].v[k] = fabs(in[i].v[k]);
	}
	return to;
}

double *
rounding_large(const struct tn_graph *g, const struct tn_array in[], const int64_t sizes[], struct tn_error *e)
{
	struct tn_graph *of = tn_graph_copy(g, e);
	struct tn_array *abs_in, *out;
	double *large = NULL;
	uint32_t i;

	if (!of)
		return NULL;
	for (i = 0; i < of->nweight; i++)
		take_magnitudes(of->ctx, &of->weight[i]);
	for (i = 0; i < of->nnode; i++)
		leave_sums(of, &of->node[i]);
	abs_in = magnitudes_of(of, in);
	out = tn_execute(of, &(struct tn_exec){.input = abs_in, .sizes = sizes}, e);
	if (out) {
		large = mem_alloc(((size_t)of->noutput + 1) * sizeof *large);
		for (i = 0; i < of->noutput; i++)
			large[i] = largest(&out[i]);
	}
	tn_arrays_free(out, of->noutput);
	tn_arrays_free(abs_in, of->ninput);
	tn_graph_free(of);
	return large;
}
