/* Normal deviates by the polar method (Marsaglia and Bray 1964). */
#include <math.h>

#include "base/rand.h"

double
rng_normal(struct rng *r)
{
	double u, v, s;

	do {
		u = 2 * rng_unit(r) - 1;
		v = 2 * rng_unit(r) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s == 0);
	return u * sqrt(-2 * log(s) / s);
}
