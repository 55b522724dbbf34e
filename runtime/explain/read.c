/* A chain from its text; see write.c.  Whether its steps hold is check.c's to say. */
#include <string.h>

#include "explain/chain.h"
#include "tensor/text.h"

struct reading {
	struct tn_chain *c;
	struct text_reader r;
};

/* ---- names -------------------------------------------------------------------------------------------------- */

/* the form's text with single blanks, as substitutions are written */
static void
put_form(struct buf *b, const struct sx *s)
{
	uint32_t i;

	if (s->kind == SX_STRING)
		sx_put_string(b, s->text, s->n);
	else if (!sx_is_list(s))
		buf_put(b, s->text, s->n);
	else {
		buf_putc(b, s->kind == SX_LIST ? '(' : '[');
		for (i = 0; i < s->n; i++) {
			if (i)
				buf_putc(b, ' ');
			put_form(b, &s->item[i]);
		}
		buf_putc(b, s->kind == SX_LIST ? ')' : ']');
	}
}

/* what the original's nodes are called */
static void
name_given(struct reading *z)
{
	struct text_writer *w = text_writer_open(z->c->original);
	const char *name;
	char room[32];
	uint32_t i;

	for (i = 0; i < z->c->ngiven; i++) {
		name = text_writer_name(w, i, room);
		map_put(&z->r.named, name, strlen(name), i, NULL);
	}
	text_writer_close(w);
	chain_name(z->c);
}

/* ---- forms --------------------------------------------------------------------------------------------------- */

/* nodes of a let are known from then on, and are called as here */
static bool
read_let(struct reading *z, const struct sx *form)
{
	uint32_t first = z->c->g->nnode, i, node;
	struct buf b = {0};

	if (!text_let(&z->r, form) || !text_node(&z->r, &form->item[1], &node))
		return false;
	for (i = first; i < z->c->g->nnode; i++)
		chain_know(z->c, i);
	put_form(&b, &form->item[1]);
	chain_name(z->c);
	z->c->name.at[node] = arena_str(&z->c->arena, b.at, b.n);
	vec_push(&z->c->wanted, node);
	buf_free(&b);
	return true;
}

static bool
read_output(struct reading *z, const struct sx *form)
{
	uint32_t node;

	if (form->n != 3 || form->item[2].kind != SX_STRING)
		return text_bad(&z->r, form, "(output NODE \"NAME\") is wanted");
	if (!text_node(&z->r, &form->item[1], &node))
		return false;
	tn_graph_output(z->c->g, form->item[2].text, node);
	return true;
}

/* the nodes of (HEAD NODE …), which is the form's item i, onto the chain's list; how many */
static bool
read_nodes(struct reading *z, const struct sx *form, uint32_t i, const char *head, uint32_t *n)
{
	const struct sx *list = i < form->n ? &form->item[i] : form;
	uint32_t k, node;

	if (i >= form->n || list->kind != SX_LIST || list->n == 0 || !sx_is(&list->item[0], head))
		return text_bad(&z->r, list, "(%s NODE …) is wanted", head);
	for (k = 1; k < list->n; k++) {
		if (!text_node(&z->r, &list->item[k], &node))
			return false;
		vec_push(&z->c->list, node);
	}
	*n = list->n - 1;
	return true;
}

static bool
find_rule(struct reading *z, const struct sx *name, uint32_t *rule)
{
	const struct tn_program *p = z->c->g->program;
	int i;

	for (i = 0; i < p->nrule && !sx_is_list(name); i++)
		if (strcmp(p->rule[i].name, name->text) == 0) {
			*rule = (uint32_t)i;
			return true;
		}
	return text_bad(&z->r, name, "there is no rule of this name");
}

/* (with (?x n1) …) as it would be written */
static bool
read_with(struct reading *z, const struct sx *form, uint32_t i, struct step *s)
{
	struct buf b = {0};
	uint32_t k;

	if (i >= form->n || form->item[i].kind != SX_LIST || form->item[i].n == 0 || !sx_is(&form->item[i].item[0], "with"))
		return text_bad(&z->r, form, "(with (VARIABLE WHAT) …) is wanted");
	for (k = 1; k < form->item[i].n; k++) {
		if (k > 1)
			buf_putc(&b, ' ');
		put_form(&b, &form->item[i].item[k]);
	}
	s->with = arena_str(&z->c->arena, b.n ? b.at : "", b.n);
	buf_free(&b);
	return true;
}

/* (step N KIND [NAME] (at …) [(ends …)] [(with …)] (is …)); lists are kept as at, is, ends */
static bool
read_step(struct reading *z, const struct sx *form)
{
	struct step s = {.with = "", .at = z->c->list.n};
	uint32_t i = 3, nis, leaf, k;

	for (s.kind = 0; s.kind <= STEP_FORM && !(form->n > 2 && sx_is(&form->item[2], step_word[s.kind])); s.kind++)
		;
	if (s.kind > STEP_FORM)
		return text_bad(&z->r, form, "(step NUMBER rule NAME …), fold or form is wanted");
	if (s.kind == STEP_RULE && (form->n < 4 || !find_rule(z, &form->item[i++], &s.rule)))
		return form->n >= 4 ? false : text_bad(&z->r, form, "which rule?");
	if (!read_nodes(z, form, i++, "at", &s.nat))
		return false;
	leaf = z->c->list.n;
	if (s.kind != STEP_FOLD && !read_nodes(z, form, i++, "ends", &s.nleaf))
		return false;
	if (s.kind == STEP_RULE && !read_with(z, form, i++, &s))
		return false;
	if (!read_nodes(z, form, i++, "is", &nis) || i != form->n || nis != s.nat || s.nat == 0)
		return *z->r.error->msg ? false : text_bad(&z->r, form, "as many results as places are wanted, and nothing more");
	/* at, ends, is: the latter two change places */
	for (k = 0; k < s.nleaf; k++)
		vec_push(&z->c->list, z->c->list.at[leaf + k]);
	memmove(&z->c->list.at[leaf], &z->c->list.at[leaf + s.nleaf], ((size_t)nis + s.nleaf) * sizeof *z->c->list.at);
	z->c->list.n -= s.nleaf;
	vec_push(&z->c->step, s);
	return true;
}

static bool
read_form(struct reading *z, const struct sx *form)
{
	static const struct {
		const char *head;
		bool (*read)(struct reading *, const struct sx *);
	} table[] = {{"let", read_let}, {"step", read_step}, {"output", read_output}};
	size_t i;

	for (i = 0; form->kind == SX_LIST && form->n >= 2 && i < sizeof table / sizeof *table; i++)
		if (sx_is(&form->item[0], table[i].head))
			return table[i].read(z, form);
	return text_bad(&z->r, form, "(let …), (step …) or (output …) is wanted");
}

static bool
read_all(struct reading *z)
{
	const struct sx *top = &z->r.file.top, *form = top->n == 1 ? &top->item[0] : top;
	uint32_t i;

	if (form == top || form->kind != SX_LIST || form->n < 2 || !sx_is(&form->item[0], "explanation") || sx_is_list(&form->item[1]))
		return text_bad(&z->r, form, "a file holds one (explanation NAME …)");
	for (i = 2; i < form->n; i++)
		if (!read_form(z, &form->item[i]))
			return false;
	return true;
}

struct tn_chain *
tn_chain_read(const struct tn_graph *original, const struct tn_onnx *form, const char *path, struct tn_error *e)
{
	struct tn_error why = {0};
	struct reading z = {.r = {.error = &why}};
	bool ok;

	z.c = chain_new(original, form, e);
	if (!z.c)
		return NULL;
	z.r.g = z.c->g;
	ok = sx_read(&z.r.file, path, &why);
	if (ok) {
		name_given(&z);
		ok = read_all(&z);
		sx_free(&z.r.file);
	}
	map_free(&z.r.named);
	map_free(&z.r.opaque);
	if (ok)
		return z.c;
	tn_fail(e, why.code, "%s", why.msg);
	tn_chain_free(z.c);
	return NULL;
}
