/*
 * tenon import-rules: rules of other systems as rule text.
 *
 *	(ewadd ?a ?b)=>(ewadd ?b ?a)			TENSAT; with --pairs two lines are one rule
 *	rw!("name"; "(+ ?a ?b)" => "(+ ?b ?a)")		egg
 *	(rewrite (Add a b) (Add b a))			egglog, and (birewrite …)
 *
 * The last two bring operators of their own, which are declared as they are used: no def, cost 1.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/import.h"
#include "cmd/option.h"

static const char *out = "-";
static bool pairs;

static const struct option_row rows[] = {
	{'o', "output", "FILE", "where the rules go (standard output)", OPT_TEXT, &out},
	{0, "pairs", NULL, "every two lines of TENSAT's are one rule with two patterns", OPT_FLAG, &pairs},
	{0},
};

static const struct command_line line = {"import-rules", "FILE", "Translate rules of TENSAT, egg or egglog.", rows};

/* All of a file. */
struct importing {
	struct sx_file file;
	struct tn_error *error;
	struct map arity;		/* operators of egg and egglog: how many operands */
	struct buf ops, rules;
	uint32_t nrule;
};

static bool
wrong(struct importing *z, const struct sx *at, const char *text)
{
	return sx_fail(&z->file, at, z->error, "%s", text);
}

/* ---- TENSAT ---------------------------------------------------------------------------------------------- */

static bool
put_arrow(struct import *m, const struct sx *from, const struct sx *to)
{
	buf_puts(&m->arrows, "\n  (=> ");
	m->is_left = true;
	if (!tensat_term(m, from, &m->arrows))
		return false;
	buf_putc(&m->arrows, ' ');
	m->is_left = false;
	if (!tensat_term(m, to, &m->arrows))
		return false;
	buf_putc(&m->arrows, ')');
	return true;
}

/* arrows LHS => RHS from item `at` on */
static bool
tensat_rule(struct importing *z, uint32_t at, int narrow)
{
	const struct sx *item = z->file.top.item;
	struct import m = {.file = &z->file, .error = z->error};
	bool ok = true;
	int i;

	for (i = 0; ok && i < narrow; i++)
		ok = put_arrow(&m, &item[at + 3 * i], &item[at + 3 * i + 2]);
	if (ok && m.is_same && !m.kernel)
		ok = wrong(z, &item[at], "the padding follows from the kernel, which is no variable on the left side");
	if (ok) {
		if (m.is_same)
			buf_printf(&m.guards, " (= (dim %s 2) (+ 1 (* 2 $p))) (= (dim %s 3) (+ 1 (* 2 $q)))", m.kernel->text, m.kernel->text);
		buf_printf(&z->rules, "\n(rule tensat-%u%s%s", ++z->nrule, m.arrows.at, m.lets.at ? m.lets.at : "");
		if (m.guards.n)
			buf_printf(&z->rules, "\n  (when%s)", m.guards.at);
		buf_puts(&z->rules, ")\n");
	}
	buf_free(&m.arrows);
	buf_free(&m.lets);
	buf_free(&m.guards);
	vec_free(&m.shared);
	return ok;
}

static bool
tensat_rules(struct importing *z)
{
	const struct sx *top = &z->file.top;
	uint32_t step = pairs ? 6 : 3, i;

	for (i = 0; i < top->n; i += 3)
		if (top->n - i < 3 || !sx_is(&top->item[i + 1], "="))
			return wrong(z, &top->item[i], "LEFT=>RIGHT is wanted");
	if (top->n % step)
		return wrong(z, &top->item[top->n - 3], "this line has no second one beside it");
	for (i = 0; i < top->n; i += step)
		if (!tensat_rule(z, i, pairs ? 2 : 1))
			return false;
	buf_puts(&z->ops, "(include \"tensor.rules\")\n");
	return true;
}

/* ---- egg and egglog ------------------------------------------------------------------------------------------ */

/* an operator's declaration where it is new; false: it was used with another number of operands */
static bool
declare(struct importing *z, const struct sx *head, uint32_t n)
{
	bool is_new;
	uint32_t *had, i;

	if (head->kind != SX_ATOM || n == 0)
		return wrong(z, head, "an operator with operands is wanted here");
	had = map_put(&z->arity, head->text, head->n, n, &is_new);
	if (!is_new)
		return *had == n || wrong(z, head, "this operator had another number of operands before");
	buf_printf(&z->ops, "(op %s (cost 1) (in", head->text);
	for (i = 0; i < n; i++)
		buf_printf(&z->ops, " (x%u)", i);
	buf_puts(&z->ops, ") (out))\n");
	return true;
}

static bool
own_term(struct importing *z, const struct sx *t, bool bare_variables, struct buf *to)
{
	bool is_variable = t->kind == SX_ATOM && (t->text[0] == '?' || (bare_variables && isalpha((unsigned char)t->text[0])));
	uint32_t i;

	if (is_variable || (t->kind == SX_ATOM && strchr("0123456789-.", t->text[0]) && t->n && strpbrk(t->text, "0123456789"))) {
		buf_printf(to, "%s%s", is_variable && t->text[0] != '?' ? "?" : "", t->text);
		return true;
	}
	if (t->kind != SX_LIST || t->n == 0)
		return wrong(z, t, "a variable, a number or an operator on its operands is wanted here");
	if (!declare(z, &t->item[0], t->n - 1))
		return false;
	buf_printf(to, "(%s", t->item[0].text);
	for (i = 1; i < t->n; i++) {
		buf_putc(to, ' ');
		if (!own_term(z, &t->item[i], bare_variables, to))
			return false;
	}
	buf_putc(to, ')');
	return true;
}

static bool
own_rule(struct importing *z, const char *name, const char *arrow, const struct sx *from, const struct sx *to,
    bool bare_variables)
{
	z->nrule++;
	if (name)
		buf_printf(&z->rules, "\n(rule %s (%s ", name, arrow);
	else
		buf_printf(&z->rules, "\n(rule rewrite-%u (%s ", z->nrule, arrow);
	if (!own_term(z, from, bare_variables, &z->rules))
		return false;
	buf_putc(&z->rules, ' ');
	if (!own_term(z, to, bare_variables, &z->rules))
		return false;
	buf_puts(&z->rules, "))\n");
	return true;
}

static bool
egglog_rules(struct importing *z)
{
	const struct sx *top = &z->file.top;
	uint32_t i;

	for (i = 0; i < top->n; i++) {
		const struct sx *form = &top->item[i];
		bool both = form->n && sx_is(&form->item[0], "birewrite");

		if (!both && !sx_is(&form->item[0], "rewrite")) {
			if (sx_is(&form->item[0], "rule"))
				return wrong(z, form, "(rule …) with actions is not read, (rewrite …) and (birewrite …) are");
			continue;	/* declarations and commands */
		}
		if (form->n != 3)
			return wrong(z, form, "(rewrite FROM TO) without conditions is read");
		if (!own_rule(z, NULL, both ? "<=>" : "=>", &form->item[1], &form->item[2], true))
			return false;
	}
	return true;
}

/* a term that stands in a string; its file lives as long as the term is read */
static bool
parse_term(struct importing *z, const struct sx *at, struct sx_file *f)
{
	struct tn_error e;

	if (at->kind != SX_STRING || !sx_parse(f, z->file.name, at->text, at->n, &e))
		return wrong(z, at, "a term in a string is wanted here");
	if (f->top.n == 1)
		return true;
	sx_free(f);
	return wrong(z, at, "one term is wanted here");
}

/* ("name" "(+ ?a ?b)" => "(+ ?b ?a)") */
static bool
egg_rule(struct importing *z, const struct sx *form)
{
	struct sx_file from, to;
	bool ok;

	if (form->kind != SX_LIST || form->n != 4 || form->item[0].kind != SX_STRING ||
	    (!sx_is(&form->item[2], "=>") && !sx_is(&form->item[2], "<=>")))
		return wrong(z, form, "(\"name\"; \"FROM\" => \"TO\") without conditions is read");
	if (!sx_is_atom_text(form->item[0].text, form->item[0].n))
		return wrong(z, &form->item[0], "a rule's name is one word");
	if (!parse_term(z, &form->item[1], &from))
		return false;
	if (!parse_term(z, &form->item[3], &to)) {
		sx_free(&from);
		return false;
	}
	ok = own_rule(z, form->item[0].text, form->item[2].text, &from.top.item[0], &to.top.item[0], false);
	sx_free(&from);
	sx_free(&to);
	return ok;
}

static bool
egg_rules(struct importing *z)
{
	const struct sx *top = &z->file.top;
	uint32_t i;

	for (i = 0; i + 1 < top->n; i++)
		if ((sx_is(&top->item[i], "rw!") || sx_is(&top->item[i], "rewrite!")) && !egg_rule(z, &top->item[i + 1]))
			return false;
	return true;
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

/* Rust's semicolons and comments are no S-expressions': blanks, outside strings */
static void
blank_rust(struct buf *b)
{
	bool in_string = false, in_comment = false;
	size_t i;

	for (i = 0; i < b->n; i++) {
		char c = b->at[i];

		in_comment = in_comment ? c != '\n' : !in_string && c == '/' && b->at[i + 1] == '/';
		if (!in_comment && c == '"' && (i == 0 || b->at[i - 1] != '\\'))
			in_string = !in_string;
		if (in_comment || (!in_string && strchr(";,{}[]", c)))
			b->at[i] = c == '\n' ? c : ' ';
	}
}

/* "=>?a" is one atom to the reader: "= ?a" is two, at the same places; false: there is no arrow */
static bool
part_arrows(struct buf *b)
{
	char *at;
	bool any = false;

	for (at = b->at; (at = strstr(at, "=>")) != NULL; any = true)
		at[1] = ' ';
	return any;
}

static bool
read_text(const char *path, struct buf *b, struct tn_error *e)
{
	FILE *f = fopen(path, "r");
	bool ok = f && buf_read(b, f);

	if (!ok)
		tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	return ok;
}

static bool
translate(struct importing *z, const char *path)
{
	struct buf text = {0};
	bool ok = read_text(path, &text, z->error), is_egg, is_tensat;
	const struct sx *top = &z->file.top;

	buf_puts(&text, "");
	is_egg = ok && (strstr(text.at, "rw!(") || strstr(text.at, "rewrite!("));
	is_tensat = ok && !is_egg && part_arrows(&text);
	if (is_egg)
		blank_rust(&text);
	ok = ok && sx_parse(&z->file, path, text.at, text.n, z->error);
	buf_free(&text);
	if (!ok)
		return false;
	if (is_egg)
		return egg_rules(z);
	if (is_tensat)
		return tensat_rules(z);
	for (uint32_t i = 0; i < top->n; i++)
		if (top->item[i].kind != SX_LIST || top->item[i].n == 0)
			return wrong(z, &top->item[i], "neither LEFT=>RIGHT nor (rewrite FROM TO) nor rw!(\"name\"; \"FROM\" => \"TO\")");
	return egglog_rules(z);
}

static bool
write_rules(const struct importing *z, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(out, &temporary, e);

	if (!f)
		return false;
	if (z->ops.n)
		fputs(z->ops.at, f);
	if (z->rules.n)
		fputs(z->rules.at, f);
	return output_close(f, out, temporary, e);
}

int
cmd_import_rules(int argc, char **argv)
{
	struct tn_error e = {0};
	struct importing z = {.error = &e};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != 1)
		return usage_error("import-rules", "one file of rules is wanted, not %u", operands.n);
	status = check_outputs("import-rules", operands.at[0], &out, 1);
	if (status >= 0)
		return status;
	if (translate(&z, operands.at[0]) && z.nrule == 0)
		tn_fail(&e, TN_E_INPUT, "%s: no rules were found", operands.at[0]);
	status = e.code == TN_OK && write_rules(&z, &e) ? EXIT_DONE : fail(&e);
	if (z.file.name)
		sx_free(&z.file);
	map_free(&z.arity);
	buf_free(&z.ops);
	buf_free(&z.rules);
	return status;
}
