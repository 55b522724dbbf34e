/*
 * Value domains: what the elements of tensors are while defs are evaluated.
 *
 * The reference executor computes in doubles.  Rules are checked where equal means equal: a law of the
 * reals that uses + - * / and exp holds in the chain of prime fields, one that compares holds among the
 * rationals.  Functions that a domain cannot compute are keyed random functions in it, which know no law:
 * what holds for them holds for the real ones.
 */
#ifndef REF_DOMAIN_H
#define REF_DOMAIN_H

#include "base/rand.h"
#include "tenon/ctx.h"

/* An element.  Which member is meant is the domain's business. */
union elem {
	double real;
	struct { int64_t num, den; } ratio;	/* lowest terms, den > 0; den 0: infinity of num's sign */
	struct {
		uint64_t level[3];		/* modulo p1, p2, p3 */
		uint32_t degree;		/* as a fraction of polynomials in the draws: at most of this degree … */
		uint16_t below;			/* … over this one */
		uint8_t nlevel;			/* how many are known: exp uses one up */
	} chain;
};

enum domain_trouble {
	DOMAIN_FINE,
	DOMAIN_LACKS,		/* a function that is not of this domain */
	DOMAIN_REDRAW,		/* 0 divided, too large a number: other draws may do */
};

struct domain;

/* One evaluation: draws and keyed functions of one seed.  Trouble stays until it is taken away. */
struct domain_run {
	const struct domain *domain;
	struct rng rng;
	uint64_t key;
	enum domain_trouble trouble;
	int nlevel;		/* prime fields: levels to compute in; 1 is enough where there is no exp */
	int64_t reach;		/* rationals: some values of keyed functions are as large as this */
	bool is_keyed;		/* a function was stood in for by a keyed one */
};

/* A function of many elements; a gap of 0 stays at the same one.  Where mask is 0 nothing is done. */
struct domain_span {
	int n;
	const union elem *a, *b;
	const int64_t *mask;
	int agap, bgap, mgap;
	union elem *out;
};

struct domain {
	const char *name;
	/* b is not looked at where fn has one operand; comparisons are order's */
	union elem (*fn)(struct domain_run *, enum tn_fn, union elem a, union elem b);
	void (*each)(struct domain_run *, enum tn_fn, const struct domain_span *);
	union elem (*number)(struct domain_run *, struct tn_number);
	/* below 0, 0, above 0; NULL: there is no order, EQ and NE alone */
	int (*order)(union elem a, union elem b);
	bool (*equal)(union elem a, union elem b);
	/* way: 0 as the domain likes, else a number that chooses among special draws: ties, negatives */
	union elem (*draw)(struct domain_run *, unsigned way);
	/* as an index of an axis; TN_OUTSIDE if it is none */
	int64_t (*index)(union elem);
	size_t (*print)(union elem, char *out, size_t size);
};

extern const struct domain domain_real;		/* doubles */
extern const struct domain domain_ratio;	/* rationals with order */
extern const struct domain domain_chain;	/* prime fields, exp from one to the next */
extern const struct domain domain_chain_max;	/* the same, max and min as keyed symmetric functions */

/* Does this way of drawing doubles lead to where functions overflow? */
bool domain_is_far(unsigned way);

enum { DOMAIN_LEVELS = 3 };
struct domain_run domain_start(const struct domain *, uint64_t seed);
/* fn for each, one by one. */
void domain_each(struct domain_run *, enum tn_fn, const struct domain_span *);
/* The number a float attribute means: the simplest one that rounds to it in f32. */
struct tn_number domain_meant(double);
/* a to the power of n by multiplication in the domain: pow with a small whole exponent is no mystery. */
union elem domain_power(struct domain_run *, union elem a, int64_t n);
enum { DOMAIN_POWER_MAX = 16 };
/* 64 bits of a keyed random function of fn and the words. */
uint64_t domain_keyed(const struct domain_run *, enum tn_fn, const uint64_t word[], int n);

/*
 * All elements of a def's result in the domain, by the tree walker (ref/flat.h is the fast way).  ev says shapes
 * and attributes; its arrays' v are not looked at.  in[i]: elements of operand i.  False: the domain's trouble, or the
 * operator has no def.
 */
struct tn_eval;
bool domain_eval(struct domain_run *, struct tn_eval *ev, const union elem *const in[], union elem *out);

#endif
