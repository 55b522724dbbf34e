/* Finalists in the reports of tenon optimize. */
#include <inttypes.h>

#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/optimize.h"

static bool
is_kept(const struct optimize *z, const struct finalist *f)
{
	return f == &z->unchanged ? !z->is_changed : z->is_changed && f == z->best;
}

/* of what ran with its reorders, which extraction knows nothing of */
static int64_t
predicted_ns(const struct finalist *f)
{
	return f->unable.code ? f->bill.ns : f->planned.ns;
}

/*
 *	                predicted     measured  ratio   noise
 *	the model      1234.5 us    1300.1 us
 *	finalist 1     1000.0 us    1100.0 us   0.85   0.9 %  kept
 */
static void
print_lane(const struct optimize *z, const struct finalist *f, const char *name, FILE *out)
{
	double noise, ratio = tn_lap_ratio(&f->lap, &z->unchanged.lap, &noise);

	fprintf(out, "  %-12s %9.1f us ", name, (double)predicted_ns(f) / 1e3);
	if (f->unable.code) {
		fprintf(out, "%s\n", f->unable.msg);
		return;
	}
	fprintf(out, "%9.1f us", f->lap.ns / 1e3);
	if (f != &z->unchanged)
		fprintf(out, "  %5.2f %6.1f %%", ratio, 100 * noise);
	fprintf(out, "%s\n", is_kept(z, f) ? "  kept" : "");
}

/* why the model stays: it was beaten by none, or there was none to beat it */
static const char *
why_unchanged(const struct optimize *z)
{
	uint32_t i;

	for (i = 0; i < z->nfinalist; i++)
		if (!z->finalist[i].unable.code)
			return "none is faster than the model by more than the noise and 5 %";
	return "the model alone runs there";
}

void
report_race(const struct optimize *z, FILE *f)
{
	char name[32];
	uint32_t i;

	if (z->race.why.code)
		fprintf(f, "%-14s none ran: %s\n", "finalists", z->race.why.msg);
	if (!z->race.rounds)
		return;
	fprintf(f, "%-14s %u, in turn with the model %" PRIu32 " times on %s\n", "finalists", z->nfinalist, z->race.rounds,
	    tn_target_identity(z->race.target));
	fprintf(f, "  %-12s %12s %12s %6s %8s\n", "", "predicted", "measured", "ratio", "noise");
	print_lane(z, &z->unchanged, "the model", f);
	for (i = 0; i < z->nfinalist; i++) {
		snprintf(name, sizeof name, "finalist %u", i + 1);
		print_lane(z, &z->finalist[i], name, f);
	}
	if (!z->is_changed)
		fprintf(f, "  %s: it stays as it is\n", why_unchanged(z));
}

static void
put_lane(const struct optimize *z, const struct finalist *f, FILE *out)
{
	double noise, ratio = tn_lap_ratio(&f->lap, &z->unchanged.lap, &noise);

	fprintf(out, "{\"predicted_ns\": %" PRId64 ", ", predicted_ns(f));
	if (f->unable.code) {
		fprintf(out, "\"unable\": ");
		json_string(out, f->unable.msg);
	} else {
		fprintf(out, "\"measured_ns\": %.0f, \"ratio\": %.4f, \"noise\": %.4f", f->lap.ns, ratio, noise);
	}
	fprintf(out, ", \"kept\": %s}", is_kept(z, f) ? "true" : "false");
}

void
report_race_json(const struct optimize *z, FILE *f)
{
	uint32_t i;

	fprintf(f, "  \"race\": {\"rounds\": %" PRIu32 ", \"why_not\": ", z->race.rounds);
	json_string(f, z->race.why.msg);
	if (z->race.rounds) {
		fprintf(f, ", \"target\": ");
		json_string(f, tn_target_identity(z->race.target));
		fprintf(f, ",\n    \"model\": ");
		put_lane(z, &z->unchanged, f);
		fprintf(f, ",\n    \"finalists\": [");
		for (i = 0; i < z->nfinalist; i++) {
			fprintf(f, "%s\n      ", i ? "," : "");
			put_lane(z, &z->finalist[i], f);
		}
		fprintf(f, "\n    ]");
	}
	fprintf(f, "},\n");
}
