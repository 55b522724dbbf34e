/*
 * Where draws are aimed: what the rule checker takes for an instance that tells does tell.  Under the other number the operator
 * has a result of the same shape, and of other values when all of them are computed by the tree walker; extents and operands
 * are equal where they are said to be, and differences have the sign they should have.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "dsl/rule.h"
#include "ref/domain.h"
#include "tenon/compile.h"
#include "tenon/eval.h"
#include "verify/near.h"

enum { DRAWS = 400, SEEDS = 20 };

static int failed, number_of_kind[AIM_SIGN + 1], number_square[2];	/* square: of products of matrices [1] */

static void
check(bool ok, const struct instance *in, const char *what)
{
	if (ok)
		return;
	printf("%s: %s\n", in->rule->name, what);
	failed = 1;
}

/* all elements of the operator's result under a record, of operands of that seed; to be freed */
static union elem *
evaluate(const struct instance *in, const struct vnode *x, int node, tn_attrs attrs, uint64_t seed)
{
	struct tn_array array[KIDS_MAX], out = instance_array(in, node);
	struct tn_eval ev = {.ctx = in->ctx, .op = x->op, .attrs = attrs, .nin = x->nkid, .in = array, .out = &out,
	    .to = instance_count(in, node)};
	union elem *result = mem_alloc((size_t)ev.to * sizeof *result + 1), *operand[KIDS_MAX];
	const union elem *elem[KIDS_MAX];
	struct domain_run run = domain_start(&domain_real, seed);
	int64_t i;
	int k;

	for (k = 0; k < x->nkid; k++) {
		array[k] = instance_array(in, x->kid[k]);
		elem[k] = operand[k] = mem_alloc((size_t)instance_count(in, x->kid[k]) * sizeof *operand[k] + 1);
		for (i = 0; i < instance_count(in, x->kid[k]); i++)
			operand[k][i] = domain_real.draw(&run, 0);
	}
	check(domain_eval(&run, &ev, elem, result), in, "cannot be computed");
	for (k = 0; k < x->nkid; k++)
		mem_free(operand[k]);
	return result;
}

/* does the other record give the same values, of operands of that seed? */
static bool
is_same(const struct instance *in, const struct vnode *x, int node, tn_attrs other, uint64_t seed)
{
	union elem *a = evaluate(in, x, node, x->attrs, seed), *b = evaluate(in, x, node, other, seed);
	int64_t i, n = instance_count(in, node);

	for (i = 0; i < n && domain_real.equal(a[i], b[i]); i++)
		;
	mem_free(a);
	mem_free(b);
	return i == n;
}

/* The same shape and other values under the other record; where an activation makes most of them 0, not of all operands. */
static void
check_record(struct instance *in, const struct vnode *x, int node)
{
	tn_attrs other = tn_attrs_with(in->ctx, x->attrs, in->aim->attr, in->instead);
	tn_type type[KIDS_MAX];
	struct tn_infer infer = {.ctx = in->ctx, .op = x->op, .nin = x->nkid, .in = type};
	uint64_t seed;
	int k;

	for (k = 0; k < x->nkid; k++)
		type[k] = in->node.at[x->kid[k]].type;
	infer.attrs = tn_attrs_normalise(in->ctx, x->op, other, type, x->nkid);
	if (infer.attrs == TN_NONE || !tn_infer_run(&infer) || infer.out != x->type) {
		check(false, in, "the other record gives another shape");
		return;
	}
	for (seed = 1; seed < SEEDS && is_same(in, x, node, infer.attrs, seed); seed++)
		;
	check(seed < SEEDS, in, "the other record gives the same values");
}

static void
check_operands(const struct instance *in, const struct vnode *x)
{
	const struct target *aim = in->aim;
	const struct tn_shape *t = instance_shape(in, x->kid[aim->operand]);
	const struct tn_operand *d = infer_operand(x->op, aim->operand);
	int i, axis = 0;

	if (aim->other == AIM_ALIKE) {
		check(in->node.at[x->kid[0]].type == in->node.at[x->kid[1]].type, in, "operands are not alike");
		return;
	}
	for (i = 0; i < aim->axis; i++)			/* ..b has what the others leave */
		axis += d->item[i].is_seq ? t->rank - (d->nitem - 1) : 1;
	check(t->dim[axis] == t->dim[axis + 1] && t->dim[axis] > 1, in, "axes are not equally long");
	number_square[strcmp(x->op->name, "matmul") == 0 && t->rank == 2]++;
}

static void
check_sign(struct instance *in)
{
	bool is_late = false;
	struct tn_v v = compute(in, in->aim->difference, &is_late);

	check(!is_late && v.kind == TN_VV_INT && (v.u.i > 0) - (v.u.i < 0) == in->aim->sign, in, "a difference of another sign");
}

/* an instance that was aimed */
static void
check_aim(struct instance *in)
{
	int i;

	number_of_kind[in->aim->other]++;
	if (in->aim->other == AIM_SIGN) {
		check_sign(in);
		return;
	}
	for (i = 0; i < in->now.nseen && (in->now.seen[i].term != in->aim->term || in->now.seen[i].elem > 0); i++)
		;
	if (i == in->now.nseen) {
		check(false, in, "the operator is not there");
		return;
	}
	if (in->aim->attr < 0)
		check_operands(in, &in->node.at[in->now.seen[i].node]);
	else
		check_record(in, &in->node.at[in->now.seen[i].node], in->now.seen[i].node);
}

static void
check_rule(const struct tn_program_text *text, const struct tn_rule *r)
{
	struct instance *in = instance_new(text, r, 3);
	uint32_t before;
	int i;

	for (i = 0; i < DRAWS; i++) {
		before = in->naim;
		if (!instance_draw(in))
			continue;
		near_keep(in);
		/* what was given up is as any draw */
		if (in->aim && in->naim == before + 1 && in->aim->nhit)
			check_aim(in);
	}
	instance_free(in);
}

int
main(void)
{
	static const char *const files[] = {"rules/siblings.rules", "rules/linear.rules", "rules/join.rules", "tests/unsound/aimed.rules"};
	static const char *const kind[] = {"default", "one more", "said", "exchanged", "equal axes", "alike", "sign"};
	struct tn_error e;
	struct tn_rules *rules = tn_rules_read(files, 4, "rules", stderr, &e);
	const struct tn_program_text *text;
	int i;

	if (!rules) {
		printf("%s\n", e.msg);
		return 1;
	}
	text = tn_rules_text(rules);
	for (i = 0; i < text->nrule; i++)
		if (!text->rule[i].is_axiom)
			check_rule(text, &text->rule[i]);
	for (i = 0; i <= AIM_SIGN; i++) {
		printf("%s: %d\n", kind[i], number_of_kind[i]);
		failed |= number_of_kind[i] == 0;
	}
	failed |= number_square[1] == 0;
	tn_rules_free(rules);
	return failed;
}
