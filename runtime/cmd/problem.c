/* Writing an extraction problem; see problem.h. */
#include "cmd/problem.h"

struct problem_text {
	const struct tn_priced *priced;
	const struct tn_graph *graph;
	const struct tn_egraph *g;
};

/* "conv2d :stride [1 1] :groups 1", "input 0" */
static size_t
op_text(void *arg, uint32_t node, char *out, size_t size)
{
	const struct problem_text *t = arg;
	struct tn_node n = tn_node_at(t->g, tn_priced_node(t->priced, node));
	const struct tn_op *op = &t->graph->program->op[n.op];
	const tn_val *v;
	int i, count;
	size_t len;

	v = tn_attrs_get(t->graph->ctx, n.attrs, &count);
	len = (size_t)snprintf(out, size, "%s", op->name);
	for (i = 0; i < count; i++) {
		const struct tn_attr_decl *d = i < op->nattr ? &op->attr[i] : NULL;

		len += (size_t)snprintf(len < size ? out + len : NULL, len < size ? size - len : 0, " %s%s%s", d ? ":" : "", d ? d->name : "",
		    d ? " " : "");
		len += tn_val_print(t->graph->ctx, d ? d->enums : NULL, v[i], len < size ? out + len : NULL, len < size ? size - len : 0);
	}
	return len;
}

void
problem_write(const struct tn_priced *p, struct tn_tensors *t, FILE *f)
{
	struct problem_text text = {p, tn_tensors_source(t), tn_tensors_egraph(t)};

	tn_problem_write(tn_priced_problem(p), &(struct tn_problem_text){&text, op_text}, f);
}
