/*
 * Instances of rules: neighbours of those that were found are instances too, guards and all, and many more of them are found
 * than by draws that begin afresh each time; where a stride is aimed at, another one goes unnoticed by the shapes alone.
 */
#include <stdio.h>
#include <string.h>

#include "dsl/rule.h"
#include "tenon/compile.h"
#include "verify/near.h"

enum { DRAWS = 2000, TIMES = 3 };

static int failed;

static void
check(bool ok, const char *rule, const char *what)
{
	if (ok)
		return;
	printf("%s: %s\n", rule, what);
	failed = 1;
}

static struct instance *
begin(const struct tn_program_text *text, const char *name)
{
	int i;

	for (i = 0; strcmp(text->rule[i].name, name) != 0; i++)
		;
	return instance_new(text, &text->rule[i], 1);
}

static int64_t
number(const struct instance *in, const char *name)
{
	int i;

	for (i = 0; strcmp(in->rule->var[i].name, name) != 0; i++)
		;
	return tn_val_get(in->ctx, in->now.var[i].value)->u.i;
}

static const struct tn_shape *
shape(const struct instance *in, const char *name)
{
	int i;

	for (i = 0; strcmp(in->rule->var[i].name, name) != 0; i++)
		;
	return instance_shape(in, in->now.var[i].node);
}

/* the guards of conv-pair-enlarge once more: the larger kernel has room for the smaller one around it */
static bool
has_room(const struct instance *in)
{
	int64_t above = number(in, "tt") - number(in, "t"), left = number(in, "ll") - number(in, "l");
	int64_t dh = number(in, "dh"), dw = number(in, "dw");
	const struct tn_shape *j = shape(in, "j"), *k = shape(in, "k");
	int64_t below, right;

	if (above < 0 || left < 0 || above % dh || left % dw)
		return false;
	below = k->dim[2] - j->dim[2] - above / dh;
	right = k->dim[3] - j->dim[3] - left / dw;
	return below >= 0 && right >= 0 && above + left + below + right > 0;
}

/* how many draws are instances, if what is found is kept or if it is not */
static int
count(const struct tn_program_text *text, const char *name, bool is_kept, bool (*holds)(const struct instance *))
{
	struct instance *in = begin(text, name);
	int i, n = 0;

	for (i = 0; i < DRAWS; i++) {
		if (!instance_draw(in))
			continue;
		n++;
		check(holds(in), name, "an instance that breaks a guard");
		if (is_kept)
			near_keep(in);
	}
	instance_free(in);
	return n;
}

/* rows of a convolution's result under a stride */
static int64_t
rows(const struct instance *in, int64_t stride, int64_t dilation, int64_t pads)
{
	return 1 + (shape(in, "x")->dim[2] + pads - (1 + dilation * (shape(in, "k")->dim[2] - 1))) / stride;
}

/* A stride tells only where there are two windows, and one more goes unnoticed only where there are as many then. */
static int
count_strides(const struct tn_program_text *text)
{
	struct instance *in = begin(text, "conv-shift-apart");
	const struct tn_value *dilations;
	int64_t stride, pads, n;
	int i, all = 0, capture = 0;

	while (in->rule->var[capture].kind != TN_R_CAPTURE)
		capture++;
	for (i = 0; i < DRAWS; i++) {
		if (!instance_draw(in))
			continue;
		near_keep(in);
		if (!in->aim || in->aim->attr != 0 || in->aim->item != 0 || in->aim->other != AIM_MORE)
			continue;
		all++;
		dilations = tn_val_get(in->ctx, tn_attrs_get(in->ctx, in->now.var[capture].record, NULL)[2]);
		stride = number(in, "i");
		pads = number(in, "t") + number(in, "r");
		n = rows(in, stride, dilations->u.list[0], pads);
		check(n >= 2 && n == rows(in, stride + 1, dilations->u.list[0], pads), "conv-shift-apart", "a stride that does not tell");
	}
	instance_free(in);
	return all;
}

int
main(void)
{
	static const char *const files[] = {"rules/siblings.rules", "rules/linear.rules"};
	struct tn_error e;
	struct tn_rules *rules = tn_rules_read(files, 2, "rules", stderr, &e);
	const struct tn_program_text *text;
	int few, many;

	if (!rules) {
		printf("%s\n", e.msg);
		return 1;
	}
	text = tn_rules_text(rules);
	few = count(text, "conv-pair-enlarge", false, has_room);
	many = count(text, "conv-pair-enlarge", true, has_room);
	printf("%d of %d draws afresh, %d near to others\n", few, DRAWS, many);
	check(few > 0 && many >= TIMES * few, "conv-pair-enlarge", "neighbours are not found");
	check(count_strides(text) > 0, "conv-shift-apart", "no stride was aimed at");
	tn_rules_free(rules);
	return failed;
}
