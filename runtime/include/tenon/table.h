/* Tables of measured costs as data, so that a program can have one compiled in: tenonc --costs. */
#ifndef TENON_TABLE_H
#define TENON_TABLE_H

#include "base.h"

/* What a line says: nanoseconds, how far the median lies above them as a share, runs. */
struct tn_measurement {
	int64_t ns;		/* TN_SLOWEST_NS: not to be chosen where there is another way */
	double spread;
	int64_t samples;
};
#define TN_SLOWEST_NS INT64_C(1000000000000000)

struct tn_costs_line {
	const char *signature;
	struct tn_measurement m;
};
struct tn_costs_table {
	const char *identity;		/* of what was measured, the target's name first */
	const char *model;		/* the device for what was not, and how many times as long as it things take there */
	double scale;
	uint32_t nline;
	const struct tn_costs_line *line;	/* in the order of their signatures' bytes, each once */
};

/* From a file, as tn_costs_read; free it. */
TN_API struct tn_costs_table *tn_costs_table_read(const char *path, const char *target, struct tn_error *);
TN_API void tn_costs_table_free(struct tn_costs_table *);

#endif
