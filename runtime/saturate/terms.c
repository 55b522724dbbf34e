/*
 * Terms of a text file into an e-graph of scalars.
 *
 *	(i (* (cos x) x) x)	; operators of the program; names that are none are inputs
 *	(+ 1 (* 2 x))
 */
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/sx.h"
#include "saturate/apply.h"
#include "tenon/tenon.h"

struct adding {
	struct tn_apply apply;
	struct tn_ctx *ctx;
	const struct tn_program *program;
	struct sx_file file;
	struct map op, input;		/* by name */
	struct tn_terms *terms;
	uint32_t name_cap, root_cap;
	struct tn_error *error;
};

/* an input node; its record is its number */
static tn_id
add_input(struct adding *z, const struct sx *x)
{
	struct tn_terms *t = z->terms;
	bool is_new;
	uint32_t index = *map_put(&z->input, x->text, x->n, t->nname, &is_new);
	tn_val v = tn_val_make(z->ctx, &(struct tn_value){.kind = TN_K_INT, .u.i = index});

	if (is_new) {
		if (t->nname == z->name_cap)
			z->name_cap = vec_grow((void **)&t->name, z->name_cap, t->nname + 1, sizeof *t->name);
		t->name[t->nname++] = tn_ctx_str(z->ctx, x->text, x->n);
	}
	return tn_add(z->apply.g, TN_INPUT, tn_attrs_make(z->ctx, &v, 1), NULL, 0);
}

static tn_id
add_atom(struct adding *z, const struct sx *x)
{
	struct tn_number n;
	const uint32_t *op;

	if (x->kind == SX_STRING) {
		sx_fail(&z->file, x, z->error, "a string is no term");
		return TN_NONE;
	}
	if (number_parse(x->text, x->n, &n))
		return tn_num_scalar(&z->apply, n.num, n.den, n.exp10);
	if (sx_is_number_text(x->text, x->n)) {
		sx_fail(&z->file, x, z->error, "this number does not fit: num/den * 10^n, each of 63 bits, is what there is");
		return TN_NONE;
	}
	op = map_get(&z->op, x->text, x->n);
	if (op && z->program->op[*op].nin > 0) {
		sx_fail(&z->file, x, z->error, "'%s' is an operator: write (%s …)", x->text, x->text);
		return TN_NONE;
	}
	return op ? tn_add(z->apply.g, (uint16_t)*op, 0, NULL, 0) : add_input(z, x);
}

static tn_id add_term(struct adding *, const struct sx *);

static tn_id
add_call(struct adding *z, const struct sx *x)
{
	const struct tn_op *op;
	const uint32_t *number = NULL;
	tn_id *kid, id = TN_NONE;
	uint32_t i, n;

	if (x->kind == SX_LIST && x->n && x->item[0].kind == SX_ATOM)
		number = map_get(&z->op, x->item[0].text, x->item[0].n);
	if (!number) {
		sx_fail(&z->file, x, z->error, x->kind == SX_LIST && x->n && x->item[0].kind == SX_ATOM ?
		    "there is no operator '%s'" : "a term is (operator term …), a number or a name", x->n ? x->item[0].text : "");
		return TN_NONE;
	}
	op = &z->program->op[*number];
	n = x->n - 1;
	if (n != (uint32_t)op->nin) {
		sx_fail(&z->file, x, z->error, "'%s' takes %d operand%s, not %u", op->name, op->nin, op->nin == 1 ? "" : "s", n);
		return TN_NONE;
	}
	kid = mem_alloc(n * sizeof *kid);
	for (i = 0; i < n && (kid[i] = add_term(z, &x->item[i + 1])) != TN_NONE; i++)
		;
	if (i == n)
		id = tn_add(z->apply.g, (uint16_t)*number, 0, kid, (int)n);
	mem_free(kid);
	return id;
}

/* the term's class; TN_NONE: an error was set */
static tn_id
add_term(struct adding *z, const struct sx *x)
{
	return sx_is_list(x) ? add_call(z, x) : add_atom(z, x);
}

static bool
add_all(struct adding *z)
{
	struct tn_terms *t = z->terms;
	uint32_t i;
	tn_id id;

	for (i = 0; i < z->file.top.n; i++) {
		id = add_term(z, &z->file.top.item[i]);
		if (id == TN_NONE)
			return false;
		if (t->nroot == z->root_cap)
			z->root_cap = vec_grow((void **)&t->root, z->root_cap, t->nroot + 1, sizeof *t->root);
		t->root[t->nroot++] = id;
	}
	return true;
}

/* Operators by name; false: one of them is no scalar. */
static bool
take_operators(struct adding *z)
{
	const struct tn_op *op;
	int i;

	for (i = TN_CORE; i < z->program->nop; i++) {
		op = &z->program->op[i];
		if (!op->is_scalar)
			return tn_fail(z->error, TN_E_INPUT, "%s:%d: '%s' is not an operator of scalars: terms are made of those alone",
			    op->file, op->line, op->name);
		map_put(&z->op, op->name, strlen(op->name), (uint32_t)i, NULL);
	}
	return true;
}

bool
tn_terms_read(struct tn_egraph *g, struct tn_search *s, struct tn_ctx *ctx, const struct tn_program *p, const char *path,
    struct tn_terms *t, struct tn_error *e)
{
	struct adding z = {.apply = {.g = g, .search = s}, .ctx = ctx, .program = p, .terms = t, .error = e};
	bool ok;

	*t = (struct tn_terms){0};
	if (!sx_read(&z.file, path, e))
		return false;
	ok = take_operators(&z) && add_all(&z);
	if (!ok)
		tn_terms_free(t);
	sx_free(&z.file);
	map_free(&z.op);
	map_free(&z.input);
	apply_free(&z.apply);
	return ok;
}

void
tn_terms_free(struct tn_terms *t)
{
	mem_free(t->root);
	mem_free(t->name);
	*t = (struct tn_terms){0};
}
