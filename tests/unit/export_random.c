/*
 * What an operator is exported as computes what the operator does: random uses of every operator, each as a graph, exported,
 * read again, and compared.
 */
#include "tensor/random_op.h"
#include "tests/oracle/use.h"
#include "tests/unit/graphs.h"

enum { TRIES = 2000, ENOUGH = 12, LARGEST = 4096, MISTAKES = 5 };

/* has it elements, and not many? */
static bool
is_between(tn_type type)
{
	const struct tn_shape *s = tn_type_get(c, type);
	int64_t n = 1;
	int i;

	for (i = 0; i < s->rank; i++)
		n *= s->dim[i];
	return n > 0 && n <= LARGEST;
}

/* x0, x1, … by one operator to y; NULL: the operator does not admit them, or one has no elements, or many */
static struct tn_graph *
graph_of(unsigned op, struct random_op *r)
{
	struct tn_graph *g = tn_graph_new(c, &tn_builtin, "use");
	tn_type in[MAX_IN];
	uint32_t kid[MAX_IN], node;
	bool is_small = true;
	int nin, i;
	tn_attrs attrs = random_op(r, &tn_builtin.op[op], in, &nin);
	char name[8];

	for (i = 0; i < nin; i++) {
		snprintf(name, sizeof name, "x%d", i);
		kid[i] = tn_graph_input(g, name, in[i]);
		is_small &= is_between(in[i]);
	}
	node = tn_graph_node(g, op, attrs, kid, nin, TN_NONE, NULL);
	if (node != TN_NONE && is_small && is_between(g->node[node].type)) {
		tn_graph_output(g, "y", node);
		return g;
	}
	tn_graph_free(g);
	return NULL;
}

static bool
is_opaque(const struct tn_graph *g)
{
	uint32_t i;

	for (i = 0; i < g->nnode && g->node[i].op != TN_OPAQUE; i++)
		;
	return i < g->nnode;
}

/* the graph beside what the file has; NULL, or what is wrong */
static const char *
compare(const struct tn_graph *g, const char *path)
{
	static struct tn_error e;
	static struct tn_difference d;
	struct tn_onnx *x = tn_onnx_open(c, &tn_builtin, path, NULL, &e);
	const char *what = NULL;

	if (!x)
		return e.msg;
	d = (struct tn_difference){0};
	if (is_opaque(tn_onnx_graph(x)))
		what = "an operator of what is exported stays opaque";
	else if (!tn_graphs_compare(g, tn_onnx_graph(x), 2, NULL, 0, &d, &e) && d.differs)
		what = e.msg;
	else if (d.differs)
		what = d.where;
	tn_onnx_close(x);
	return what;
}

/* ONNX has no padding that cuts off, but in a Pad, and no axis that becomes the diagonal of two. */
static bool
has_words(const struct tn_op *op, tn_attrs attrs)
{
	uint32_t k, m;
	int i;

	for (i = 0; i < op->nattr; i++) {
		const struct tn_value *v = tn_val_get(c, tn_attrs_get(c, attrs, NULL)[i]);

		for (k = 0; strcmp(op->attr[i].name, "pads") == 0 && k < v->n; k++)
			if (v->u.list[k] < 0)
				return false;
		for (k = 0; strcmp(op->attr[i].name, "axes") == 0 && k < v->n; k++)
			for (m = 0; m < k; m++)
				if (v->u.list[m] == v->u.list[k])
					return false;
	}
	return true;
}

/* false: not exported, as there are no words for it */
static bool
try_use(const struct tn_graph *g)
{
	static struct tn_error e;
	const struct tn_gnode *n = &g->node[g->output[0].node];
	bool is_written = tn_onnx_export(g, temporary(), &e), is_said = has_words(&tn_builtin.op[n->op], n->attrs);
	const char *what = is_written ? compare(g, temporary()) : is_said ? e.msg : NULL;
	tn_type in[MAX_IN];
	int i;

	if (is_written && !is_said)
		what = "what ONNX has no words for is written";
	if (what) {
		for (i = 0; i < n->nkid; i++)
			in[i] = g->node[g->kid[n->kid + (uint32_t)i]].type;
		printf("%s: %s\n", tn_builtin.op[n->op].name, what);
		use_print(c, &tn_builtin.op[n->op], n->attrs, n->nkid, in);
		failures++;
	}
	unlink(temporary());
	return is_written;
}

int
main(void)
{
	int op, i, written;

	for (op = TN_CORE; op < tn_builtin.nop && failures < MISTAKES; op++) {
		struct random_op r = {.rng = {(uint64_t)op}, .scale = 4};

		r.ctx = c = tn_ctx_new();
		for (i = written = 0; i < TRIES && written < ENOUGH && failures < MISTAKES; i++) {
			struct tn_graph *g = graph_of((unsigned)op, &r);

			if (!g)
				continue;
			written += try_use(g);
			tn_graph_free(g);
		}
		if (written < ENOUGH && failures < MISTAKES) {
			printf("%s: only %d uses were exported\n", tn_builtin.op[op].name, written);
			failures++;
		}
		tn_ctx_free(c);
	}
	return failures != 0;
}
