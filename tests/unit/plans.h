/* Rules of a file as the slow matcher takes them, with their compiled program and plans. */
#ifndef TESTS_UNIT_PLANS_H
#define TESTS_UNIT_PLANS_H

#include <stdio.h>

#include "dsl/rule.h"
#include "gen/plan.h"
#include "tests/unit/compiled.h"

static struct rules rules;
static const struct tn_program *program;
static struct plan *plan;	/* per rule */
static uint64_t *nfound;	/* per rule: matches */

/* False, said: the rules are wrong. */
static inline bool
plans_load(const char *path, struct arena *a)
{
	const char *const paths[] = {path};
	int i;

	if (!rules_load(&rules, paths, 1)) {
		diag_print(&rules.diags, stdout, false);
		return false;
	}
	program = compiled_program(path);
	plan = arena_news(a, (size_t)rules.text.nrule, struct plan);
	for (i = 0; i < rules.text.nrule; i++)
		plan_make(&plan[i], &rules.text, i, a);
	nfound = arena_news(a, (size_t)rules.text.nrule, uint64_t);
	return true;
}

#endif
