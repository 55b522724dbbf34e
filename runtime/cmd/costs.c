/* tenon costs: tables of measured costs shown, compared, merged. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "cmd/cmd.h"
#include "cmd/journal.h"
#include "cmd/option.h"
#include "cmd/prices.h"
#include "cmd/program.h"

static struct {
	const char *out;
	struct rule_options rules;
} options;

static const struct option_row rows[] = {
	{'o', "output", "FILE", "where merge writes (standard output)", OPT_TEXT, &options.out},
	OPERATOR_OPTIONS(options.rules),
	{0},
};

static const struct command_line line = {"costs", "show FILE | diff A B | merge FILE…",
    "Show, compare or merge tables of costs.", rows};

typedef VEC(struct tn_costs *) tables;

static bool
read_tables(struct tn_ctx *c, char **path, uint32_t n, tables *t, struct tn_error *e)
{
	const struct tn_program *program = program_choose(&options.rules, e);
	struct tn_costs *costs;
	uint32_t i;

	for (i = 0; program && i < n; i++) {
		costs = tn_costs_read(c, program, path[i], NULL, e);
		if (!costs)
			return false;
		vec_push(t, costs);
	}
	return program != NULL;
}

/* ---- show ------------------------------------------------------------------------------------------------------------- */

static bool
is_never(const struct tn_measurement *m)
{
	return m->ns >= TN_SLOWEST_NS;
}

/* "      12.345 us", or "           never" for what must not be chosen */
static void
print_price(const struct tn_measurement *m)
{
	if (is_never(m))
		printf("%15s", "never");
	else
		printf("%12.3f us", (double)m->ns / 1e3);
}

static int
show(const struct tn_costs *t)
{
	struct tn_measurement m;
	const char *signature;
	uint32_t i, slow = 0;

	for (i = 0; (signature = tn_costs_line(t, i, &m)); i++) {
		slow += is_never(&m);
		print_price(&m);
		if (!is_never(&m))
			printf("  +%.0f %%", 100 * m.spread);
		printf("  %s\n", signature);
	}
	printf("%u operators on %s, %u of them not to be chosen; others are modelled as %s\n", i, tn_costs_label(t), slow,
	    tn_costs_model(t));
	return EXIT_DONE;
}

/* ---- diff ------------------------------------------------------------------------------------------------------------- */

/* "      12.345 us ->        6.000 us (-51 %)  SIGNATURE", without the share where one is never */
static void
print_change(const struct tn_measurement *x, const struct tn_measurement *y, const char *signature)
{
	printf("  ");
	print_price(x);
	printf(" -> ");
	print_price(y);
	if (!is_never(x) && !is_never(y))
		printf(" (%+.0f %%)", x->ns ? 100 * ((double)y->ns / (double)x->ns - 1) : 0);
	printf("  %s\n", signature);
}

/* both in order of signatures; 1: they differ */
static int
diff(const struct tn_costs *a, const struct tn_costs *b)
{
	struct tn_measurement x, y;
	const char *p, *q;
	uint32_t i = 0, k = 0, other = 0, only = 0, all = 0;
	int order;

	if (strcmp(tn_costs_label(a), tn_costs_label(b)) != 0)
		printf("- identity %s\n+ identity %s\n", tn_costs_label(a), tn_costs_label(b));
	for (;; all++) {
		p = tn_costs_line(a, i, &x);
		q = tn_costs_line(b, k, &y);
		if (!p && !q)
			break;
		order = !p ? 1 : !q ? -1 : strcmp(p, q);
		i += order <= 0;
		k += order >= 0;
		if (order != 0) {
			only++;
			printf("%c ", order < 0 ? '-' : '+');
			print_price(order < 0 ? &x : &y);
			printf("  %s\n", order < 0 ? p : q);
		} else if (x.ns != y.ns) {
			other++;
			print_change(&x, &y, p);
		}
	}
	printf("%u operators, %u with another cost, %u in one table alone\n", all, other, only);
	return other || only || strcmp(tn_costs_label(a), tn_costs_label(b)) != 0 ? EXIT_INPUT : EXIT_DONE;
}

/* ---- merge ------------------------------------------------------------------------------------------------------------ */

/* the first table's lines, then those that it lacks; false: they are of two targets */
static bool
put_together(const tables *t, struct tn_error *e)
{
	uint32_t i;

	for (i = 1; i < t->n; i++) {
		if (strcmp(tn_costs_label(t->at[i]), tn_costs_label(t->at[0])) != 0)
			return tn_fail(e, TN_E_INPUT, "costs of '%s' and of '%s' are not to be mixed", tn_costs_label(t->at[0]),
			    tn_costs_label(t->at[i]));
		prices_add(t->at[0], t->at[i]);
	}
	return true;
}

static int
merge(const tables *t, struct tn_error *e)
{
	const char *path = options.out ? options.out : "-";
	char *temporary;
	FILE *f = put_together(t, e) ? output_open(path, &temporary, e) : NULL;

	if (!f)
		return fail(e);
	tn_costs_write(t->at[0], f);
	return output_close(f, path, temporary, e) ? EXIT_DONE : fail(e);
}

/* Nobody else writes the table that merge writes, from before those that it reads are read; a device or a pipe is nobody's. */
static bool
lock_output(const char *what, struct journal **lock, struct tn_error *e)
{
	struct stat st;

	if (*what != 'm' || !options.out || strcmp(options.out, "-") == 0 || (stat(options.out, &st) == 0 && !S_ISREG(st.st_mode)))
		return true;
	*lock = journal_lock(options.out, e);
	return *lock != NULL;
}

int
cmd_costs(int argc, char **argv)
{
	struct tn_error e = {0};
	struct tn_ctx *ctx;
	struct operands operands;
	struct journal *lock = NULL;
	tables t = {0};
	const char *what;
	uint32_t i, least;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	what = operands.n ? operands.at[0] : "";
	least = strcmp(what, "diff") == 0 ? 2 : 1;
	if (strcmp(what, "show") != 0 && strcmp(what, "diff") != 0 && strcmp(what, "merge") != 0)
		return usage_error("costs", "show, diff or merge?");
	if (operands.n - 1 < least || (strcmp(what, "merge") != 0 && operands.n - 1 > least))
		return usage_error("costs", "%s takes %s", what, least == 2 ? "two tables" : *what == 's' ? "a table" : "one table or more");
	ctx = tn_ctx_new();
	if (!lock_output(what, &lock, &e) || !read_tables(ctx, operands.at + 1, operands.n - 1, &t, &e))
		status = fail(&e);
	else
		status = *what == 's' ? show(t.at[0]) : *what == 'd' ? diff(t.at[0], t.at[1]) : merge(&t, &e);
	for (i = 0; i < t.n; i++)
		tn_costs_free(t.at[i]);
	vec_free(&t);
	if (lock)
		journal_close(lock);
	tn_ctx_free(ctx);
	return status;
}
