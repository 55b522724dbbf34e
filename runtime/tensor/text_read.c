/* .graph text as a graph; the form is described in graph.h. */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "tensor/element.h"
#include "tensor/text.h"

typedef VEC(uint32_t) nodes;

/* ---- names -------------------------------------------------------------------------------------------- */

static bool
define(struct text_reader *r, const struct sx *name, uint32_t node)
{
	bool is_new;

	if (sx_is_list(name) || text_is_number(name) || (name->kind == SX_ATOM && name->text[0] == ':'))
		return text_bad(r, name, "a name is wanted here, in quotes if it looks like something else");
	map_put(&r->named, name->text, name->n, node, &is_new);
	return is_new || text_bad(r, name, "'%.80s' is defined already", name->text);
}

bool
text_node(struct text_reader *r, const struct sx *name, uint32_t *node)
{
	uint32_t *n;

	if (sx_is_list(name))
		return text_bad(r, name, "a name is wanted here");
	n = map_get(&r->named, name->text, name->n);
	if (n)
		*node = *n;
	return n || text_bad(r, name, "nothing is called '%.80s' so far", name->text);
}

/* ---- operators ------------------------------------------------------------------------------------------ */

static bool read_term(struct text_reader *, const struct sx *, uint32_t *node);

/* a term that is a tensor */
static bool
read_tensor(struct text_reader *r, const struct sx *s, uint32_t *node)
{
	if (!read_term(r, s, node))
		return false;
	return r->g->node[*node].op != TN_OPAQUE || text_bad(r, s, "an opaque operator is no tensor, its results are: (result …)");
}

/* operands up to the first attribute, TN_NONE for numbers; *at is the attribute's place then */
static bool
read_operands(struct text_reader *r, const struct sx *form, uint32_t *at, nodes *kid)
{
	uint32_t node;

	for (*at = 1; *at < form->n; ++*at) {
		const struct sx *s = &form->item[*at];

		node = TN_NONE;
		if (s->kind == SX_ATOM && s->text[0] == ':')
			break;
		if (!text_is_number(s) && !read_tensor(r, s, &node))
			return false;
		vec_push(kid, node);
	}
	return true;
}

/* a shape check's words, at the operator's place */
static bool
refuse(struct text_reader *r, const struct sx *form, const struct tn_op *op, tn_attrs attrs)
{
	struct tn_error why = *r->error;

	if (attrs == TN_NONE)
		return text_bad(r, form, "%s: an axis is out of range", op->name);
	return text_bad(r, form, "%s", why.msg);
}

/* is the number, which is an f32's, as good as the element of this type that its place wants? */
static bool
number_fits(struct text_reader *r, const struct sx *at, double x, tn_type type)
{
	enum tn_dtype dtype = tn_type_get(r->g->ctx, type)->dtype;

	return element_fits(dtype, x) ||
	    text_bad(r, at, "%.60s cannot stand for a tensor of %s: a weight can hold it", at->kind == SX_ATOM ? at->text : "a number",
	    dtype_name(dtype));
}

/* give numbers, and operands that are left out, the shapes that their places give them */
static bool
fill_numbers(struct text_reader *r, const struct sx *form, const struct tn_op *op, tn_attrs attrs, nodes *kid)
{
	uint32_t i, given = kid->n;
	struct tn_infer s = {.ctx = r->g->ctx, .op = op, .error = r->error, .keep_unknown = true};
	double x;
	bool ok;

	while ((int)kid->n < op->nin && op->in[kid->n].has_default)
		vec_push(kid, TN_NONE);
	s.nin = (int)kid->n;
	s.in = mem_alloc(((size_t)kid->n + 1) * sizeof *s.in);
	for (i = 0; i < kid->n; i++)
		s.in[i] = kid->at[i] == TN_NONE ? TN_NONE : r->g->node[kid->at[i]].type;
	s.attrs = tn_attrs_normalise(r->g->ctx, op, attrs, s.in, s.nin);
	ok = (s.attrs != TN_NONE && tn_infer_run(&s)) || refuse(r, form, op, s.attrs);
	for (i = 0; ok && i < kid->n; i++) {
		if (kid->at[i] != TN_NONE)
			continue;
		if (i < given)
			ok = text_number(r, &form->item[1 + i], &x);
		else
			x = tn_number_double(op->in[i].init);
		ok = ok && number_fits(r, i < given ? &form->item[1 + i] : form, x, s.in[i]);
		if (ok)
			kid->at[i] = tn_graph_fill(r->g, x, s.in[i]);
	}
	mem_free(s.in);
	return ok;
}

static bool
read_declared(struct text_reader *r, const struct sx *form, unsigned number, uint32_t *node)
{
	const struct tn_op *op = &r->g->program->op[number];
	nodes kid = {0};
	tn_attrs attrs = 0;
	uint32_t at;
	bool ok = read_operands(r, form, &at, &kid);

	if (ok && kid.n > TN_MAX_OPERANDS)
		ok = text_bad(r, form, "%s: more than %d operands", op->name, TN_MAX_OPERANDS);
	ok = ok && text_attrs(r, op, form, at, &attrs) && fill_numbers(r, form, op, attrs, &kid);
	if (ok) {
		*node = tn_graph_node(r->g, number, attrs, kid.at, (int)kid.n, TN_NONE, r->error);
		ok = *node != TN_NONE || refuse(r, form, op, attrs);
	}
	vec_free(&kid);
	return ok;
}

/* (opaque x y 7 "Resize"): its number among the model's nodes, and what is said of it */
static bool
read_opaque(struct text_reader *r, const struct sx *form, uint32_t *node)
{
	uint32_t kid, i, n = form->n;
	const char *what = NULL;
	nodes kids = {0};
	int64_t number;
	bool ok, is_new;

	if (n > 2 && form->item[n - 1].kind == SX_STRING)
		what = form->item[--n].text;
	ok = (n >= 2 && sx_int(&form->item[n - 1], &number) && number >= 0 && number < TN_NONE) ||
	    text_bad(r, form, "(opaque OPERAND … NUMBER \"WHAT\") is wanted");
	ok = ok && (n - 2 <= TN_MAX_OPERANDS || text_bad(r, form, "opaque: more than %d operands", TN_MAX_OPERANDS));
	if (ok) {
		map_put(&r->opaque, &number, sizeof number, 0, &is_new);
		ok = is_new || text_bad(r, &form->item[n - 1], "two opaque operators with this number");
	}
	for (i = 1; ok && i + 1 < n; i++) {
		ok = read_tensor(r, &form->item[i], &kid);
		if (ok)
			vec_push(&kids, kid);
	}
	if (ok) {
		*node = tn_graph_opaque(r->g, kids.at, (int)kids.n, (uint32_t)number);
		if (what)
			tn_graph_describe(r->g, *node, what);
	}
	vec_free(&kids);
	return ok;
}

/* (result o 0 f32 [1 h]) */
static bool
read_result(struct text_reader *r, const struct sx *form, uint32_t *node)
{
	enum { MOST = 1 << 16 };
	int64_t number;
	tn_type type;

	if (form->n != 5 || !sx_int(&form->item[2], &number) || number < 0 || number >= MOST)
		return text_bad(r, form, "(result OPAQUE NUMBER f32 [1 h]) is wanted");
	if (!read_term(r, &form->item[1], node) || !text_type(r, form, 3, &type))
		return false;
	if (r->g->node[*node].op != TN_OPAQUE)
		return text_bad(r, &form->item[1], "only opaque operators have results");
	*node = tn_graph_result(r->g, *node, (int)number, type);
	return true;
}

static bool
read_operator(struct text_reader *r, const struct sx *form, uint32_t *node)
{
	const struct sx *head = &form->item[0];
	unsigned number;

	if (sx_is_list(head))
		return text_bad(r, head, "an operator is wanted here");
	number = tn_op_named(r->g->program, head->text);
	switch (number) {
	case TN_OPAQUE:
		return read_opaque(r, form, node);
	case TN_RESULT:
		return read_result(r, form, node);
	case TN_INPUT: case TN_WEIGHT: case TN_NONE:
		return text_bad(r, head, "there is no operator '%.80s'", head->text);
	default:
		return read_declared(r, form, number, node);
	}
}

/* a name, or an operator on its operands */
static bool
read_term(struct text_reader *r, const struct sx *s, uint32_t *node)
{
	if (s->kind == SX_LIST && s->n)
		return read_operator(r, s, node);
	return text_node(r, s, node);
}

/* ---- forms ---------------------------------------------------------------------------------------------- */

static bool
read_input(struct text_reader *r, const struct sx *form)
{
	tn_type type;

	if (form->n != 4 || sx_is_list(&form->item[1]))
		return text_bad(r, form, "(input NAME f32 [1 3 h w]) is wanted");
	return text_type(r, form, 2, &type) && define(r, &form->item[1], tn_graph_input(r->g, form->item[1].text, type));
}

static bool
read_weight(struct text_reader *r, const struct sx *form)
{
	struct tn_weight w = {0};

	if (form->n < 4 || sx_is_list(&form->item[1]))
		return text_bad(r, form, "(weight NAME f32 [4 8] :seed 1) is wanted");
	w.name = form->item[1].text;
	return text_type(r, form, 2, &w.type) && text_elements(r, form, 4, &w) &&
	    define(r, &form->item[1], tn_graph_weight(r->g, &w));
}

bool
text_let(struct text_reader *r, const struct sx *form)
{
	uint32_t node;

	if (form->n != 3)
		return text_bad(r, form, "(let NAME TERM) is wanted");
	return read_term(r, &form->item[2], &node) && define(r, &form->item[1], node);
}

static bool
read_output(struct text_reader *r, const struct sx *form)
{
	const struct sx *name = &form->item[form->n == 3 ? 2 : 1];
	uint32_t node;

	if (form->n > 3 || sx_is_list(name))
		return text_bad(r, form, "(output NODE), or with a name of its own (output TERM NAME), is wanted");
	if (!read_tensor(r, &form->item[1], &node))
		return false;
	tn_graph_output(r->g, name->text, node);
	return true;
}

static bool
read_form(struct text_reader *r, const struct sx *form)
{
	static const struct {
		const char *head;
		bool (*read)(struct text_reader *, const struct sx *);
	} table[] = {{"input", read_input}, {"weight", read_weight}, {"let", text_let}, {"output", read_output}};
	size_t i;

	for (i = 0; form->kind == SX_LIST && form->n >= 2 && i < sizeof table / sizeof *table; i++)
		if (sx_is(&form->item[0], table[i].head))
			return table[i].read(r, form);
	return text_bad(r, form, "(input …), (weight …), (let …) or (output …) is wanted");
}

static bool
read_graph(struct text_reader *r, struct tn_ctx *ctx, const struct tn_program *program)
{
	const struct sx *form = r->file.top.n == 1 ? &r->file.top.item[0] : &r->file.top;
	bool ok = true;
	uint32_t i;

	if (form == &r->file.top || form->kind != SX_LIST || form->n < 2 || !sx_is(&form->item[0], "graph") ||
	    sx_is_list(&form->item[1]))
		return text_bad(r, form, "a file holds one (graph NAME …)");
	r->g = tn_graph_new(ctx, program, form->item[1].text);
	for (i = 2; ok && i < form->n; i++)
		ok = read_form(r, &form->item[i]);
	return ok && (r->g->noutput || text_bad(r, form, "a graph has an output"));
}

/* the graph of a tree that was read, which is freed */
static struct tn_graph *
finish(struct text_reader *r, struct tn_ctx *ctx, const struct tn_program *program)
{
	if (!read_graph(r, ctx, program)) {
		tn_graph_free(r->g);
		r->g = NULL;
	}
	map_free(&r->named);
	map_free(&r->opaque);
	sx_free(&r->file);
	return r->g;
}

struct tn_graph *
tn_graph_read(struct tn_ctx *ctx, const struct tn_program *program, const char *path, struct tn_error *e)
{
	struct tn_error unused = {0};
	struct text_reader r = {.error = e ? e : &unused};

	return sx_read(&r.file, path, r.error) ? finish(&r, ctx, program) : NULL;
}

struct tn_graph *
tn_graph_parse(struct tn_ctx *ctx, const struct tn_program *program, const char *name, const char *text,
    size_t len, struct tn_error *e)
{
	struct tn_error unused = {0};
	struct text_reader r = {.error = e ? e : &unused};

	return sx_parse(&r.file, name, text, len, r.error) ? finish(&r, ctx, program) : NULL;
}
