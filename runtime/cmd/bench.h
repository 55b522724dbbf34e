/* How long a model and its steps take. */
#ifndef CMD_BENCH_H
#define CMD_BENCH_H

#include "cmd/job.h"

/* Measure n runs and then each step, and say it on standard output, beside what costs (NULL allowed) predict. */
bool bench_print(const struct job *, uint64_t n, struct tn_costs *, struct tn_error *);

#endif
