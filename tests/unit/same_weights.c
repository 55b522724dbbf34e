/* Weights with the same bytes are one class, and those that differ are not, be it in one element that no sample is of. */
#include "tests/unit/graphs.h"

static tn_id
class_of(struct tn_tensors *t, const struct tn_graph *g, uint32_t output)
{
	return tn_find(tn_tensors_egraph(t), tn_tensors_classes(t)[g->output[output].node]);
}

int
main(void)
{
	struct tn_graph *g;
	struct tn_tensors *t;
	float *last;

	c = tn_ctx_new();
	g = graph("(weight a f32 [1000] :seed 1) (weight b f32 [1000] :seed 1) (weight p f32 [1000] :seed 1) (weight q f32 [1000] :seed 1)"
	    "(weight s f32 [10 100] :seed 1) (weight e f32 [0] :fill 1) (weight f f32 [0] :fill 2)"
	    "(output (relu a) a) (output (relu b) b) (output (relu p) p) (output (relu q) q) (output (relu s) s)"
	    "(output (relu e) e) (output (relu f) f)");
	last = (float *)g->weight[2].data;
	last[3] += 1;
	last = (float *)g->weight[3].data;
	last[3] += 1;
	t = tn_tensors_new(c, &tn_builtin, g, false);
	check(class_of(t, g, 0) == class_of(t, g, 1), "the same bytes");
	check(class_of(t, g, 0) != class_of(t, g, 2), "one element differs");
	check(class_of(t, g, 2) == class_of(t, g, 3), "and is the same in both");
	check(class_of(t, g, 0) != class_of(t, g, 4), "another shape");
	check(class_of(t, g, 5) == class_of(t, g, 6), "no elements are the same elements");
	tn_tensors_free(t);
	tn_graph_free(g);
	tn_ctx_free(c);
	return failures > 0;
}
