/*
 * A graph as .graph text that reads back as the same graph:
 *
 *	(graph "tiny"
 *	  (input x f32 [1 3 h w])
 *	  (weight k f32 [8 3 3 3] :data [0.5 … ])
 *	  (let n3 (conv2d x k :pads [1 1 1 1]))	; f32 [1 8 h w]
 *	  (output n3 "y"))
 *
 * Attributes that are as declared are left out, and so are operands; a fill whose shape its place gives
 * is a number there.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "tensor/data.h"
#include "tensor/element.h"
#include "tensor/print.h"
#include "tensor/text.h"
#include "tensor/weight.h"

enum { SHORT = 16 };		/* elements of a weight that are always written */

struct text_writer {
	const struct tn_graph *g;
	struct buf b;
	const char **name;	/* per node; NULL: its number after a prefix */
	struct buf prefix[2];	/* of other nodes, and of weights, which keep the name when they are read back */
	bool *is_let;		/* per node: a fill that is more than a number in its places */
	bool *is_number;	/* per operand, as in tn_graph.kid */
};

/* ---- names -------------------------------------------------------------------------------------------- */

/* what the model calls an input or weight; NULL: nothing */
static const char *
model_name(const struct tn_graph *g, uint32_t node)
{
	const struct tn_gnode *n = &g->node[node];

	if (n->op == TN_INPUT)
		return g->input[tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, NULL)[0])->u.i].name;
	return n->op == TN_WEIGHT && *weight_of(g, n)->name ? weight_of(g, n)->name : NULL;
}

/* make a prefix longer until no name is it and a number */
static void
choose_prefix(struct text_writer *w, struct buf *prefix, char letter)
{
	const char *name;
	uint32_t i;

	buf_putc(prefix, letter);
	for (i = 0; i < w->g->nnode; i++) {
		name = w->name[i];
		if (!name || strncmp(name, prefix->at, prefix->n) != 0 || name[prefix->n] < '0' || name[prefix->n] > '9')
			continue;
		buf_putc(prefix, letter);
		i = UINT32_MAX;		/* from the first again */
	}
}

/* The model's names, where they are unique, and prefixes for numbers that none of them has. */
static void
choose_names(struct text_writer *w)
{
	struct map seen = {0};
	bool is_new;
	uint32_t i;

	w->name = mem_alloc(((size_t)w->g->nnode + 1) * sizeof *w->name);
	for (i = 0; i < w->g->nnode; i++) {
		w->name[i] = model_name(w->g, i);
		if (!w->name[i])
			continue;
		map_put(&seen, w->name[i], strlen(w->name[i]), i, &is_new);
		if (!is_new)
			w->name[i] = NULL;
	}
	choose_prefix(w, &w->prefix[0], 'n');
	choose_prefix(w, &w->prefix[1], 'w');
	map_free(&seen);
}

static void
put_name(struct text_writer *w, uint32_t node)
{
	const char *name = w->name[node];

	if (!name)
		buf_printf(&w->b, "%s%u", w->prefix[w->g->node[node].op == TN_WEIGHT].at, node);
	else
		sx_put_name(&w->b, name, strlen(name));
}

/* ---- types and values -------------------------------------------------------------------------------------- */

/* the shortest decimal that reads as the element */
static void
put_float(struct text_writer *w, enum tn_dtype type, double x)
{
	char text[40];
	int digits;

	for (digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (element_round(type, strtod(text, NULL)) == x)
			break;
	}
	buf_puts(&w->b, isnan(x) ? "nan" : text);
}

static void
put_element(struct text_writer *w, enum tn_dtype type, const char *at)
{
	uint64_t bits = 0;
	double x = 0;

	if (type == TN_I64 || type == TN_U64) {
		memcpy(&bits, at, sizeof bits);
		if (type == TN_I64)
			buf_printf(&w->b, "%" PRId64, (int64_t)bits);
		else
			buf_printf(&w->b, "%" PRIu64, bits);
		return;
	}
	element_load(type, at, 1, &x);
	put_float(w, type, x);
}

static void
put_weight(struct text_writer *w, uint32_t node, bool with_data)
{
	const struct tn_weight *weight = weight_of(w->g, &w->g->node[node]);
	enum tn_dtype type = tn_type_get(w->g->ctx, weight->type)->dtype;
	size_t size = dtype_size(type), i, n = 0;
	bool is_known = weight_count(w->g->ctx, weight, &n);

	buf_puts(&w->b, "(weight ");
	put_name(w, node);
	buf_putc(&w->b, ' ');
	print_type(&w->b, w->g->ctx, weight->type);
	if (!is_known || (!with_data && n > SHORT)) {
		buf_printf(&w->b, " :left-out %zu)", weight->size_bytes);
		return;
	}
	if (weight->seed) {
		buf_printf(&w->b, " %s)", weight->seed);
		return;
	}
	buf_puts(&w->b, " :data [");
	for (i = 0; i < n; i++) {
		if (i)
			buf_putc(&w->b, ' ');
		put_element(w, type, (const char *)weight->data + i * size);
	}
	buf_puts(&w->b, "])");
}

/* ---- numbers in operands' places ------------------------------------------------------------------------------ */

/* may operand k be written as a number? */
static bool
may_be_number(const struct text_writer *w, const struct tn_gnode *n, uint32_t k, bool only_defaults)
{
	const struct tn_gnode *kid = &w->g->node[w->g->kid[n->kid + k]];
	const struct tn_op *op = &w->g->program->op[n->op];

	return kid->op == TN_FILL && !isnan(fill_of(w->g->ctx, kid->attrs)) &&
	    (!only_defaults || (k < (uint32_t)op->nin && op->in[k].has_default));
}

/* do numbers in these places take the fills' types? */
static bool
gives_shapes(const struct text_writer *w, const struct tn_gnode *n, bool only_defaults)
{
	const struct tn_graph *g = w->g;
	struct tn_infer s = {.ctx = g->ctx, .op = &g->program->op[n->op], .attrs = n->attrs, .nin = n->nkid, .keep_unknown = true};
	bool same;
	uint32_t k;

	s.in = mem_alloc(((size_t)n->nkid + 1) * sizeof *s.in);
	for (k = 0; k < n->nkid; k++)
		s.in[k] = may_be_number(w, n, k, only_defaults) ? TN_NONE : g->node[g->kid[n->kid + k]].type;
	same = tn_infer_run(&s) && s.out == n->type;
	for (k = 0; same && k < n->nkid; k++)
		same = s.in[k] == g->node[g->kid[n->kid + k]].type;
	mem_free(s.in);
	return same;
}

/* all fills where that tells their shapes, else those in the places of operands that may be left out */
static void
choose_numbers(struct text_writer *w)
{
	const struct tn_graph *g = w->g;
	uint32_t i, k;
	bool all, some;

	w->is_let = mem_alloc((size_t)g->nnode + 1);
	w->is_number = mem_alloc((size_t)g->nkid + 1);
	for (i = 0; i < g->noutput; i++)
		w->is_let[g->output[i].node] = true;
	for (i = 0; i < g->nnode; i++) {
		const struct tn_gnode *n = &g->node[i];

		all = n->op >= TN_CORE && gives_shapes(w, n, false);
		some = all || (n->op >= TN_CORE && gives_shapes(w, n, true));
		for (k = 0; some && k < n->nkid; k++)
			w->is_number[n->kid + k] = may_be_number(w, n, k, !all);
		for (k = 0; k < n->nkid; k++)
			w->is_let[g->kid[n->kid + k]] |= !w->is_number[n->kid + k];
	}
}

/* operands but those at the end that are numbers and as declared */
static uint32_t
count_written(const struct text_writer *w, const struct tn_gnode *n)
{
	const struct tn_op *op = &w->g->program->op[n->op];
	uint32_t k = n->nkid;
	double init, value;

	for (; k > 0 && k <= (uint32_t)op->nin && op->in[k - 1].has_default && w->is_number[n->kid + k - 1]; k--) {
		init = (double)(float)tn_number_double(op->in[k - 1].init);
		value = fill_of(w->g->ctx, w->g->node[w->g->kid[n->kid + k - 1]].attrs);
		if (value != init || signbit(value) != signbit(init))
			break;
	}
	return k;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static void
put_operands(struct text_writer *w, const struct tn_gnode *n)
{
	uint32_t k, written = count_written(w, n);

	for (k = 0; k < written; k++) {
		uint32_t kid = w->g->kid[n->kid + k];

		buf_putc(&w->b, ' ');
		if (w->is_number[n->kid + k])
			print_val(&w->b, w->g->ctx, NULL, tn_attrs_get(w->g->ctx, w->g->node[kid].attrs, NULL)[0]);
		else
			put_name(w, kid);
	}
}

static void
put_attrs(struct text_writer *w, const struct tn_gnode *n)
{
	const struct tn_op *op = &w->g->program->op[n->op];
	const tn_val *v;
	int count, i;

	tn_attrs_get(w->g->ctx, n->attrs, &count);
	for (i = 0; i < count; i++) {
		v = tn_attrs_get(w->g->ctx, n->attrs, NULL);
		if (v[i] == attr_default(w->g->ctx, &op->attr[i]))
			continue;
		buf_printf(&w->b, " :%s ", op->attr[i].name);
		print_val(&w->b, w->g->ctx, op->attr[i].enums, tn_attrs_get(w->g->ctx, n->attrs, NULL)[i]);
	}
}

/* the numbers and words of a record that no operator declares */
static void
put_record(struct text_writer *w, const struct tn_gnode *n)
{
	int count, i;
	const tn_val *v = tn_attrs_get(w->g->ctx, n->attrs, &count);

	for (i = 0; i < count; i++) {
		buf_putc(&w->b, ' ');
		print_val(&w->b, w->g->ctx, NULL, v[i]);
	}
}

static void
put_node(struct text_writer *w, uint32_t i)
{
	const struct tn_gnode *n = &w->g->node[i];
	bool is_declared = n->op >= TN_CORE || n->op == TN_FILL;

	buf_puts(&w->b, "(let ");
	put_name(w, i);
	buf_printf(&w->b, " (%s", w->g->program->op[n->op].name);
	put_operands(w, n);
	if (is_declared)
		put_attrs(w, n);
	else
		put_record(w, n);
	if (n->op == TN_RESULT) {
		buf_putc(&w->b, ' ');
		print_type(&w->b, w->g->ctx, n->type);
	}
	buf_puts(&w->b, "))");
	if (is_declared) {
		buf_puts(&w->b, "\t; ");
		print_type(&w->b, w->g->ctx, n->type);
	}
}

static void
put_input(struct text_writer *w, uint32_t i)
{
	buf_puts(&w->b, "(input ");
	put_name(w, i);
	buf_putc(&w->b, ' ');
	print_type(&w->b, w->g->ctx, w->g->node[i].type);
	buf_putc(&w->b, ')');
}

static void
put_output(struct text_writer *w, const struct tn_output *out)
{
	buf_puts(&w->b, "\n  (output ");
	put_name(w, out->node);
	if (!w->name[out->node] || strcmp(w->name[out->node], out->name) != 0) {
		buf_putc(&w->b, ' ');
		sx_put_string(&w->b, out->name, strlen(out->name));
	}
	buf_putc(&w->b, ')');
}

static void
flush(struct text_writer *w, FILE *f)
{
	fwrite(w->b.at, 1, w->b.n, f);
	w->b.n = 0;
}

void
tn_graph_write(const struct tn_graph *g, FILE *f, bool with_data)
{
	struct text_writer w = {.g = g};
	uint32_t i;

	choose_names(&w);
	choose_numbers(&w);
	buf_puts(&w.b, "(graph ");
	sx_put_string(&w.b, g->name, strlen(g->name));
	for (i = 0; i < g->nnode; i++) {
		if (g->node[i].op == TN_FILL && !w.is_let[i])
			continue;
		buf_puts(&w.b, "\n  ");
		if (g->node[i].op == TN_INPUT)
			put_input(&w, i);
		else if (g->node[i].op == TN_WEIGHT)
			put_weight(&w, i, with_data);
		else
			put_node(&w, i);
		flush(&w, f);
	}
	for (i = 0; i < g->noutput; i++)
		put_output(&w, &g->output[i]);
	buf_puts(&w.b, ")\n");
	flush(&w, f);
	mem_free(w.name);
	mem_free(w.is_let);
	mem_free(w.is_number);
	buf_free(&w.prefix[0]);
	buf_free(&w.prefix[1]);
	buf_free(&w.b);
}

/* ---- single nodes ----------------------------------------------------------------------------------------------- */

struct text_writer *
text_writer_open(const struct tn_graph *g)
{
	struct text_writer *w = mem_alloc(sizeof *w);

	w->g = g;
	choose_names(w);
	w->is_number = mem_alloc((size_t)g->nkid + 1);
	return w;
}

void
text_writer_close(struct text_writer *w)
{
	mem_free(w->name);
	mem_free(w->is_number);
	buf_free(&w->prefix[0]);
	buf_free(&w->prefix[1]);
	buf_free(&w->b);
	mem_free(w);
}

const char *
text_writer_name(const struct text_writer *w, uint32_t node, char room[32])
{
	if (w->name[node])
		return w->name[node];
	snprintf(room, 32, "%.16s%u", w->prefix[w->g->node[node].op == TN_WEIGHT].at, node);
	return room;
}

void
text_writer_let(struct text_writer *w, uint32_t node, struct buf *out)
{
	put_node(w, node);
	buf_put(out, w->b.at, w->b.n);
	w->b.n = 0;
}
