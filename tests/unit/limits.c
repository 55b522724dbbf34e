/*
 * Limits hold inside a step: a join of 6 x 10^11 matches and matches applied in one iteration end when the time is
 * up or the user says so, nodes end at their limit within one iteration, and a cycle filter that is out of time
 * leaves the e-graph acyclic with a node in every class.
 */
#include <signal.h>
#include <sys/time.h>

#include "base/buf.h"
#include "egraph/egraph.h"
#include "tests/unit/acyclic.h"
#include "tests/unit/scalar.h"

enum { SIBLINGS = 16000, NODES = 8000 };

static int failures;
static volatile int interrupted;

static void
check(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

static void
interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* (m x a0) (m x a1) …, with (f (k …)) of the first ones */
static void
siblings(struct scalar *s, int n)
{
	struct buf text = {0};
	int i;

	for (i = 0; i < n; i++)
		buf_printf(&text, "(m x a%d)\n", i);
	for (i = 0; i < n / 10; i++)
		buf_printf(&text, "(f (k (m a%d x)))\n", i);
	scalar_terms(s, text.at);
	buf_free(&text);
}

/* one rule on so many siblings; how it ended */
static enum tn_stop
run(const struct tn_program *p, const char *rule, int n, struct tn_limits limits, struct tn_rule_stat *stat, bool *is_sound,
    size_t *nodes)
{
	struct scalar s = scalar_begin(p, false);
	bool *on = calloc((size_t)p->nrule, sizeof *on);
	int i = scalar_rule(&s, rule);
	struct tn_report *r;
	enum tn_stop stop;

	on[i] = true;
	limits.rule_on = on;
	siblings(&s, n);
	r = scalar_run(&s, &limits);
	stop = r->stop;
	*stat = r->rule[i];
	*nodes = tn_nnodes(s.g);
	*is_sound = !tn_egraph_check(s.g) && !has_empty_class(s.g) && (limits.cycles == TN_FILTER_NONE || !has_cycle(s.g, NULL));
	tn_report_free(r);
	scalar_end(&s);
	free(on);
	return stop;
}

/* the user's signal comes while the one iteration goes on */
static void
set_timer(void)
{
	struct itimerval soon = {.it_value = {.tv_usec = 300000}};

	interrupted = 0;
	signal(SIGALRM, interrupt);
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void
in_a_join(const struct tn_program *p)
{
	struct tn_limits limits = {.iterations = 1, .multi_iterations = 1, .time_s = 0.3};
	struct tn_rule_stat stat;
	size_t nodes;
	bool is_sound;

	check(run(p, "three", SIBLINGS, limits, &stat, &is_sound, &nodes) == TN_STOP_TIME && is_sound, "time ends a join");
	check(stat.applied == 0 && stat.refused_limit == stat.matches, "what was found by then is refused by the limit");
	limits.time_s = 0;
	limits.interrupted = &interrupted;
	set_timer();
	check(run(p, "three", SIBLINGS, limits, &stat, &is_sound, &nodes) == TN_STOP_INTERRUPT && is_sound, "the user ends a join");
}

static void
in_applying(const struct tn_program *p)
{
	struct tn_limits limits = {.iterations = 1, .nodes = NODES};
	struct tn_rule_stat stat;
	size_t nodes;
	bool is_sound;

	check(run(p, "spread", NODES / 4, limits, &stat, &is_sound, &nodes) == TN_STOP_NODES && is_sound, "nodes end an iteration");
	check(nodes >= NODES && nodes < NODES + 5, "within one application of the limit");
	check(stat.applied > 0 && stat.refused_limit > 0 && stat.applied + stat.refused_limit + stat.refused_shape == stat.matches,
	    "each match is applied or refused");
	limits.nodes = 0;
	limits.max_applies = 17;
	run(p, "spread", NODES / 4, limits, &stat, &is_sound, &nodes);
	check(stat.applied == 17 && stat.refused_limit == stat.matches - 17, "so many applications and no more");
}

static void
in_a_cycle_pass(const struct tn_program *p)
{
	struct tn_limits limits = {.cycles = TN_FILTER_EFFICIENT, .interrupted = &interrupted};
	struct tn_rule_stat stat;
	size_t nodes;
	bool is_sound;

	interrupted = 1;
	check(run(p, "collapse", 300, limits, &stat, &is_sound, &nodes) == TN_STOP_INTERRUPT && is_sound,
	    "a pass without time is sound");
	interrupted = 0;
	check(run(p, "collapse", 300, limits, &stat, &is_sound, &nodes) == TN_STOP_SATURATED && is_sound, "and so is one with time");
	check(stat.applied == 30, "all cycles were planted");
}

int
main(void)
{
	const struct tn_program *p = compiled_program("tests/egraph/limits.rules");

	in_a_join(p);
	in_applying(p);
	in_a_cycle_pass(p);
	return failures > 0;
}
