/*
 * A graph as a Graphviz drawing.  Weights and numbers are part of their users' boxes, or a drawing of a
 * real model could not be read.
 */
#include <string.h>

#include "base/mem.h"
#include "tensor/data.h"
#include "tensor/print.h"
#include "tensor/weight.h"

/* text inside of a quoted label */
static void
put_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', f);
		if (*text == '\n')
			fputs("\\n", f);
		else
			fputc(*text, f);
	}
}

static void
put_type(FILE *f, const struct tn_graph *g, tn_type type)
{
	struct buf b = {0};

	print_type(&b, g->ctx, type);
	put_text(f, b.at);
	buf_free(&b);
}

static void
put_val(FILE *f, const struct tn_graph *g, const struct tn_enum *e, tn_val v)
{
	struct buf b = {0};

	print_val(&b, g->ctx, e, v);
	put_text(f, b.at);
	buf_free(&b);
}

static bool
is_leaf(const struct tn_graph *g, uint32_t node)
{
	return g->node[node].op == TN_WEIGHT || g->node[node].op == TN_FILL;
}

/* attributes other than as declared, and operands without a box, a line each */
static void
put_details(FILE *f, const struct tn_graph *g, const struct tn_gnode *n)
{
	const struct tn_op *op = &g->program->op[n->op];
	int count, i;
	uint32_t k;

	tn_attrs_get(g->ctx, n->attrs, &count);
	for (i = 0; n->op >= TN_CORE && i < count; i++) {
		tn_val v = tn_attrs_get(g->ctx, n->attrs, NULL)[i];

		if (v == attr_default(g->ctx, &op->attr[i]))
			continue;
		fprintf(f, "\\n%s ", op->attr[i].name);
		put_val(f, g, op->attr[i].enums, v);
	}
	for (k = 0; k < n->nkid; k++) {
		const struct tn_gnode *kid = &g->node[g->kid[n->kid + k]];

		if (kid->op == TN_FILL) {
			fputs("\\nnumber ", f);
			put_val(f, g, NULL, tn_attrs_get(g->ctx, kid->attrs, NULL)[0]);
		} else if (kid->op == TN_WEIGHT) {
			fputs("\\nweight ", f);
			put_text(f, weight_of(g, kid)->name);
			fputc(' ', f);
			put_type(f, g, kid->type);
		}
	}
}

static void
put_node(FILE *f, const struct tn_graph *g, uint32_t node)
{
	const struct tn_gnode *n = &g->node[node];
	int count;
	const tn_val *v = tn_attrs_get(g->ctx, n->attrs, &count);

	fprintf(f, "\tn%u [label=\"", node);
	if (n->op == TN_INPUT)
		put_text(f, g->input[tn_val_get(g->ctx, v[0])->u.i].name);
	else if (n->op == TN_OPAQUE && count == 2)
		put_val(f, g, NULL, v[1]);
	else
		put_text(f, g->program->op[n->op].name);
	put_details(f, g, n);
	fprintf(f, "\"%s];\n", n->op == TN_INPUT ? ", shape=ellipse" : n->op == TN_OPAQUE ? ", style=dashed" : "");
}

/* an edge bears the type of what goes along it */
static void
put_edges(FILE *f, const struct tn_graph *g, uint32_t node)
{
	const struct tn_gnode *n = &g->node[node];
	uint32_t k, kid;

	for (k = 0; k < n->nkid; k++) {
		kid = g->kid[n->kid + k];
		if (is_leaf(g, kid))
			continue;
		fprintf(f, "\tn%u -> n%u [label=\"", kid, node);
		if (g->node[kid].op != TN_OPAQUE)
			put_type(f, g, g->node[kid].type);
		fputs("\"];\n", f);
	}
}

void
tn_graph_dot(const struct tn_graph *g, FILE *f)
{
	bool *is_output = mem_alloc((size_t)g->nnode + 1);
	uint32_t i;

	fputs("digraph {\n\tnode [shape=box, fontname=monospace];\n\tedge [fontname=monospace];\n", f);
	for (i = 0; i < g->noutput; i++)
		is_output[g->output[i].node] = true;
	for (i = 0; i < g->nnode; i++)
		if (!is_leaf(g, i) || is_output[i]) {
			put_node(f, g, i);
			put_edges(f, g, i);
		}
	for (i = 0; i < g->noutput; i++) {
		fprintf(f, "\tout%u [shape=plaintext, label=\"", i);
		put_text(f, g->output[i].name);
		fprintf(f, "\"];\n\tn%u -> out%u;\n", g->output[i].node, i);
	}
	fputs("}\n", f);
	mem_free(is_output);
}
