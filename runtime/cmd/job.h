/* A model on a target: read, made ready at some sizes, with its inputs. */
#ifndef CMD_JOB_H
#define CMD_JOB_H

#include "cmd/given.h"
#include "cmd/model.h"
#include "cmd/program.h"
#include "cmd/sizes.h"
#include "tenon/target.h"

struct job_options {
	const char *target;
	uint64_t threads, seed;			/* of the inputs that are not given */
	bool tf32;
	strings at, input;
	struct rule_options rules;
};

struct job {
	const struct job_options *o;
	struct tn_ctx *ctx;
	struct model m;
	struct given given;
	sizes_list sizes;
	struct tn_target *target;
	struct tn_plan *plan;			/* at the first of the sizes */
	struct tn_array *in, *out;	/* out: once it ran */
};

/* False: error; free it all the same. */
bool job_prepare(struct job *, const struct job_options *, const char *path, struct tn_error *);
/* Say which steps the target has no kernel for; nothing where it has all. */
void job_tell_host(const struct job *);
/* By output: does it come of what is made up?  The caller frees it. */
bool *job_made_up(const struct job *);
bool job_run(struct job *, struct tn_error *);
/* Are the outputs those of the reference executor?  It is said on standard output.  0 equal, 1 different, -1 error. */
int job_check(struct job *, struct tn_error *);
void job_free(struct job *);

#endif
