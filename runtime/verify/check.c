/*
 * The verdict on a rule: instances are drawn until there are enough of them and every attribute value was
 * met, the later ones of larger shapes; on each both sides are computed where equal means equal, and the first
 * of them in doubles too.
 *
 * A difference in an exact domain refutes the rule, unless a keyed function stood in for one of which the
 * rule may know a fact; then the axioms may make both sides equal, and if not doubles decide: the verdict says so.
 */
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "verify/axiom.h"
#include "verify/cover.h"
#include "verify/near.h"
#include "verify/values.h"
#include "verify/whole.h"

enum { LEAST = 8, MORE = 40, MORE_CAPTURED = 56, MORE_LARGER = 160, AXIOM_DRAWS = 8, STALE_TRIES = 200, SMALLER_TRIES = 600,
       ROUNDS = 6, TRIES = 2500, TRIES_FEW = 20000, TRIES_FIRST = 60000, WHOLE = 8, WHOLE_TRIES = 400 };

struct checking {
	struct instance *in;
	struct values *values;			/* of the instance being looked at */
	struct tn_verdict verdict;
	uint64_t seed;
	uint32_t more;				/* instances after those that are looked at closely */
	bool is_larger;				/* larger shapes from the first on, not only in the second half */
	bool is_brief;				/* enough instances were looked at closely: fewer draws */
	struct map seen;			/* forms of instances */
	uint32_t stale;				/* tries since the last new form */
	uint32_t nnear;				/* instances that were drawn near to others */
	bool by_field, by_order;		/* instances held in prime fields, and among rationals */
	bool lacks;				/* of whole numbers alone, and computes what is none */
	bool is_settled;			/* the instance holds in an exact domain: doubles only look for what is unstable */
	bool is_blind;				/* in doubles nothing but NaN was seen */
	struct cover cover;
	struct axioms axioms;
	struct buf smallest;			/* the counter-example */
	int64_t size;
	struct buf unlike;			/* the smallest instance whose sides have different shapes */
	int64_t unlike_size;
	enum stage reached;			/* the furthest that a try came */
};

static char *
copy(const char *text)
{
	struct buf b = {0};

	buf_puts(&b, text);
	return b.at;
}

/* ---- one instance ----------------------------------------------------------------------------------------- */

static const struct domain *const exact[] = {&domain_chain, &domain_ratio, &domain_chain_max};

static int
draws_of(const struct checking *k, const struct domain *d)
{
	if (d == &domain_real && k->in->rule->is_axiom)
		return AXIOM_DRAWS;
	if (d == &domain_ratio)
		return k->is_brief ? 4 : 16;
	return k->is_brief ? 1 : 2;
}

/* and around numbers that the rule mentions */
static int
more_draws_of(const struct checking *k, const struct domain *d)
{
	if (!k->in->numbers.value.n || (d != &domain_ratio && (d != &domain_real || k->is_settled)))
		return 0;
	return k->is_brief ? 2 : 6;
}

/* normal draws and positive ones, so that roots and logarithms are numbers; an axiom is tested near 0 and far out too */
static unsigned
way_of(const struct checking *k, const struct domain *d, int draw)
{
	if (draw >= draws_of(k, d))
		return WAY_MENTIONED + (unsigned)draw;
	return d == &domain_real && !k->in->rule->is_axiom ? (unsigned)draw * 2 : (unsigned)draw;
}

/* may nothing have come of it? far out not all fits */
static bool
is_optional(const struct domain *d, unsigned way)
{
	return way & WAY_MENTIONED || (d == &domain_real && domain_is_far(way));
}

/* all draws of a domain; the first difference */
static struct comparison
compare_draws(struct checking *k, const struct domain *d)
{
	struct comparison c = {.outcome = LACKING}, one;
	bool is_seen = false;
	unsigned way;
	int draw;

	for (draw = 0; draw < draws_of(k, d) + more_draws_of(k, d); draw++) {
		way = way_of(k, d, draw);
		one = values_compare(k->values, d, k->seed + (uint64_t)draw * 7919 + k->verdict.ntry, way);
		if (one.outcome == LACKING && is_optional(d, way))
			continue;
		if (one.outcome != SAME)
			return one;
		is_seen |= one.is_seen;
		if (draw == 0 || one.degree > c.degree)
			c = one;
	}
	c.is_seen = is_seen;
	return c;
}

/* how likely a false rule would have passed, as a power of 2 */
static double
log2_accept(const struct checking *k, const struct comparison *c)
{
	double prime = c->is_lowered ? 30 : 61;

	return draws_of(k, &domain_chain) * (log2(c->degree ? c->degree : 1) - prime);
}

/* what the instances were held in; a probability can be told only of prime fields */
static void
note_held(struct checking *k, const struct domain *d, const struct comparison *c)
{
	double accept = d == &domain_ratio ? 0 : log2_accept(k, c);

	if (d == &domain_ratio)
		k->by_order = true;
	else if (!k->by_field || accept > k->verdict.log2_accept)
		k->verdict.log2_accept = accept;
	k->by_field |= d != &domain_ratio;
	k->verdict.domain = k->by_field && k->by_order ? "prime fields, rationals" : d->name;
	if (k->by_order)
		k->verdict.log2_accept = 0;
}

/* Are both sides equal in an exact domain?  DIFFERENT: they are not, whatever stands in for a function; LACKING: who knows. */
static enum outcome
compare_exactly(struct checking *k, const struct domain **domain, struct comparison *c)
{
	size_t i;

	for (i = 0; i < sizeof exact / sizeof *exact; i++) {
		*domain = exact[i];
		*c = compare_draws(k, exact[i]);
		if (c->outcome == SAME || c->outcome == UNDEFINED || (c->outcome == DIFFERENT && !c->is_keyed))
			return c->outcome;
	}
	return LACKING;
}

/* and given the program's axioms; the instance is left as it was */
static bool
is_held_given(struct checking *k, const struct domain **domain, struct comparison *c)
{
	struct instance *in = k->in;
	struct values *values = k->values;
	struct sides { int from[TERMS_MAX], to[TERMS_MAX]; } sides;
	uint32_t nnode = in->node.n;
	bool is_held = false;

	if (in->rule->is_axiom)
		return false;
	if (!k->axioms.is_found)
		axioms_find(&k->axioms, in->text);
	memcpy(sides.from, in->from, sizeof in->from);
	memcpy(sides.to, in->to, sizeof in->to);
	if (axioms_apply(&k->axioms, in)) {
		k->values = values_new(in);
		is_held = compare_exactly(k, domain, c) == SAME;
		values_free(k->values);
		k->values = values;
	}
	if (is_held)
		axioms_note(&k->axioms);
	memcpy(in->from, sides.from, sizeof in->from);
	memcpy(in->to, sides.to, sizeof in->to);
	in->node.n = nnode;
	return is_held;
}

static enum tn_verdict_kind
judge(struct checking *k, const struct domain **domain, struct comparison *c)
{
	enum outcome exactly = compare_exactly(k, domain, c);
	bool is_held = exactly == SAME || (exactly == LACKING && is_held_given(k, domain, c));

	if (exactly == UNDEFINED)
		return TN_UNCHECKABLE;
	if (exactly == DIFFERENT)
		return TN_REFUTED;
	if (is_held)
		note_held(k, *domain, c);
	if (exactly == SAME && k->is_brief)
		return TN_HOLDS;
	k->is_settled = is_held;
	*domain = &domain_real;
	*c = compare_draws(k, &domain_real);
	k->is_blind &= !c->is_seen;
	return c->outcome == DIFFERENT ? TN_REFUTED : is_held ? TN_HOLDS : TN_TESTED;
}

/* ---- forms ---------------------------------------------------------------------------------------------- */

/* the first extent that is equal to this one, or that it is 1: which extents go together, not how large they are */
static int64_t
likeness(const struct instance *in, int64_t extent)
{
	const struct tn_shape *t;
	int64_t n = 2;
	uint32_t i;
	int k;

	if (extent <= 1)
		return extent;
	for (i = 0; i < in->node.n; i++) {
		t = instance_shape(in, (int)i);
		if (!t)
			continue;
		for (k = 0; k < t->rank; k++, n++)
			if (t->dim[k] == extent)
				return n;
	}
	return n;
}

/* Has an instance been looked at whose extents are equal where this one's are, under the same attributes? */
static bool
is_new_form(struct checking *k)
{
	const struct instance *in = k->in;
	VEC(int64_t) form = {0};
	const struct tn_shape *t;
	bool is_new;
	uint32_t i;
	int d;

	for (i = 0; i < in->node.n; i++) {
		t = instance_shape(in, (int)i);
		vec_push(&form, t ? t->rank : -1);
		for (d = 0; t && d < t->rank; d++)
			vec_push(&form, likeness(in, t->dim[d]));
		vec_push(&form, in->node.at[i].kind == V_OPERATOR ? in->node.at[i].attrs : 0);
	}
	map_put(&k->seen, form.at, form.n * sizeof *form.at, 1, &is_new);
	vec_free(&form);
	k->stale = is_new ? 0 : k->stale + 1;
	return is_new;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

/* the counter-example of the fewest elements, and of those with the least to say: what is as by default is not said */
static void
keep_smaller(struct checking *k, const struct domain *d, const struct comparison *c)
{
	int64_t size = values_size(k->in);
	struct buf text = {0};

	if (k->smallest.n && size > k->size)
		return;
	values_print(k->in, d, c, &text);
	if (k->smallest.n && size == k->size && text.n >= k->smallest.n) {
		buf_free(&text);
		return;
	}
	buf_free(&k->smallest);
	k->smallest = text;
	k->size = size;
}

/* The attempt came to nothing: how far did it come? */
static void
note_failure(struct checking *k)
{
	int64_t size;

	if (k->in->stage > k->reached)
		k->reached = k->in->stage;
	if (k->in->stage != AT_SHAPES)
		return;
	k->verdict.nunlike++;
	size = values_size(k->in);
	if (k->unlike.n && size >= k->unlike_size)
		return;
	k->unlike_size = size;
	k->unlike.n = 0;
	values_print_unlike(k->in, &k->unlike);
}

/* one more try; what it says of the rule */
static void
try_once(struct checking *k)
{
	const struct domain *d = NULL;
	struct comparison c;
	enum tn_verdict_kind kind;

	k->verdict.ntry++;
	k->stale++;
	if (!instance_draw(k->in)) {
		note_failure(k);
		return;
	}
	if (!is_new_form(k))
		return;
	near_keep(k->in);
	k->nnear += k->in->near.at >= 0;
	k->verdict.ninstance++;
	k->values = values_new(k->in);
	kind = judge(k, &d, &c);
	values_free(k->values);
	cover_note(&k->cover, k->in);
	if (kind == TN_REFUTED)
		keep_smaller(k, d, &c);
	if (k->verdict.ninstance == 1 || kind > k->verdict.kind)
		k->verdict.kind = kind;
}

/* Neighbours of instances are like them: there must be others, or many. */
static bool
has_enough(const struct checking *k, uint32_t wanted)
{
	return k->verdict.ninstance - k->nnear >= wanted + k->more || k->verdict.ninstance >= wanted + k->more + k->more / 2;
}

/* enough, every attribute value met, every number aimed at, and nothing new to be seen any more */
static bool
is_done(const struct checking *k, uint32_t wanted)
{
	const struct tn_verdict *v = &k->verdict;

	if (v->kind == TN_UNCHECKABLE || v->kind == TN_REFUTED)
		return v->ninstance > 0;
	return v->ninstance >= wanted && cover_is_complete(&k->cover) && k->in->naim >= ROUNDS * k->in->target.n &&
	    (has_enough(k, wanted) || k->stale >= STALE_TRIES);
}

/* ---- whole numbers --------------------------------------------------------------------------------------------- */

/* one instance in whole numbers; LACKING where no draw could be computed */
static struct comparison
compare_whole(struct checking *k)
{
	struct comparison c = {.outcome = LACKING}, one;
	unsigned way;

	for (way = 0; way < WHOLE_WAYS; way++) {
		one = values_compare(k->values, &domain_ratio, k->seed + way * 7919 + k->verdict.ntry, way);
		if (one.outcome == DIFFERENT && one.is_keyed)
			one.outcome = LACKING;
		if (one.outcome == DIFFERENT || one.outcome == UNDEFINED)
			return one;
		if (one.outcome == SAME)
			c = one;
	}
	return c;
}

/* Instances of an integer type.  They settle what a rule is that floats are not admitted in. */
static void
check_type(struct checking *k, enum tn_dtype type, bool is_alone)
{
	struct tn_verdict *v = &k->verdict;
	uint32_t n = 0, tries, most = is_alone && !v->ninstance ? TRIES : WHOLE_TRIES;
	struct comparison c;

	k->in->dtype = type;
	for (tries = 0; tries < most && n < WHOLE && v->kind != TN_REFUTED && v->kind != TN_UNCHECKABLE; tries++) {
		v->ntry += is_alone;
		if (!instance_draw(k->in)) {
			if (is_alone)
				note_failure(k);
			continue;
		}
		n++;
		k->values = values_new(k->in);
		c = compare_whole(k);
		values_free(k->values);
		if (is_alone) {
			cover_note(&k->cover, k->in);
			v->ninstance++;
			k->lacks |= c.outcome == LACKING;
			v->kind = c.outcome == UNDEFINED || c.outcome == LACKING ? TN_UNCHECKABLE : TN_HOLDS;
			v->domain = "whole numbers";
		}
		if (c.outcome == SAME)
			v->types |= 1u << type;
		if (c.outcome == DIFFERENT) {
			v->kind = TN_REFUTED;
			keep_smaller(k, &domain_ratio, &c);
		}
	}
}

/* The types beside floats that the operators admit. */
static bool
has_types(const struct instance *in)
{
	const enum tn_dtype *type;

	for (type = whole_types; *type != TN_UNTYPED; type++)
		if (whole_admits(in->text, in->rule, *type))
			return true;
	return false;
}

static void
check_types(struct checking *k, bool is_alone)
{
	const struct instance *in = k->in;
	const enum tn_dtype *type;

	for (type = whole_types; *type != TN_UNTYPED; type++)
		if (whole_admits(in->text, in->rule, *type))
			check_type(k, *type, is_alone);
}

static const char *const failure[] = {
	[AT_PATTERN] = "no shapes and attributes were found that satisfy the left side",
	[AT_GUARDS] = "the left side was met, the guards never were",
	[AT_RESULT] = "the left side and the guards were met, the shape checks of the right side never were",
	[AT_SHAPES] = "wherever the guards and all shape checks are met the sides have different shapes",
	[AT_SIZE] = "all that was found is too large to be computed, or has no elements to compare",
};

static void
finish(struct checking *k)
{
	struct tn_verdict *v = &k->verdict;

	v->unlike = k->unlike.at;
	v->covered = cover_text(&k->cover);
	v->joint = joint_text(&k->cover.joint);
	v->apart = joint_apart(&k->cover.joint);
	v->given = v->kind == TN_HOLDS ? axioms_text(&k->axioms) : NULL;
	k->is_blind &= v->kind == TN_TESTED;
	if (k->is_blind)
		v->kind = TN_UNCHECKABLE;
	switch (v->kind) {
	case TN_REFUTED:
		v->text = k->smallest.at;
		k->smallest = (struct buf){0};
		break;
	case TN_UNCHECKABLE:
		v->text = copy(k->lacks ? "what it computes of whole numbers is none" :
		    k->is_blind ? "no value that was tried is a number" : "an operator has no def");
		break;
	case TN_NO_INSTANCE:
		v->text = copy(failure[k->reached]);
		break;
	default:
		v->unmet = cover_unmet(&k->cover);
		if (v->kind == TN_TESTED)
			v->domain = domain_real.name;
	}
}

/* patterns larger than the checker holds */
static bool
is_too_large(const struct tn_rule *r)
{
	return r->nvar > VARS_MAX || r->narrow > TERMS_MAX;
}

/* does it hold for whatever attributes there are? then there is more to be seen */
static bool
captures(const struct tn_rule *r)
{
	int i;

	for (i = 0; i < r->nvar; i++)
		if (r->var[i].kind == TN_R_CAPTURE)
			return true;
	return false;
}

/* how many tries are enough: instances that are rare have to be waited for */
static uint32_t
tries_for(const struct checking *k, uint32_t wanted, uint32_t first)
{
	if (k->verdict.ninstance == 0)
		return first ? first : TRIES_FIRST;
	return k->verdict.ninstance < wanted ? TRIES_FEW : TRIES;
}

/* Instances of floats until there are enough; of a refuted rule more, to find a small one. */
static void
check_floats(struct checking *k, const struct tn_verify_options *o)
{
	uint32_t wanted = o->instances ? o->instances : LEAST, more;

	k->in->dtype = TN_F32;
	while (k->verdict.ntry < tries_for(k, wanted, o->tries) && !is_done(k, wanted)) {
		k->is_brief = k->verdict.ninstance >= wanted;
		k->in->is_larger = o->is_larger || k->verdict.ninstance >= wanted + k->more / 2;
		k->in->is_aimed = has_enough(k, wanted) && k->in->naim < ROUNDS * k->in->target.n;
		try_once(k);
	}
	k->in->is_aimed = false;
	for (more = 0; k->verdict.kind == TN_REFUTED && !o->is_first && more < SMALLER_TRIES; more++)
		try_once(k);
	k->in->is_larger = o->is_larger;
}

struct tn_verdict
tn_verify_rule(const struct tn_program_text *text, const struct tn_rule *rule, const struct tn_verify_options *o)
{
	struct checking k = {.seed = o->seed, .is_larger = o->is_larger, .verdict.kind = TN_NO_INSTANCE, .is_blind = true};
	bool has_floats, is_alone;

	if (is_too_large(rule)) {
		k.verdict.kind = TN_UNCHECKABLE;
		k.verdict.text = copy("it has too many variables");
		return k.verdict;
	}
	k.in = instance_new(text, rule, o->seed);
	k.in->is_larger = o->is_larger;
	k.more = o->is_larger ? MORE_LARGER : captures(rule) ? MORE_CAPTURED : MORE;
	has_floats = whole_admits(text, rule, TN_F32) || !has_types(k.in);
	if (has_floats)
		check_floats(&k, o);
	is_alone = k.verdict.kind == TN_NO_INSTANCE;
	if (is_alone || k.verdict.kind == TN_HOLDS || k.verdict.kind == TN_TESTED)
		check_types(&k, is_alone);
	finish(&k);
	cover_free(&k.cover);
	vec_free(&k.axioms.rule);
	map_free(&k.seen);
	instance_free(k.in);
	buf_free(&k.smallest);
	return k.verdict;
}

void
tn_verdict_free(struct tn_verdict *v)
{
	mem_free(v->text);
	mem_free(v->unmet);
	mem_free(v->covered);
	mem_free(v->unlike);
	mem_free(v->given);
	mem_free(v->joint);
	mem_free(v->apart);
	*v = (struct tn_verdict){.kind = v->kind};
}
