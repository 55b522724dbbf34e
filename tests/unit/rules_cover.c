/* Which rules count as saying what another says, and which only look like it. */
#include <stdio.h>
#include <string.h>

#include "dsl/rule.h"

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

int
main(void)
{
	char said[8192], slug[64];
	int failed = 0;
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
