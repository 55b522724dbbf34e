/* One graph beats another by more than 5 % and by more than the noise, which is of ratios: a slow part is slow for all. */
#include <math.h>
#include <stdio.h>

#include "tenon/target.h"

static int failures;

static void
expect(const char *what, const struct tn_lap *a, const struct tn_lap *b, double noise, bool beats)
{
	double got;

	tn_lap_ratio(a, b, &got);
	if (fabs(got - noise) < 1e-9 && tn_lap_beats(a, b) == beats)
		return;
	failures++;
	printf("%s: noise %g, not %g; %s\n", what, got, noise, tn_lap_beats(a, b) ? "beats" : "does not beat");
}

int
main(void)
{
	const struct tn_lap model = {100, {100, 100, 100, 100}}, slow_part = {100, {100, 300, 100, 100}};
	const struct tn_lap at_tie = {95, {95, 95, 95, 95}}, past_tie = {94, {94, 94, 94, 94}};
	const struct tn_lap loud = {80, {80, 80, 80, 110}}, in_step = {80, {80, 240, 80, 80}}, louder = {80, {80, 95, 80, 80}};
	const struct tn_lap nothing = {0, {0, 0, 0, 0}};

	expect("itself", &model, &model, 0, false);
	expect("5 %", &at_tie, &model, 0, false);
	expect("6 %", &past_tie, &model, 0, true);
	expect("slower", &model, &past_tie, 0, false);
	expect("slower in a part", &loud, &model, 0.3, false);
	expect("less fast in a part", &louder, &model, 0.15, true);
	expect("slow in the part that is slow for all", &in_step, &slow_part, 0, true);
	expect("no time at all", &nothing, &nothing, 0, false);
	return failures != 0;
}
