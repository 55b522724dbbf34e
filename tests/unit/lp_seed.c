/*
 * The solver draws random numbers from our seed, whatever seed and whatever time of day there was before: the same
 * program goes the same way on every run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "extract/lp.h"

enum { DRAWS = 100000 };

static time_t now;

/* in place of the C library's, which lp_solve would seed rand() with */
time_t
time(time_t *at)
{
	if (at)
		*at = now;
	return now;
}

/* the next random number after a small program was solved */
static int
next_after(time_t moment, unsigned seed)
{
	static const int col[] = {0, 1, 2};
	static const double coef[] = {1, 1, 1};
	struct lp *lp = lp_new(3);
	double x[3], value;
	int i;

	now = moment;
	srand(seed);
	for (i = 0; i < 3; i++)
		lp_cost(lp, i, 1 + i);
	lp_row(lp, 3, col, coef, LP_GE, 1.5);
	if (lp_solve(lp, true, 10, NULL, x, &value) != LP_OPTIMAL || value != 2)
		value = -1;
	lp_free(lp);
	return value == 2 ? rand() : -1;
}

int
main(void)
{
	int a = next_after(1000, 7), b = next_after(2000, 8), i;

	srand(1);
	for (i = 0; i < DRAWS && rand() != a; i++)
		;
	if (a < 0 || a != b || i == DRAWS) {
		printf("what follows a solve is %d and %d: not from one seed\n", a, b);
		return 1;
	}
	return 0;
}
