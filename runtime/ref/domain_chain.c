/*
 * The chain of prime fields: p2 divides p1 - 1 and p3 divides p2 - 1, so that raising a generator of the
 * subgroup of order p2 modulo p1 to a power modulo p2 is well defined and turns sums into products, as exp
 * does.  A number is a tuple of residues; exp takes each level to the one above it, and the lowest is lost:
 * two exps fit into each other.
 *
 * Two different rational functions of degree d agree on a random point with a probability of at most
 * d/p (Schwartz 1980, Zippel 1979); after an exp p is about p3.  Finite fields as a test for tensor
 * programs with one exp: Wu et al., Mirage, 2025; here with exact random functions for the others.
 */
#include <stdio.h>

#include "base/num.h"
#include "ref/domain.h"
#include "tenon/eval.h"

__extension__ typedef unsigned __int128 uwide;

enum { LEVELS = DOMAIN_LEVELS, DEGREE_MAX = 1 << 30 };

static const uint64_t prime[LEVELS] = {UINT64_C(2304357824603564447), UINT64_C(70473968579227), UINT64_C(1073741789)};
/* of order p2 modulo p1, and of order p3 modulo p2 */
static const uint64_t generator[LEVELS - 1] = {UINT64_C(1880589459259258527), UINT64_C(41240616511688)};

/* bits of each prime, and 4^bits over it: a remainder without division (Barrett 1986) */
static const int width[LEVELS] = {61, 47, 30};
static const uint64_t inverse[LEVELS] = {UINT64_C(2307329151042056933), UINT64_C(281054707544942), UINT64_C(1073741859)};

/* a b modulo the level's prime */
static inline uint64_t
times(uint64_t a, uint64_t b, int level)
{
	uwide x = (uwide)a * b;
	uint64_t quotient = (uint64_t)((uwide)(uint64_t)(x >> (width[level] - 1)) * inverse[level] >> (width[level] + 1));
	uint64_t r = (uint64_t)x - quotient * prime[level];

	while (r >= prime[level])		/* twice at most */
		r -= prime[level];
	return r;
}

static inline uint64_t
plus(uint64_t a, uint64_t b, int level)
{
	return a + b >= prime[level] ? a + b - prime[level] : a + b;
}

static uint64_t
power(uint64_t a, uint64_t n, int level)
{
	uint64_t r = 1;

	for (; n; n >>= 1, a = times(a, a, level))
		if (n & 1)
			r = times(r, a, level);
	return r;
}

static void
trouble(struct domain_run *run, enum domain_trouble what)
{
	if (run->trouble != DOMAIN_LACKS)
		run->trouble = what;
}

static union elem
all_levels(const struct domain_run *run, uint32_t degree)
{
	return (union elem){.chain = {.degree = degree, .nlevel = (uint8_t)run->nlevel}};
}

static uint32_t
degree_sum(uint32_t a, uint32_t b)
{
	return a + b < DEGREE_MAX ? a + b : DEGREE_MAX;
}

/* what a denominator's degree goes to; the largest stands for any more, and the numerator's is then the largest too */
static uint16_t
below_sum(uint32_t a, uint32_t b)
{
	return a + b < UINT16_MAX ? (uint16_t)(a + b) : UINT16_MAX;
}

static uint32_t
degree_most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint64_t
arith(struct domain_run *run, enum tn_fn fn, uint64_t a, uint64_t b, int level)
{
	switch (fn) {
	case TN_F_ADD: return plus(a, b, level);
	case TN_F_SUB: return plus(a, prime[level] - b, level);
	case TN_F_NEG: return a ? prime[level] - a : 0;
	case TN_F_MUL: return times(a, b, level);
	default:
		if (b == 0)
			trouble(run, DOMAIN_REDRAW);
		return times(a, power(b, prime[level] - 2, level), level);
	}
}

/* what is known of fn(a, b): its levels, and the degrees of a fraction of polynomials that it is */
static inline union elem
outline(enum tn_fn fn, union elem a, union elem b)
{
	union elem r = {.chain.nlevel = a.chain.nlevel < b.chain.nlevel ? a.chain.nlevel : b.chain.nlevel};

	switch (fn) {
	case TN_F_MUL:
		r.chain.degree = degree_sum(a.chain.degree, b.chain.degree);
		r.chain.below = below_sum(a.chain.below, b.chain.below);
		break;
	case TN_F_DIVR:
		r.chain.degree = degree_sum(a.chain.degree, b.chain.below);
		r.chain.below = below_sum(a.chain.below, b.chain.degree);
		break;
	default:
		r.chain.degree = degree_most(degree_sum(a.chain.degree, b.chain.below), degree_sum(b.chain.degree, a.chain.below));
		r.chain.below = below_sum(a.chain.below, b.chain.below);
	}
	if (r.chain.below == UINT16_MAX)
		r.chain.degree = DEGREE_MAX;
	return r;
}

static union elem
field_fn(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	union elem r;
	int i;

	if (fn == TN_F_NEG)
		b = a;
	r = fn == TN_F_NEG ? a : outline(fn, a, b);
	for (i = 0; i < r.chain.nlevel; i++)
		r.chain.level[i] = arith(run, fn, a.chain.level[i], b.chain.level[i], i);
	return r;
}

static union elem
exponential(struct domain_run *run, union elem a)
{
	union elem r = {.chain = {.degree = a.chain.degree, .below = a.chain.below, .nlevel = (uint8_t)(a.chain.nlevel - 1)}};
	int i;

	if (a.chain.nlevel <= 1) {
		trouble(run, DOMAIN_LACKS);
		return a;
	}
	for (i = 0; i < r.chain.nlevel; i++)
		r.chain.level[i] = power(generator[i], a.chain.level[i + 1], i);
	return r;
}

/* a random function of what the operands are at the top */
static union elem
keyed(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	uint64_t word[3] = {a.chain.level[0], fn == TN_F_POW ? b.chain.level[0] : 0};
	union elem r = all_levels(run, 1);

	run->is_keyed = true;
	for (word[2] = 0; word[2] < r.chain.nlevel; word[2]++)
		r.chain.level[word[2]] = domain_keyed(run, fn, word, 3) % prime[word[2]];
	return r;
}

static int64_t
chain_index(union elem a)
{
	uint64_t v = a.chain.level[0];

	return v <= INT32_MAX ? (int64_t)v : prime[0] - v <= INT32_MAX ? -(int64_t)(prime[0] - v) : TN_OUTSIDE;
}

static union elem
raised(struct domain_run *run, union elem a, union elem b)
{
	int64_t n = chain_index(b);

	if (b.chain.degree == 0 && n >= -DOMAIN_POWER_MAX && n <= DOMAIN_POWER_MAX)
		return domain_power(run, a, n);
	return keyed(run, TN_F_POW, a, b);
}

static union elem
chain_fn(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	switch (fn) {
	case TN_F_ADD: case TN_F_SUB: case TN_F_MUL: case TN_F_NEG: case TN_F_DIVR:
		return field_fn(run, fn, a, b);
	case TN_F_EXP:
		return exponential(run, a);
	case TN_F_LOG: case TN_F_SQRT: case TN_F_ERF: case TN_F_TANH: case TN_F_SIGMOID:
		return keyed(run, fn, a, b);
	case TN_F_POW:
		return raised(run, a, b);
	default:
		trouble(run, DOMAIN_LACKS);
		return a;
	}
}

static union elem
chain_number(struct domain_run *run, struct tn_number n)
{
	union elem r = all_levels(run, 0);
	int i, e = n.exp10 < 0 ? -n.exp10 : n.exp10;

	if (n.den == 1 && e == 0 && n.num >= 0 && (uint64_t)n.num < prime[LEVELS - 1]) {	/* 0 and 1, mostly */
		for (i = 0; i < run->nlevel; i++)
			r.chain.level[i] = (uint64_t)n.num;
		return r;
	}
	if (n.den == 0)
		trouble(run, DOMAIN_LACKS);
	for (i = 0; i < run->nlevel && n.den != 0; i++) {
		uint64_t p = prime[i], tens = power(10, (uint64_t)e, i), num = (uint64_t)num_floormod(n.num, (int64_t)p);
		uint64_t den = (uint64_t)num_floormod(n.den, (int64_t)p);

		if (n.exp10 < 0)
			den = times(den, tens, i);
		else
			num = times(num, tens, i);
		r.chain.level[i] = arith(run, TN_F_DIVR, num, den, i);
	}
	return r;
}

static bool
chain_equal(union elem a, union elem b)
{
	int i;

	for (i = 0; i < a.chain.nlevel && i < b.chain.nlevel; i++)
		if (a.chain.level[i] != b.chain.level[i])
			return false;
	return true;
}

static union elem
chain_draw(struct domain_run *run, unsigned way)
{
	union elem r = all_levels(run, 1);
	int i;

	(void)way;
	for (i = 0; i < run->nlevel; i++)
		r.chain.level[i] = rng_next(&run->rng) % prime[i];
	return r;
}

static size_t
chain_print(union elem a, char *out, size_t size)
{
	return (size_t)snprintf(out, size, "%llu", (unsigned long long)a.chain.level[0]);
}

/*
 * max as a symmetric and associative function of which nothing else is taken for granted: what the product is under
 * x -> ax + b for keyed a and b, that is (ax + b)(ay + b) taken back.  With b = 1 + as nothing is divided.
 */
static union elem
chain_max_fn(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	union elem r;
	uint64_t word[2], k, s, t, x, y;
	int i;

	if (fn != TN_F_MAX && fn != TN_F_MIN)
		return chain_fn(run, fn, a, b);
	run->is_keyed = true;
	r = outline(TN_F_MUL, a, b);
	for (i = 0; i < r.chain.nlevel; i++) {
		word[0] = (uint64_t)i;
		word[1] = 0;
		k = 1 + domain_keyed(run, fn, word, 2) % (prime[i] - 1);
		word[1] = 1;
		s = domain_keyed(run, fn, word, 2) % prime[i];
		t = plus(1, times(k, s, i), i);
		x = a.chain.level[i];
		y = b.chain.level[i];
		r.chain.level[i] = plus(times(k, times(x, y, i), i), times(t, plus(plus(x, y, i), s, i), i), i);
	}
	return r;
}

/* Sums and products are nearly all there is: without a call for each. */
static void
chain_each(struct domain_run *run, enum tn_fn fn, const struct domain_span *s)
{
	int i, k;

	if (fn != TN_F_ADD && fn != TN_F_MUL) {
		domain_each(run, fn, s);
		return;
	}
	for (i = 0; i < s->n; i++) {
		union elem a = s->a[i * s->agap], b = s->b[i * s->bgap], r;

		if (!s->mask[i * s->mgap])
			continue;
		r = outline(fn, a, b);
		for (k = 0; k < r.chain.nlevel; k++)
			r.chain.level[k] = fn == TN_F_MUL ? times(a.chain.level[k], b.chain.level[k], k)
			    : plus(a.chain.level[k], b.chain.level[k], k);
		s->out[i] = r;
	}
}

const struct domain domain_chain = {"prime fields", chain_fn, chain_each, chain_number, NULL, chain_equal, chain_draw,
    chain_index, chain_print};
const struct domain domain_chain_max = {"prime fields, max as a keyed symmetric function", chain_max_fn, chain_each,
    chain_number, NULL, chain_equal, chain_draw, chain_index, chain_print};
