/*
 * Seeded random numbers (splitmix64, Steele, Lea and Flood 2014): one stream a seed, the same on
 * every machine.
 */
#ifndef BASE_RAND_H
#define BASE_RAND_H

#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t
rng_next(struct rng *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* 0 … n - 1, n > 0 */
static inline uint32_t
rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* 0 ≤ x < 1 */
static inline double
rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *);	/* mean 0, deviation 1 */

#endif
