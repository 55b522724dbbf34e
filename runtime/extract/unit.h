/*
 * Costs of a file, any JSON numbers, as whole multiples of one unit.
 *
 * A cost is a whole number inside, because sums, bounds and proofs of whole numbers are exact.
 */
#ifndef EXTRACT_UNIT_H
#define EXTRACT_UNIT_H

#include "tenon/tenon.h"

/* A number as the file has it.  An infinite one is a node that is not to be chosen. */
struct unit_cost {
	bool is_whole;		/* then it is n, else x */
	int64_t n;
	double x;
};

/* One unit is 10^-tens, or 2^-twos, or `size` of the file's. */
struct unit {
	enum { UNIT_TENS, UNIT_TWOS, UNIT_SIZE } kind;
	int tens, twos;
	double size;		/* set whatever the kind */
	bool is_rounded;	/* costs are not what the file says, but the nearest multiples */
	bool is_single;		/* the file's are the single-precision neighbours of what they stand for */
};

/*
 * Choose a unit for the costs of nodes and fill whole[]; most is the sum over classes of their dearest
 * node, which must fit: class c has nodes first[c] … first[c + 1] - 1.
 *
 *	auto	the largest of 1, 0.1, … 1e-9 of which all costs are multiples, as decimals or as
 *		single-precision neighbours of decimals; else the largest power of two; else, where
 *		that does not fit, a power of two that keeps twelve digits of the sum
 *	exact	the largest power of two of which all costs are multiples; else the finest that fits
 *	U	the number U; costs that are not its multiples are rounded
 *
 * False: not one of these, or the costs do not fit in multiples of U.
 */
bool unit_choose(struct unit *, const char *how, const struct unit_cost[], uint32_t nclass, const uint32_t first[],
    int64_t whole[], struct tn_error *);
/* "in units of 1e-06", "in units of 2^-39", "rounded to multiples of 2^-20", … */
void unit_describe(const struct unit *, char out[64]);
/* So many units as the file would write it: all digits of tenths, fifteen of others. */
void unit_print(const struct unit *, int64_t cost, char out[64]);

#endif
