/* What guards ask for is drawn: rules whose guards say an extent or an attribute have instances in a good part of the draws. */
#include <stdio.h>

#include "dsl/rule.h"
#include "tenon/compile.h"
#include "verify/instance.h"

enum { DRAWS = 1000, PART = 20 };

/* of so many draws, those that are instances of the guards; shapes of both sides are not asked for */
static int
count(const struct tn_program_text *text, const struct tn_rule *r)
{
	struct instance *in = instance_new(text, r, 1);
	int i, n = 0;

	for (i = 0; i < DRAWS; i++)
		n += instance_draw(in) || in->stage > AT_GUARDS;
	instance_free(in);
	return n;
}

int
main(void)
{
	static const char *const file = "tests/oracle/wishes.rules";
	struct tn_error e;
	struct tn_rules *rules = tn_rules_read(&file, 1, "rules", stderr, &e);
	const struct tn_program_text *text;
	int i, n, failed = 0;

	if (!rules) {
		printf("%s\n", e.msg);
		return 1;
	}
	text = tn_rules_text(rules);
	for (i = 0; i < text->nrule; i++) {
		n = count(text, &text->rule[i]);
		printf("%s: %d of %d draws\n", text->rule[i].name, n, DRAWS);
		failed |= n < DRAWS / PART;
	}
	tn_rules_free(rules);
	return failed;
}
