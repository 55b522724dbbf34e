/*
 * A program against the installed library: y = relu(x + 0) in an e-graph, saturated with the built-in
 * rules, and the cheapest equal term.
 *
 *	cc main.c $(pkg-config --cflags --libs tenon)
 */
#include <stdio.h>

#include <tenon/tenon.h>

int
main(void)
{
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_shape shape = {TN_F32, 2, {4, 8}};
	tn_type type = tn_type_make(ctx, &shape);
	struct tn_graph *g = tn_graph_new(ctx, &tn_builtin, "example");
	struct tn_limits limits = {.iterations = 5};
	struct tn_error e = {0};
	uint32_t x, sum, y;

	x = tn_graph_input(g, "x", type);
	sum = tn_graph_node(g, tn_op_named(&tn_builtin, "add"), 0, (uint32_t[]){x, tn_graph_fill(g, 0, type)}, 2, TN_NONE, &e);
	y = tn_graph_node(g, tn_op_named(&tn_builtin, "relu"), 0, &sum, 1, TN_NONE, &e);
	tn_graph_output(g, "y", y);

	struct tn_tensors *t = tn_tensors_new(ctx, &tn_builtin, g, false);
	struct tn_report *r = tn_saturate(tn_tensors_egraph(t), tn_tensors_search(t), &tn_builtin, &limits, NULL, NULL);

	printf("tenon %s: %zu e-nodes, x + 0 is %s\n", tn_version(), tn_nnodes(tn_tensors_egraph(t)),
	    tn_find(tn_tensors_egraph(t), tn_tensors_classes(t)[x]) == tn_find(tn_tensors_egraph(t), tn_tensors_classes(t)[sum])
	    ? "x" : "not known to be x");
	tn_report_free(r);
	tn_tensors_free(t);
	tn_graph_free(g);
	tn_ctx_free(ctx);
	return 0;
}
