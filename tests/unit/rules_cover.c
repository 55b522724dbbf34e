/* Which rules count as saying what another says, and which only look like it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/rand.h"
#include "dsl/rule_scope.h"

#define OPS "(include \"tests/fail/toy/ops.rules\")\n"

static const struct {
	const char *wanted;		/* slug of the one message, or NULL: none */
	const char *text;
} cases[] = {
	/* under other names */
	{"duplicate-rule", "(rule r (=> (sub ?x ?y) (exp ?x))) (rule s (=> (sub ?y ?x) (exp ?y)))"},
	{NULL, "(rule r (=> (sub ?x ?y) (exp ?x))) (rule s (=> (sub ?y ?x) (exp ?x)))"},
	/* under commutativity, on both sides */
	{"duplicate-rule", "(rule r (=> (add (exp ?x) ?y) (mul ?x ?y))) (rule s (=> (add ?x (exp ?y)) (mul ?x ?y)))"},
	{NULL, "(rule r (=> (add (exp ?x) ?y) (sub ?x ?y))) (rule s (=> (add ?x (exp ?y)) (sub ?x ?y)))"},
	/* one operand twice is a case of two, not the other way round */
	{"covered-rule", "(rule r (=> (add ?x ?x) (exp ?x))) (rule s (=> (add ?x ?y) (exp ?y)))"},
	{NULL, "(rule r (=> (add ?x ?x) (exp ?x))) (rule s (=> (add ?x ?y) (mul ?y ?x)))"},
	/* two tensors that hold 3 may differ in shape */
	{NULL, "(rule r (=> (concat ?x ?x :axis 0) (exp ?x))) (rule s (=> (concat (add ?y 3) (add ?y 3) :axis 0) (exp (add ?y 3))))"},
	{"covered-rule", "(rule r (=> (add ?x ?x) (exp ?x))) (rule s (=> (add (exp ?z) (exp ?z)) (exp (exp ?z))))"},
	/* values: a number is a case of $a; it is itself a case of ?x */
	{"covered-rule", "(rule r (=> (mul ?x $a) (add $a ?x))) (rule s (=> (mul 3 ?y) (add 3 ?y)))"},
	{NULL, "(rule r (=> (mul ?x $a) (add $a ?x))) (rule s (=> (mul 3 ?y) (add 4 ?y)))"},
	{"covered-rule", "(rule r (=> (mul ?x $a) (add $a ?x))) (rule s (=> (mul ?z ?y) (add ?z ?y)))"},
	{NULL, "(rule r (=> (mul ?x $a) (add $a ?x))) (rule s (=> (mul ?z (exp ?y)) (add ?z (exp ?y))))"},
	{"covered-rule", "(rule r (=> (scale ?x :by $a) (mul ?x $a))) (rule s (=> (scale ?x :by 2) (mul ?x 2)))"},
	{"duplicate-rule", "(rule r (=> (scale ?x :by $a) (mul ?x $b)) (let $b (* 2 $a))) (rule s (=> (scale ?x :by $c) (mul ?x $d)) (let $d (* 2 $c)))"},
	{NULL, "(rule r (=> (scale ?x :by $a) (mul ?x $b)) (let $b (* 2 $a))) (rule s (=> (scale ?x :by $a) (mul ?x $d)) (let $d (* 3 $a)))"},
	/* captures hold what is not named */
	{"covered-rule", "(rule r (=> (relu (pad ?x ..c)) (pad (relu ?x) ..c))) (rule s (=> (relu (pad ?x :by [1 1])) (pad (relu ?x) :by [1 1])))"},
	{NULL, "(rule r (=> (relu (pad ?x ..c)) (pad (relu ?x) ..c))) (rule s (=> (relu (pad ?x :by [1 1])) (pad (relu ?x) :by [1 2])))"},
	{"covered-rule", "(rule r (=> (relu (pad ?x :by $b ..c)) (pad ?x :by $b ..c))) (rule s (=> (relu (pad ?x :by $b :side left ..d)) (pad ?x :by $b :side left ..d)))"},
	/* lists */
	{"covered-rule", "(rule r (=> (transpose ?x :perm $p) (exp ?x))) (rule s (=> (transpose ?x :perm [.._ 1]) (exp ?x)))"},
	{NULL, "(rule r (=> (transpose ?x :perm [$i $j]) (exp ?x))) (rule s (=> (transpose ?x :perm [..h $j]) (exp ?x)) (when (= [..h] [$j])))"},
	{NULL, "(rule r (=> (concat ?x ?y :axis 0) (exp ?x))) (rule s (=> (concat ?xs... :axis 0) (exp (concat ?xs... :axis 0))))"},
	{"duplicate-rule", "(rule r (=> (concat (relu ?a...)... :axis $i) (relu (concat ?a... :axis $i)))) (rule s (=> (concat (relu ?b)... :axis $k) (relu (concat ?b... :axis $k))))"},
	/* guards: more of them is a case of fewer */
	{"covered-rule", "(rule r (=> (exp ?x) (relu ?x)) (when (constant ?x))) (rule s (=> (exp ?x) (relu ?x)) (when (= (rank ?x) 2) (constant ?x)))"},
	{NULL, "(rule r (=> (exp ?x) (relu ?x)) (when (constant ?x))) (rule s (=> (exp ?x) (relu ?x)) (when (= (rank ?x) 2)))"},
	{"duplicate-rule", "(rule r (=> (exp ?x) (relu ?x)) (when (< (rank ?x) 7))) (rule s (=> (exp ?x) (relu ?x)) (let $m 7) (when (< (rank ?x) $m)))"},
	/* a rule that tidies first is not spared by one that comes later */
	{NULL, "(rule r (=> (exp ?x) (relu ?x))) (rule s (=> (exp (exp ?x)) (relu (exp ?x))) (phase normalise))"},
	{"covered-rule", "(rule r (=> (exp ?x) (relu ?x)) (phase normalise)) (rule s (=> (exp (exp ?x)) (relu (exp ?x))))"},
	/* a let's term is in one class wherever it stands */
	{NULL, "(rule r (=> (sub ?t ?t) (exp ?x)) (let ?t (transpose ?x :perm $_)))"
	       "(rule s (=> (sub (transpose ?x :perm $_) (transpose ?x :perm $_)) (exp ?x)) (when (constant ?x)))"},
	{"covered-rule", "(rule r (=> (sub (transpose ?x :perm $_) (transpose ?x :perm $_)) (exp ?x)))"
	       "(rule s (=> (sub ?t ?t) (exp ?x)) (let ?t (transpose ?x :perm $_)))"},
};

/* what the rules' messages are, as text */
static void
messages(const char *text, char *out, size_t size)
{
	char all[4096];
	struct rules r = {0};
	FILE *f = fmemopen(out, size, "w");

	snprintf(all, sizeof all, OPS "%s\n", text);
	rules_load_text(&r, "case.rules", all, strlen(all));
	diag_print(&r.diags, f, false);
	fclose(f);
	rules_free(&r);
}

/* a term over few operators, variables and numbers below `numbers` */
static void
put_term(struct buf *b, struct rng *r, int depth, uint32_t numbers)
{
	static const char *const heads[] = {"relu", "exp", "add", "sub", "mul"};
	uint32_t head = rng_below(r, 5);

	if (depth == 0 || rng_below(r, 4) == 0) {
		if (rng_below(r, 3) == 0)
			buf_printf(b, "%" PRIu32, rng_below(r, numbers));
		else
			buf_printf(b, "?%c", "xyz"[rng_below(r, 3)]);
		return;
	}
	buf_printf(b, "(%s ", heads[head]);
	put_term(b, r, depth - 1, numbers);
	if (head > 1) {
		buf_putc(b, ' ');
		put_term(b, r, depth - 1, numbers);
	}
	buf_putc(b, ')');
}

/* no guard, or one or two, a let written out or not */
static void
put_guards(struct buf *b, struct rng *r, uint32_t numbers)
{
	uint32_t form = rng_below(r, 6);

	buf_putc(b, ' ');
	if (form == 0)
		buf_printf(b, "(when (< (rank ?x) %" PRIu32 "))", rng_below(r, numbers));
	else if (form == 1)
		buf_printf(b, "(let $m %" PRIu32 ") (when (< (rank ?x) $m))", rng_below(r, numbers));
	else if (form == 2)
		buf_printf(b, "(when (constant ?x) (< (rank ?x) %" PRIu32 "))", rng_below(r, numbers));
}

/* n rules from random terms; those that make no sense are left out when they are typed */
static void
load_random(struct rules *rules, struct buf *b, struct rng *r, int n, int depth, uint32_t numbers)
{
	buf_puts(b, OPS);
	for (int i = 0; i < n; i++) {
		buf_printf(b, "(rule r%d (=> (add ?x ", i);
		put_term(b, r, depth, numbers);
		buf_puts(b, ") ");
		put_term(b, r, depth - 1, numbers);
		buf_putc(b, ')');
		put_guards(b, r, numbers);
		buf_puts(b, ")\n");
	}
	rules_load_text(rules, "random.rules", b->at, b->n);
}

static bool
is_found(const struct rule_index *x, uint32_t rule)
{
	for (uint32_t i = 0; i < x->found.n; i++)
		if (x->found.at[i] == rule)
			return true;
	return false;
}

/* the index against all pairs: no rule that covers another is missed */
static int
check_index(void)
{
	struct rng r = {5};
	int failed = 0, ncover = 0;

	for (int round = 0; round < 40; round++) {
		struct rules rules = {0};
		struct rule_index x;
		struct buf b = {0};

		load_random(&rules, &b, &r, 60, 2, 3);
		rule_index_make(&x, &rules.text);
		for (uint32_t i = 0; i < (uint32_t)rules.text.nrule; i++) {
			rule_index_find(&x, i);
			for (uint32_t k = 0; k < (uint32_t)rules.text.nrule; k++) {
				if (k == i || !rule_covers(&rules.text, &rules.text.rule[k], &rules.text.rule[i]))
					continue;
				ncover++;
				if (!is_found(&x, k) && ++failed < 5)
					printf("%s covers %s and is not found\n", rules.text.rule[k].name, rules.text.rule[i].name);
			}
		}
		rule_index_free(&x);
		rules_free(&rules);
		buf_free(&b);
	}
	if (ncover < 100)
		printf("only %d pairs cover\n", ncover);
	return failed + (ncover < 100);
}

/* rules that differ in numbers, of their patterns or of their guards: as many pairs are compared as there are rules, or a few times that */
static int
check_count(bool in_guard)
{
	struct rules rules = {0};
	struct buf b = {0};
	int failed, n = 3000;

	buf_puts(&b, OPS);
	for (int i = 0; i < n; i++)
		if (in_guard)
			buf_printf(&b, "(rule r%d (=> (add ?x (exp ?y)) (mul ?x ?y)) (when (= (dim ?x 0) %d)))\n", i, i + 1);
		else
			buf_printf(&b, "(rule r%d (=> (add ?x (mul ?x %d)) (mul ?x %d)))\n", i, i + 1, i + 2);
	failed = !rules_load_text(&rules, "count.rules", b.at, b.n) || rules.text.nrule != n || rules.ncompared > 8u * (unsigned)n;
	if (failed)
		printf("%d rules, %" PRIu64 " pairs compared\n", rules.text.nrule, rules.ncompared);
	rules_free(&rules);
	buf_free(&b);
	return failed;
}

int
main(void)
{
	char said[8192], slug[64];
	int failed = check_index() + check_count(false) + check_count(true);
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		memset(said, 0, sizeof said);
		messages(cases[i].text, said, sizeof said);
		snprintf(slug, sizeof slug, "[%s]", cases[i].wanted ? cases[i].wanted : "");
		if (cases[i].wanted ? strstr(said, slug) != NULL : !strstr(said, "error"))
			continue;
		printf("%s\nwanted %s, got %s\n", cases[i].text, cases[i].wanted ? slug : "nothing", *said ? said : "nothing");
		failed++;
	}
	return failed > 0;
}
