/* Any bytes as .graph text: refused in words, or read; what is read is written and read again, and if it is small, optimized. */
#include <stdio.h>

#include "base/sx.h"
#include "tenon/tenon.h"
#include "tests/fuzz/forms.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum { SMALL = 4096 };		/* elements of a tensor */

static struct tn_graph *
parse(struct tn_ctx *c, const char *text, size_t size)
{
	struct tn_error e = {0};
	struct tn_graph *g = tn_graph_parse(c, &tn_builtin, "input", text, size, &e);

	if (!g && (e.msg[0] == '\0' || e.code != TN_E_INPUT))
		__builtin_trap();
	return g;
}

/* Has a weight so many elements that reading it would take long? */
static bool
is_large(const char *text, size_t size)
{
	struct sx_file f;
	bool large = false;
	uint32_t i, k;
	int64_t d;

	if (!sx_parse(&f, "input", text, size, NULL))
		return false;
	for (i = 0; f.top.n && sx_is_list(&f.top.item[0]) && i < f.top.item[0].n; i++) {
		const struct sx *form = &f.top.item[0].item[i];
		double n = 1;

		for (k = 0; sx_is_list(form) && form->n > 3 && sx_is_list(&form->item[3]) && k < form->item[3].n; k++)
			n *= sx_int(&form->item[3].item[k], &d) ? (double)d : 1;
		large |= n > SMALL;
	}
	sx_free(&f);
	return large;
}

/* the text of the graph, malloc'ed */
static char *
text_of(const struct tn_graph *g, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	tn_graph_write(g, f, true);
	fclose(f);
	return text;
}

/* What is written reads back as the same graph. */
static void
write_and_read(const struct tn_graph *g)
{
	size_t size;
	char *text = text_of(g, &size);
	struct tn_graph *again = parse(g->ctx, text, size);
	FILE *f = fopen("/dev/null", "w");

	if (!again || !tn_graphs_same(g, again))
		__builtin_trap();
	tn_graph_dot(g, f);
	fclose(f);
	free(text);
	tn_graph_free(again);
}

/* Is there little to compute where every symbol is 2? */
static bool
is_small(const struct tn_graph *g, const int64_t sizes[])
{
	double flops, bytes;
	uint32_t i, k;

	for (i = 0; i < g->nnode; i++) {
		const struct tn_gnode *n = &g->node[i];
		const struct tn_shape *t = tn_type_get(g->ctx, n->type);
		double elements = 1;
		tn_type in[8];
		int64_t d;
		int a;

		for (a = 0; a < t->rank; a++)
			elements *= tn_dim_at(g->ctx, t->dim[a], sizes, &d) ? (double)d : SMALL;
		if (elements > SMALL || n->nkid > 8)
			return false;
		for (k = 0; k < n->nkid; k++)
			in[k] = g->node[g->kid[n->kid + k]].type;
		if (n->op >= TN_CORE && tn_op_work(g->ctx, &g->program->op[n->op], n->attrs, in, n->nkid, n->type, sizes, &flops, &bytes) &&
		    flops > 16 * SMALL)
			return false;
	}
	return g->nnode <= 64;
}

/* the cheapest graph of the e-graph; NULL: there is none */
static struct tn_graph *
extract(struct tn_tensors *t, const struct tn_graph *g, const int64_t sizes[])
{
	struct tn_costs *costs = tn_costs_device(g->ctx, &tn_builtin, "t4", NULL);
	struct tn_pricing how = {0};
	struct tn_priced *p = tn_costs_egraph(costs, t, sizes, &how);
	struct tn_choice *choice = tn_extract(tn_priced_problem(p), &(struct tn_extract_options){.method = TN_DAG}, NULL);
	tn_id *node = choice ? tn_priced_choice(p, choice) : NULL;
	struct tn_graph *made = choice ? tn_tensors_graph(t, g, node, NULL, NULL) : NULL;

	free(node);
	tn_choice_free(choice);
	tn_priced_free(p);
	tn_costs_free(costs);
	return made;
}

/* Saturated, extracted from, folded and compared: whatever the values are, it ends well. */
static void
optimize(const struct tn_graph *g, const int64_t sizes[])
{
	struct tn_limits limits = {.iterations = 2, .nodes = 300, .multi_iterations = 1, .cycles = TN_FILTER_EFFICIENT};
	struct tn_tensors *t = tn_tensors_new(g->ctx, &tn_builtin, g, false);
	struct tn_report *r = tn_saturate(tn_tensors_egraph(t), tn_tensors_search(t), &tn_builtin, &limits, NULL, NULL);
	struct tn_graph *made = r->stop == TN_STOP_DEFECT ? NULL : extract(t, g, sizes);
	struct tn_difference d;

	if (r->stop != TN_STOP_DEFECT && tn_egraph_check(tn_tensors_egraph(t)))
		__builtin_trap();
	tn_report_free(r);
	tn_tensors_free(t);
	if (!made)
		return;
	tn_graph_fold(made, &(struct tn_fold){.growth_bytes = SMALL}, NULL);
	tn_graphs_compare(g, made, 1, sizes, 0, &d, NULL);
	write_and_read(made);
	tn_graph_free(made);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_ctx *c = tn_ctx_new();
	struct tn_graph *g = is_large((const char *)data, size) ? NULL : parse(c, (const char *)data, size);
	int64_t *sizes;
	int i;

	if (g) {
		write_and_read(g);
		sizes = calloc((size_t)tn_dim_nsym(c) + 1, sizeof *sizes);
		for (i = 0; i < tn_dim_nsym(c); i++)
			sizes[i] = 2;
		if (is_small(g, sizes))
			optimize(g, sizes);
		free(sizes);
	}
	tn_graph_free(g);
	tn_ctx_free(c);
	return 0;
}
