/* A graph as .graph text, and as a Graphviz drawing. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/sx.h"
#include "tenon/graph.h"

enum { SHORT = 16 };		/* elements of a weight that are always written */

/* names that inputs and weights have if they can be read back, else n7 */
static void
put_name(struct buf *b, const struct tn_graph *g, uint32_t node)
{
	const struct tn_gnode *n = &g->node[node];
	const char *name = "";
	int64_t i;

	if (n->op == TN_INPUT || n->op == TN_WEIGHT) {
		i = tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, &(int){0})[0])->u.i;
		name = n->op == TN_INPUT ? g->input[i].name : g->weight[i].name;
	}
	if (n->op == TN_INPUT && *name) {
		if (sx_is_atom_text(name, strlen(name)))
			buf_puts(b, name);
		else
			sx_put_string(b, name, strlen(name));
	} else
		buf_printf(b, "n%u", node);
}

static void
put_type(struct buf *b, const struct tn_graph *g, tn_type type)
{
	char *text;
	size_t len = tn_type_print(g->ctx, type, NULL, 0);

	text = mem_alloc(len + 1);
	tn_type_print(g->ctx, type, text, len + 1);
	buf_puts(b, text);
	mem_free(text);
}

static void
put_val(struct buf *b, const struct tn_graph *g, const struct tn_enum *e, tn_val v)
{
	size_t len = tn_val_print(g->ctx, e, v, NULL, 0);
	char *text = mem_alloc(len + 1);

	tn_val_print(g->ctx, e, v, text, len + 1);
	buf_puts(b, text);
	mem_free(text);
}

/* one element by its element type */
static void
put_element(struct buf *b, enum tn_dtype type, const void *data, size_t i)
{
	switch (type) {
	case TN_F32: {
		float x;
		memcpy(&x, (const char *)data + 4 * i, 4);
		buf_printf(b, "%.9g", (double)x);
		break;
	}
	case TN_F64: {
		double x;
		memcpy(&x, (const char *)data + 8 * i, 8);
		buf_printf(b, "%.17g", x);
		break;
	}
	case TN_I64: {
		int64_t x;
		memcpy(&x, (const char *)data + 8 * i, 8);
		buf_printf(b, "%" PRId64, x);
		break;
	}
	case TN_I32: {
		int32_t x;
		memcpy(&x, (const char *)data + 4 * i, 4);
		buf_printf(b, "%" PRId32, x);
		break;
	}
	default:
		buf_printf(b, "%u", ((const unsigned char *)data)[i]);
	}
}

/* types whose elements have a text */
static size_t
element_size(enum tn_dtype type)
{
	switch (type) {
	case TN_F32: case TN_I32:
		return 4;
	case TN_F64: case TN_I64:
		return 8;
	case TN_U8: case TN_BOOL:
		return 1;
	default:
		return 0;
	}
}

static void
put_weight(struct buf *b, const struct tn_graph *g, uint32_t node, bool with_data)
{
	const struct tn_weight *w = &g->weight[tn_val_get(g->ctx, tn_attrs_get(g->ctx, g->node[node].attrs, &(int){0})[0])->u.i];
	enum tn_dtype type = tn_type_get(g->ctx, w->type)->dtype;
	size_t size = element_size(type), i, n = size ? w->size_bytes / size : 0;

	buf_puts(b, "(weight ");
	put_name(b, g, node);
	buf_putc(b, ' ');
	put_type(b, g, w->type);
	if (size && (with_data || n <= SHORT)) {
		buf_puts(b, " :data [");
		for (i = 0; i < n; i++) {
			if (i)
				buf_putc(b, ' ');
			put_element(b, type, w->data, i);
		}
		buf_puts(b, "])");
	} else
		buf_printf(b, " :left-out %zu)", w->size_bytes);
	if (*w->name)
		buf_printf(b, "\t; %s", w->name);
}

/* does the record hold more than the defaults say? attributes are written in full: the text stands alone */
static void
put_attrs(struct buf *b, const struct tn_graph *g, const struct tn_gnode *n)
{
	const struct tn_op *op = &g->program->op[n->op];
	int count, i;
	const tn_val *v = tn_attrs_get(g->ctx, n->attrs, &count);

	for (i = 0; i < count; i++) {
		buf_printf(b, " :%s ", op->attr[i].name);
		put_val(b, g, op->attr[i].enums, v[i]);
	}
}

static void
put_node(struct buf *b, const struct tn_graph *g, uint32_t i)
{
	const struct tn_gnode *n = &g->node[i];
	uint32_t k;

	buf_printf(b, "(let n%u (%s", i, g->program->op[n->op].name);
	for (k = 0; k < n->nkid; k++) {
		buf_putc(b, ' ');
		put_name(b, g, g->kid[n->kid + k]);
	}
	if (n->op == TN_OPAQUE || n->op == TN_RESULT) {
		buf_putc(b, ' ');
		put_val(b, g, NULL, tn_attrs_get(g->ctx, n->attrs, &(int){0})[0]);
	} else
		put_attrs(b, g, n);
	if (n->op == TN_RESULT) {
		buf_putc(b, ' ');
		put_type(b, g, n->type);
	}
	buf_puts(b, "))");
	if (n->op != TN_OPAQUE && n->op != TN_RESULT) {
		buf_puts(b, "\t; ");
		put_type(b, g, n->type);
	}
}

void
tn_graph_write(const struct tn_graph *g, FILE *f, bool with_data)
{
	struct buf b = {0};
	uint32_t i;

	buf_puts(&b, "(graph ");
	sx_put_string(&b, g->name, strlen(g->name));
	for (i = 0; i < g->nnode; i++) {
		buf_puts(&b, "\n  ");
		if (g->node[i].op == TN_INPUT) {
			buf_puts(&b, "(input ");
			put_name(&b, g, i);
			buf_putc(&b, ' ');
			put_type(&b, g, g->node[i].type);
			buf_putc(&b, ')');
		} else if (g->node[i].op == TN_WEIGHT)
			put_weight(&b, g, i, with_data);
		else
			put_node(&b, g, i);
		fwrite(b.at, 1, b.n, f);
		b.n = 0;
	}
	for (i = 0; i < g->noutput; i++) {
		buf_puts(&b, "\n  (output ");
		put_name(&b, g, g->output[i].node);
		buf_putc(&b, ' ');
		sx_put_string(&b, g->output[i].name, strlen(g->output[i].name));
		buf_putc(&b, ')');
	}
	buf_puts(&b, "\n)\n");
	fwrite(b.at, 1, b.n, f);
	buf_free(&b);
}

void
tn_graph_dot(const struct tn_graph *g, FILE *f)
{
	struct buf b = {0};
	uint32_t i, k;

	fprintf(f, "digraph {\n  node [shape=box, fontname=monospace];\n");
	for (i = 0; i < g->nnode; i++) {
		b.n = 0;
		if (g->node[i].op == TN_INPUT)
			put_name(&b, g, i);
		else
			buf_puts(&b, g->program->op[g->node[i].op].name);
		buf_puts(&b, "\\n");
		put_type(&b, g, g->node[i].type);
		fprintf(f, "  n%u [label=\"", i);
		for (k = 0; k < b.n; k++)
			if (b.at[k] != '"')
				fputc(b.at[k], f);
		fprintf(f, "\"];\n");
		for (k = 0; k < g->node[i].nkid; k++)
			fprintf(f, "  n%u -> n%u;\n", g->kid[g->node[i].kid + k], i);
	}
	for (i = 0; i < g->noutput; i++)
		fprintf(f, "  out%u [shape=plaintext, label=\"output %u\"];\n  n%u -> out%u;\n", i, i, g->output[i].node, i);
	fprintf(f, "}\n");
	buf_free(&b);
}
