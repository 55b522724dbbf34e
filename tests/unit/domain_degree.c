/* A value's degree in the prime fields is never told as less than it is: by it a false rule's chance is reckoned. */
#include <stdio.h>

#include "ref/domain.h"
#include "tenon/eval.h"

enum { SQUARINGS = 20 };	/* more than a denominator's degree is counted to */

int
main(void)
{
	const struct domain *d = &domain_chain;
	struct domain_run run = domain_start(d, 1);
	union elem one = d->number(&run, (struct tn_number){1, 1, 0}), x = d->draw(&run, 0), y = d->draw(&run, 0), sum;
	uint32_t degree = 1;
	int i;

	x = d->fn(&run, TN_F_DIVR, one, x);
	for (i = 0; i <= SQUARINGS; i++, degree *= 2) {
		sum = d->fn(&run, TN_F_ADD, x, y);	/* x^-degree + y */
		if (sum.chain.degree <= degree) {
			printf("1/x^%u + y is said to have degree %u\n", (unsigned)degree, (unsigned)sum.chain.degree);
			return 1;
		}
		x = d->fn(&run, TN_F_MUL, x, x);
	}
	return 0;
}
