/* Compiled defs and the tree walker give the same numbers for random uses of every operator. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/execute.h"
#include "tensor/random_op.h"
#include "tests/oracle/program.h"
#include "tests/oracle/use.h"

#define TRIES 3000
#define ENOUGH 120

static int failures;

static bool
is_near(double a, double b)
{
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b));
}

static void
fill(struct rng *r, struct tn_array *a)
{
	for (int64_t i = 0, n = array_count(a); i < n; i++)
		if (a->dtype == TN_I64)
			a->v[i] = (double)rng_below(r, 7) - 1;
		else
			a->v[i] = rng_below(r, 50) ? rng_normal(r) : rng_below(r, 2) ? INFINITY : -0.0;
}

static void
report(const struct tn_eval *ev, int64_t i, double walked, double compiled)
{
	failures++;
	printf("%s: element %lld is %.17g walked, %.17g compiled; from %lld to %lld\n", ev->op->name, (long long)i,
		walked, compiled, (long long)ev->from, (long long)ev->to);
	use_print_eval(ev);
}

/* Both on a part of the result; what lies outside of the part must stay as it was. */
static void
compare(struct random_op *r, const struct tn_op *op, tn_attrs attrs, int nin, const tn_type in[], tn_type out)
{
	struct tn_array arg[MAX_IN], walked = use_array(r->ctx, out), compiled = use_array(r->ctx, out);
	struct tn_eval ev = {.ctx = r->ctx, .op = op, .attrs = attrs, .nin = nin, .in = arg, .out = &walked};
	int64_t n = array_count(&walked);

	for (int i = 0; i < nin; i++) {
		arg[i] = use_array(r->ctx, in[i]);
		fill(&r->rng, &arg[i]);
	}
	for (int64_t i = 0; i < n; i++)
		walked.v[i] = compiled.v[i] = -12345;
	ev.to = n;
	if (n && rng_below(&r->rng, 2)) {
		ev.from = rng_below(&r->rng, (uint32_t)n);
		ev.to = ev.from + rng_below(&r->rng, (uint32_t)(n - ev.from) + 1);
	}
	tn_eval_walk(&ev);
	ev.out = &compiled;
	op->eval(&ev);
	for (int64_t i = 0; i < n; i++)
		if (!is_near(walked.v[i], compiled.v[i])) {
			report(&ev, i, walked.v[i], compiled.v[i]);
			break;
		}
	for (int i = 0; i < nin; i++)
		free(arg[i].v);
	free(walked.v);
	free(compiled.v);
}

/* Number of uses compared. */
static int
try_op(const struct tn_op *op, struct random_op *r)
{
	int compared = 0;

	for (int i = 0; i < TRIES && compared < ENOUGH && failures < 5; i++) {
		tn_type in[MAX_IN];
		int nin;
		struct tn_infer s = {.ctx = r->ctx, .op = op, .in = in};

		s.attrs = random_op(r, op, in, &nin);
		s.nin = nin;
		if (!tn_infer_walk(&s))
			continue;
		compare(r, op, s.attrs, nin, in, s.out);
		compared++;
	}
	return compared;
}

int
main(int argc, char **argv)
{
	const struct tn_program *p = program_of(argc, argv);

	if (!p)
		return 1;
	for (int i = 0; i < p->nop; i++) {
		const struct tn_op *op = &p->op[i];
		struct random_op r = {.ctx = tn_ctx_new(), .rng = {(uint64_t)i}, .scale = 4};
		int compared;

		if (op->def && !op->eval) {
			printf("%s: no compiled def\n", op->name);
			failures++;
		} else if (op->def && (compared = try_op(op, &r)) < 5) {
			printf("%s: only %d uses compared\n", op->name, compared);
			failures++;
		}
		tn_ctx_free(r.ctx);
	}
	return failures != 0;
}
