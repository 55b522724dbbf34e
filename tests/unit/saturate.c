/* Saturation: limits, phases, guards on the snapshot, contradictions, and what the report says. */
#include "egraph/egraph.h"
#include "tests/unit/scalar.h"

static int failures;
static const struct tn_program *mix, *mathmicro;

static void
expect(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

/* all rules off but these */
static const bool *
only(const struct scalar *s, const char *const name[], int n)
{
	static bool on[64];

	memset(on, 0, sizeof on);
	while (n-- > 0)
		on[scalar_rule(s, name[n])] = true;
	return on;
}

/* The limit counts canonical nodes, and holds inside of an iteration that would make several times as many. */
static void
node_limit(void)
{
	struct tn_limits limits = {.nodes = 20000};
	struct scalar s = scalar_begin(mathmicro, false);
	struct tn_report *r;
	size_t before;

	scalar_read(&s, "tests/egraph/mathmicro.terms");
	r = scalar_run(&s, &limits);
	before = r->iteration[r->niteration - 2].nodes;
	expect(r->stop == TN_STOP_NODES && r->niteration == 9 && before == 8113, "the node limit stops the ninth iteration");
	/* a match adds a few nodes, and the rebuild only unites */
	expect(tn_nnodes(s.g) <= 20003 && tn_nnodes(s.g) > 15000, "the node limit is kept within one match");
	expect(!tn_egraph_check(s.g), "what was stopped is whole");
	tn_report_free(r);
	scalar_end(&s);
}

/* Twins that wait to be united are not counted: a limit that the true count never reaches stops nothing. */
static void
node_limit_counts_classes(void)
{
	struct tn_limits limits = {.nodes = 25000};
	struct scalar s = scalar_begin(compiled_program("tests/egraph/ac.rules"), false);
	struct tn_report *r;

	scalar_read(&s, "tests/egraph/ac9.terms");
	r = scalar_run(&s, &limits);
	expect(r->stop == TN_STOP_SATURATED && tn_nnodes(s.g) == 18669, "a limit above the true count stops nothing");
	expect(tn_nids(s.g) > 25000, "(more were made than live)");
	tn_report_free(r);
	scalar_end(&s);
}

static void
other_limits(void)
{
	volatile int flag = 1;
	struct tn_limits limits[] = {{.iterations = 3}, {.time_s = 1e-9}, {.max_applies = 5}, {.interrupted = &flag}};
	static const enum tn_stop stop[] = {TN_STOP_ITERATIONS, TN_STOP_TIME, TN_STOP_ITERATIONS, TN_STOP_INTERRUPT};
	size_t i;

	for (i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct scalar s = scalar_begin(mathmicro, false);
		struct tn_report *r;

		scalar_read(&s, "tests/egraph/mathmicro.terms");
		r = scalar_run(&s, &limits[i]);
		expect(r->stop == stop[i] && r->niteration > 0, "a limit stops the run, and there is a report");
		if (limits[i].max_applies)
			expect(r->niteration == 1 && r->iteration[0].applied == 5, "five matches are applied");
		if (limits[i].iterations)
			expect(r->niteration == 3, "three iterations");
		expect(!tn_egraph_check(s.g), "what was stopped is whole");
		tn_report_free(r);
		scalar_end(&s);
	}
}

/* Guards see the snapshot: that a class is 0 counts from the iteration after the one that finds it. */
static void
guards_on_snapshot(void)
{
	static const char *const names[] = {"make-zero", "g-zero"};
	struct tn_limits limits = {.iterations = 1};
	struct scalar s = scalar_begin(mix, false);
	struct tn_report *r;
	int zero = scalar_rule(&s, "g-zero");

	limits.rule_on = only(&s, names, 2);
	scalar_terms(&s, "x (g x (k (k (k y))))");
	r = scalar_run(&s, &limits);
	expect(r->rule[scalar_rule(&s, "make-zero")].applied == 1 && r->rule[zero].matches == 0, "0 is not known at once");
	tn_report_free(r);
	limits.iterations = 0;
	r = scalar_run(&s, &limits);
	expect(r->rule[zero].matches > 0 && r->stop == TN_STOP_SATURATED, "0 is known then");
	expect(tn_find(s.g, s.terms.root[0]) == tn_find(s.g, s.terms.root[1]), "and the rule was applied");
	tn_report_free(r);
	scalar_end(&s);
}

/* Two numbers in one class are a contradiction, which ends the run. */
static void
two_numbers(void)
{
	struct scalar s = scalar_begin(mix, false);
	struct tn_report *r;

	scalar_terms(&s, "0 1 (f x)");
	tn_union(s.g, s.terms.root[0], s.terms.root[1], NULL);
	r = scalar_run(&s, &(struct tn_limits){0});
	expect(r->stop == TN_STOP_DEFECT && r->defect && r->niteration == 0, "two numbers in one class end the run");
	tn_report_free(r);
	scalar_end(&s);
}

struct watched {
	int tidy, other;
	uint32_t tidied_until;		/* the last iteration that applied tidy anew */
	uint32_t begun;			/* the first in which the other rule was searched for and found */
	uint64_t applied;
};

static void
watch(void *arg, const struct tn_report *r)
{
	struct watched *w = arg;

	if (r->rule[w->tidy].applied > w->applied)
		w->tidied_until = r->niteration;
	w->applied = r->rule[w->tidy].applied;
	if (!w->begun && r->rule[w->other].matches)
		w->begun = r->niteration;
}

/* Rules that only tidy go to their fixpoint before others begin, and take none of their iterations. */
static void
normalise_first(void)
{
	static const char *const names[] = {"tidy-g", "tidy-k", "g-comm"};
	struct tn_limits limits = {.iterations = 4};
	struct scalar s = scalar_begin(mix, false);
	struct watched w = {.tidy = scalar_rule(&s, "tidy-k"), .other = scalar_rule(&s, "g-comm")};
	struct tn_report *r;

	limits.rule_on = only(&s, names, 3);
	scalar_terms(&s, "(k (k (g (f x) (f y))))");
	r = tn_saturate(s.g, s.search, s.program, &limits, watch, &w);
	expect(w.tidied_until > 1 && w.begun > w.tidied_until, "no other rule begins while tidying changes anything");
	expect(r->niteration > limits.iterations, "tidying has iterations of its own");
	expect(r->rule[w.other].applied > 0, "then the others");
	tn_report_free(r);
	scalar_end(&s);
}

static void
count_call(void *arg, const struct tn_report *r)
{
	uint32_t *calls = arg;

	expect(r->niteration == ++*calls, "progress is told after each iteration");
}

/* Sums agree, and a proof holds each union's rule. */
static void
report_and_proof(void)
{
	struct tn_limits limits = {.iterations = 6};
	struct scalar s = scalar_begin(mathmicro, true);
	uint64_t matches[2] = {0, 0}, applied[2] = {0, 0};
	uint32_t calls = 0, i, ruled = 0;
	struct tn_report *r;

	scalar_read(&s, "tests/egraph/mathmicro.terms");
	r = tn_saturate(s.g, s.search, s.program, &limits, count_call, &calls);
	for (i = 0; i < r->niteration; i++) {
		matches[0] += r->iteration[i].matches;
		applied[0] += r->iteration[i].applied;
	}
	for (i = 0; i < (uint32_t)s.program->nrule; i++) {
		matches[1] += r->rule[i].matches;
		applied[1] += r->rule[i].applied;
	}
	expect(calls == 6 && matches[0] == matches[1] && applied[0] == applied[1] && applied[0] > 0, "sums over rules and iterations agree");
	for (i = 0; i < s.g->proof.n; i++)
		if (s.g->proof.at[i].rule != TN_NONE) {
			ruled++;
			expect(s.g->proof.at[i].nvar == (uint32_t)s.program->rule[s.g->proof.at[i].rule].nvar, "a substitution is whole");
		}
	expect(ruled > 0 && ruled < s.g->proof.n && s.g->birth.n == tn_nids(s.g), "rules and congruence are both recorded");
	tn_report_free(r);
	scalar_end(&s);
}

int
main(void)
{
	mix = compiled_program("tests/egraph/mix.rules");
	mathmicro = compiled_program("tests/egraph/mathmicro.rules");
	node_limit();
	node_limit_counts_classes();
	other_limits();
	guards_on_snapshot();
	two_numbers();
	normalise_first();
	report_and_proof();
	return failures > 0;
}
