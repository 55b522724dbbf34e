/* Kernels are asked for here: what a target knows by name has to be the operator of that name that it was written for. */
#include <string.h>

#include "tenon/tenon.h"

#include "tensor/same_op.h"
#include "target/target.h"

void *
target_make(struct tn_target *t, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	if (job->op && op_is_namesake(job->op)) {
		tn_fail(e, TN_E_INPUT, "'%s' is declared otherwise than the operator that the target knows by this name", job->op->name);
		return NULL;
	}
	return t->plugin->make(t->state, job, facts, e);
}
