/*
 * What targets of tests have in place of a device: the program's own memory, and a clock that stands still but for what is
 * added to `now`.  Each copy there or back adds `copy`.
 */
#ifndef STAND_IN_CLOCK_H
#define STAND_IN_CLOCK_H

#include <stdlib.h>
#include <string.h>

#include "tenon/target.h"

static double now, copy, stamped[TN_STAMPS];

static void *
take(void *state, size_t bytes, struct tn_error *e)
{
	(void)state, (void)e;
	return calloc(1, bytes);
}

static void
give(void *state, void *at)
{
	(void)state;
	free(at);
}

static bool
upload(void *state, void *to, const void *from, size_t bytes, struct tn_error *e)
{
	(void)state, (void)e;
	memcpy(to, from, bytes);
	now += copy;
	return true;
}

static bool
stamp(void *state, int which, struct tn_error *e)
{
	(void)state, (void)e;
	stamped[which] = now;
	return true;
}

static bool
elapsed(void *state, int from, int to, double *ns, struct tn_error *e)
{
	(void)state, (void)e;
	*ns = stamped[to] - stamped[from];
	return true;
}

#endif
