/* Asking the clock; see limits.h. */
#include "extract/limits.h"

#include "base/clock.h"

#ifdef TN_TEST
enum { ASK_EVERY = 1 };
#else
enum { ASK_EVERY = 1 << 20 };
#endif

bool
prog_out_of_time(const struct prog_limits *l)
{
	if (l->interrupted && *l->interrupted)
		return true;
	return l->deadline_s > 0 && (l->clock ? l->clock() : clock_now()) >= l->deadline_s;
}

bool
watch_ask(struct watch *w)
{
	w->ask = w->work + ASK_EVERY;
	w->is_late = prog_out_of_time(w->limits);
	return w->is_late;
}
