/* The flat form of a def and the tree walker give the same elements, in every domain, for random uses of every operator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/execute.h"
#include "ref/flat.h"
#include "tenon/compile.h"
#include "tensor/random_op.h"
#include "tests/oracle/use.h"

enum { TRIES = 3000, ENOUGH = 60, ELEMENTS_MAX = 5000 };

static const struct domain *const domains[] = {&domain_real, &domain_ratio, &domain_chain, &domain_chain_max};
static int failures;

static union elem *
draw(struct domain_run *run, const struct tn_array *a, unsigned way)
{
	int64_t n = array_count(a), i;
	union elem *e = calloc((size_t)n + 1, sizeof *e);

	for (i = 0; i < n; i++)
		e[i] = a->dtype == TN_I64 ? run->domain->number(run, (struct tn_number){(int64_t)rng_below(&run->rng, 7) - 1, 1, 0})
		    : run->domain->draw(run, way);
	return e;
}

static bool
is_same(const struct domain *d, union elem a, union elem b)
{
	if (!d->equal(a, b))
		return false;
	return (d != &domain_chain && d != &domain_chain_max) ||
	    (a.chain.degree == b.chain.degree && a.chain.below == b.chain.below && a.chain.nlevel == b.chain.nlevel);
}

static void
report(const struct tn_eval *ev, const struct domain *d, const char *what)
{
	failures++;
	printf("%s (%s), elements %lld to %lld: %s\n", ev->op->name, d->name, (long long)ev->from, (long long)ev->to, what);
	use_print_eval(ev);
}

/* one draw in one domain */
static void
compare(struct tn_eval *ev, struct flat *flat, const struct domain *d, unsigned draws)
{
	struct domain_run walked = domain_start(d, draws), run = walked;
	size_t n = (size_t)(ev->to - ev->from), k;
	union elem *slow = calloc(n + 1, sizeof *slow), *fast = calloc(n + 1, sizeof *fast), *in[MAX_IN];
	char text[256], a[80], b[80];
	bool done;
	int i;

	for (i = 0; i < ev->nin; i++)
		in[i] = draw(&run, &ev->in[i], draws);
	done = domain_eval(&walked, ev, (const union elem *const *)in, slow);
	if (flat_run(flat, &run, (const union elem *const *)in, fast) != done || run.trouble != walked.trouble)
		report(ev, d, done ? "only the walker finds its way" : "the walker does not find its way, or not for that reason");
	else if (done && run.is_keyed != walked.is_keyed)
		report(ev, d, "one of both saw a keyed function");
	for (k = 0; k < n && done && run.trouble == DOMAIN_FINE; k++) {
		if (is_same(d, slow[k], fast[k]))
			continue;
		d->print(slow[k], a, sizeof a);
		d->print(fast[k], b, sizeof b);
		snprintf(text, sizeof text, "element %zu of them is %s walked, %s flat", k, a, b);
		report(ev, d, text);
		break;
	}
	for (i = 0; i < ev->nin; i++)
		free(in[i]);
	free(slow);
	free(fast);
}

/* all domains on the part of the result */
static void
compare_domains(struct random_op *r, struct tn_eval *ev)
{
	struct flat *flat = flat_new(ev);
	unsigned d, draws;

	if (!flat)
		report(ev, &domain_real, "it has no flat form");
	for (d = 0; flat && d < sizeof domains / sizeof *domains; d++)
		for (draws = 0; draws < 2; draws++)
			compare(ev, flat, domains[d], draws + (unsigned)rng_below(&r->rng, 100));
	flat_free(flat);
}

/* on all of the result, or on a part; false: too large to be walked */
static bool
compare_all(struct random_op *r, const struct tn_infer *s)
{
	struct tn_array in[MAX_IN], out = use_array(r->ctx, s->out);
	struct tn_eval ev = {.ctx = r->ctx, .op = s->op, .attrs = s->attrs, .nin = s->nin, .in = in, .out = &out, .to = array_count(&out)};
	bool is_small = ev.to <= ELEMENTS_MAX;
	int i;

	for (i = 0; i < s->nin; i++)
		in[i] = use_array(r->ctx, s->in[i]);
	if (is_small && ev.to && rng_below(&r->rng, 2)) {
		ev.from = rng_below(&r->rng, (uint32_t)ev.to);
		ev.to = ev.from + rng_below(&r->rng, (uint32_t)(ev.to - ev.from) + 1);
	}
	if (is_small)
		compare_domains(r, &ev);
	for (i = 0; i < s->nin; i++)
		free(in[i].v);
	free(out.v);
	return is_small;
}

/* Number of uses compared. */
static int
try_op(const struct tn_op *op, uint64_t seed)
{
	struct random_op r = {.ctx = tn_ctx_new(), .rng = {seed}, .scale = 4};
	struct tn_infer s;
	tn_type in[MAX_IN];
	int compared = 0, i, nin;

	for (i = 0; i < TRIES && compared < ENOUGH && failures < 5; i++) {
		s = (struct tn_infer){.ctx = r.ctx, .op = op, .in = in};
		s.attrs = random_op(&r, op, in, &nin);
		s.nin = nin;
		if (tn_infer_walk(&s))
			compared += compare_all(&r, &s);
	}
	tn_ctx_free(r.ctx);
	return compared;
}

static void
try_file(const char *path)
{
	struct tn_error e;
	struct tn_rules *rules = tn_rules_read(&path, 1, "rules", stderr, &e);
	const struct tn_program_text *text;
	int i;

	if (!rules) {
		failures++;
		return;
	}
	text = tn_rules_text(rules);
	for (i = 0; i < text->nop; i++) {
		if (!text->op[i].def || try_op(&text->op[i], (uint64_t)i) >= 5)
			continue;
		printf("%s: %s: hardly a use was compared\n", path, text->op[i].name);
		failures++;
	}
	tn_rules_free(rules);
}

int
main(void)
{
	static const char *const path[] = {"rules/tensor.rules", "tests/cli/odd-ops.rules", "tests/gen/op-branch.rules",
	    "tests/gen/op-list.rules", "tests/gen/op-order.rules", "tests/gen/op-pick.rules", "tests/gen/op-window.rules",
	    "tests/unsound/published.rules"};
	size_t i;

	for (i = 0; i < sizeof path / sizeof *path; i++)
		try_file(path[i]);
	return failures != 0;
}
