/* What the parts of targets share: an opened target, tensors as strided views, places in memory. */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "target/view.h"

struct tn_target {
	const struct tn_target_plugin *plugin;
	void *state, *library;
};

/* ---- make.c ------------------------------------------------------------------------------------------------ */

/* A kernel of the target for the job; NULL and TN_E_INPUT: it has none, or knows another operator by the name. */
void *target_make(struct tn_target *, const struct tn_job *, struct tn_kernel_facts *, struct tn_error *);

/* ---- memory.c: places of buffers by the time they are in use --------------------------------------------- */

struct span_of_use {
	size_t bytes;
	uint32_t from, to;		/* first and last step; both use it */
	size_t offset;			/* to be found */
};
/* First fit in order of size, aligned; the bytes that are needed for all. */
size_t memory_place(struct span_of_use *, uint32_t n);

#endif
