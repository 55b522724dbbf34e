/* Kernels are asked for here: what a target knows by name has to be the operator of that name that it was written for. */
#include <string.h>

#include "tenon/tenon.h"

#include "tensor/same_op.h"
#include "target/target.h"

bool
is_namesake(const struct tn_op *op)
{
	int i;

	for (i = TN_CORE; i < tn_builtin.nop; i++)
		if (strcmp(tn_builtin.op[i].name, op->name) == 0)
			return !op_is_same(&tn_builtin.op[i], op);
	return false;
}

unsigned
standard_op(const struct tn_program *p, const char *name)
{
	unsigned op = tn_op_named(p, name);

	return op != TN_NONE && !is_namesake(&p->op[op]) ? op : TN_NONE;
}

void *
target_make(struct tn_target *t, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	if (job->op && is_namesake(job->op)) {
		tn_fail(e, TN_E_INPUT, "'%s' is declared otherwise than the operator that the target knows by this name", job->op->name);
		return NULL;
	}
	return t->plugin->make(t->state, job, facts, e);
}
