/*
 * What is asked for, and when to stop.
 *
 * The clock costs more than most steps of a loop do, so work is counted and the clock asked now and then.  A loop that
 * can be long asks watch_late with what it did, in units of some nanoseconds, and leaves what it has in a valid
 * state where it is late: less reduced, less improved, never wrong.
 */
#ifndef EXTRACT_LIMITS_H
#define EXTRACT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prog_limits {
	int64_t upper;				/* only choices cheaper than this (constant included) are asked for */
	uint32_t off;				/* a bit per step that is left out */
	size_t memory;				/* bytes for must-sets; 0: a gibibyte.  Beyond it steps that need them rest */
	double deadline_s;			/* on clock_now; 0: none */
	const volatile int *interrupted;	/* may be NULL */
	double (*clock)(void);			/* in place of clock_now, for tests; NULL: none.  The solver asks clock_now */
};

bool prog_out_of_time(const struct prog_limits *);

struct watch {
	const struct prog_limits *limits;
	uint64_t work, ask;			/* the clock is asked when work comes to this */
	bool is_late;
};

bool watch_ask(struct watch *);

/* So much more was done: is it late? */
static inline bool
watch_late(struct watch *w, uint64_t more)
{
	w->work += more;
	return w->work >= w->ask ? watch_ask(w) : w->is_late;
}

#endif
