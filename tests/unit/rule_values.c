/*
 * Both sides of every rule compute the same.  A rule's left sides are drawn at random, the rule is applied as
 * it would be to a model, and each other e-node of the roots' classes is taken out and executed beside the
 * original.  A rule that never applies fails too.
 *
 *	rule_values [FILE.rules …]	the built-in rules, or those of files
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "dsl/rule.h"
#include "tenon/compile.h"
#include "tests/oracle/random_term.h"

enum { WANTED = 30, DRAWS = 200000 };

static struct rules rules;
static const struct tn_program *program;
static struct random_op draws;
static bool *rule_on;
static bool is_quiet;		/* refutations are expected */

/* ---- taking a graph out ------------------------------------------------------------------------------------- */

/* A choice of e-nodes in which `node` makes its class: each class by the first node whose operands are
 * made already.  False: that one goes round in a circle. */
static bool
choose(const struct tn_egraph *g, tn_id class, tn_id node, tn_id choice[])
{
	const tn_id *all;
	uint32_t n, i, k;
	bool more = true;
	tn_id c;

	memset(choice, 0xff, tn_nids(g) * sizeof *choice);
	while (more) {
		more = false;
		for (c = 0; c < tn_nids(g); c++) {
			if (tn_find(g, c) != c || choice[c] != TN_NONE)
				continue;
			all = tn_class_nodes(g, c, &n);
			for (i = 0; i < n && choice[c] == TN_NONE; i++) {
				struct tn_node e = tn_node_at(g, all[i]);
				bool made = c != class || all[i] == node;

				for (k = 0; k < e.nkid; k++)
					made &= choice[tn_find(g, e.kid[k])] != TN_NONE;
				if (made) {
					choice[c] = all[i];
					more = true;
				}
			}
		}
	}
	return choice[class] == node;
}

/* -1: they differ, said; else whether there was something to compare */
static int
compare_with(const struct tn_graph *left, const struct tn_tensors *t, const tn_id choice[], const char *name)
{
	struct tn_error e = {0};
	struct tn_difference d = {0};
	struct tn_graph *right = tn_tensors_graph(t, left, choice, NULL, &e);
	int64_t sizes[1] = {0};
	bool ok;

	if (!right)
		return 0;
	ok = tn_graphs_compare(left, right, 2, sizes, 0, &d, &e);	/* false: nothing but NaN */
	if (d.differs && !is_quiet) {
		printf("%s: %s\n", name, d.where);
		tn_graph_write(left, stdout, false);
		tn_graph_write(right, stdout, false);
	}
	tn_graph_free(right);
	return d.differs ? -1 : ok;
}

/* every other e-node of the roots' classes; as compare_with */
static int
compare_all(const struct tn_graph *left, struct tn_tensors *t, const char *name)
{
	struct tn_egraph *g = tn_tensors_egraph(t);
	tn_id *choice = malloc(tn_nids(g) * sizeof *choice), class;
	const tn_id *all;
	uint32_t o, n, i;
	int compared = 0, one;

	for (o = 0; o < left->noutput && compared >= 0; o++) {
		class = tn_find(g, tn_tensors_classes(t)[left->output[o].node]);
		all = tn_class_nodes(g, class, &n);
		for (i = 0; i < n && n > 1 && compared >= 0; i++) {
			if (!choose(g, class, all[i], choice))
				continue;
			one = compare_with(left, t, choice, name);
			compared = one < 0 ? one : compared | one;
		}
	}
	free(choice);
	return compared;
}

/* ---- rules ---------------------------------------------------------------------------------------------------- */

/* as compare_with, for one draw */
static int
try_once(int r, bool all_weights)
{
	struct random_term how = {&draws, program, rules.text.op, all_weights};
	struct tn_limits limits = {.iterations = 1, .multi_iterations = 1, .nodes = 1000, .rule_on = rule_on};
	struct tn_graph *left = random_left_sides(&how, &rules.text.rule[r]);
	struct tn_tensors *t;
	struct tn_report *report;
	int compared = 0;

	if (!left)
		return 0;
	t = tn_tensors_new(draws.ctx, program, left, false);
	report = tn_saturate(tn_tensors_egraph(t), tn_tensors_search(t), program, &limits, NULL, NULL);
	if (report->rule[r].applied)
		compared = compare_all(left, t, program->rule[r].name);
	tn_report_free(report);
	tn_tensors_free(t);
	tn_graph_free(left);
	return compared;
}

/* does it hold on enough instances? */
static bool
holds(int r)
{
	int compared = 0, i, one = 0;
	double start = clock_now();

	draws = (struct random_op){.ctx = tn_ctx_new(), .rng = {1}, .scale = 4};
	rule_on[r] = true;
	for (i = 0; i < DRAWS && compared < WANTED && one >= 0; i++) {
		one = try_once(r, i % 2);
		compared += one > 0;
	}
	rule_on[r] = false;
	tn_ctx_free(draws.ctx);
	if (one >= 0 && compared < WANTED)
		printf("%s: only %d of %d draws were instances\n", program->rule[r].name, compared, i);
	if (getenv("RULE_TIMES"))
		printf("%-40s %6d draws %6.2f s\n", program->rule[r].name, i, clock_now() - start);
	return one >= 0 && compared == WANTED;
}

/* Rules of files, compiled, or the built-in ones; how many do not do as they should. */
static int
check_files(const char *const path[], int npath, bool is_builtin, bool should_hold)
{
	struct tn_error e = {0};
	int r, wrong = 0;

	rules = (struct rules){.include_dir = "rules"};
	if (!rules_load(&rules, path, npath)) {
		diag_print(&rules.diags, stdout, false);
		return 1;
	}
	program = is_builtin ? &tn_builtin : tn_program_load(path, npath, "rules", stdout, &e);
	if (!program || program->nrule != rules.text.nrule) {
		printf("%s\n", program ? "the built-in rules are not those of the files" : e.msg);
		return 1;
	}
	rule_on = calloc((size_t)program->nrule + 1, 1);
	for (r = 0; r < program->nrule; r++) {
		if (!program->rule[r].apply || holds(r) == should_hold)
			continue;
		if (!should_hold)
			printf("%s: not refuted\n", program->rule[r].name);
		wrong++;
	}
	free(rule_on);
	rules_free(&rules);
	return wrong;
}

enum { FILES = 64 };

/* the files that rules/standard names */
static int
standard_files(const char *path[FILES])
{
	static char text[FILES][256];
	FILE *f = fopen("rules/standard", "r");
	char name[240];
	int n = 0;

	while (f && n < FILES && fscanf(f, "%239s", name) == 1) {
		snprintf(text[n], sizeof text[n], "rules/%s", name);
		path[n] = text[n];
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

static const char *const leaves[] = {"tests/oracle/leaves.rules"}, *const unsound[] = {"tests/oracle/unsound.rules"};

int
main(int argc, char **argv)
{
	const char *standard[FILES];
	int nstandard;

	/* a cache of its own where there is room for it */
	if (getenv("TMP"))
		setenv("XDG_CACHE_HOME", getenv("TMP"), 1);
	setenv("TENON_INCLUDE", "runtime/include", 1);
	if (argc > 1)
		return check_files((const char *const *)argv + 1, argc - 1, false, true);
	nstandard = standard_files(standard);
	if (nstandard == 0 || check_files(standard, nstandard, true, true) != 0 || check_files(leaves, 1, false, true) != 0)
		return 1;
	is_quiet = true;
	return check_files(unsound, 1, false, false) != 0;
}
