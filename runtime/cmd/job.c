/* A model on a target; see job.h. */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/job.h"

bool
job_prepare(struct job *j, const struct job_options *o, const char *path, struct tn_error *e)
{
	const struct tn_program *program = program_choose(&o->rules, e);
	struct tn_onnx_options how = {0};
	struct tn_target_options target = {.threads = (int)o->threads, .tf32 = o->tf32};
	strings at = {0};
	uint32_t i;
	bool ok;

	j->o = o;
	j->ctx = tn_ctx_new();
	j->target = program ? tn_target_open(o->target, &target, e) : NULL;
	if (!j->target || !model_read(&j->m, j->ctx, program, path, &how, e) || !given_read(&j->given, j->m.graph, &o->input, e))
		return false;
	for (i = 0; i < o->at.n; i++)
		vec_push(&at, o->at.at[i]);
	given_sizes(&j->given, &at);
	ok = sizes_choose(j->ctx, j->m.graph, &at, &j->sizes, e) &&
	    (j->in = given_draw(&j->given, j->m.graph, j->sizes.at[0], o->seed, e));
	vec_free(&at);
	if (!ok)
		return false;
	j->plan = tn_plan_new(j->target, j->m.graph, j->sizes.at[0], e);
	return j->plan != NULL;
}

/* steps before step `end` of the operator's name that run there */
static uint32_t
count_steps(const struct job *j, enum tn_step_place where, const char *op, uint32_t end)
{
	const struct tn_plan_step *s;
	uint32_t i, n = 0;

	for (i = 0; i < end; i++) {
		s = tn_plan_step(j->plan, i);
		n += s->where == where && strcmp(s->op, op) == 0;
	}
	return n;
}

/* "on the host, by the reference executor: 2 add, 1 conv2d" */
static void
tell_steps(const struct job *j, enum tn_step_place where, const char *what)
{
	uint32_t i, n = tn_plan_steps(j->plan);
	const struct tn_plan_step *s;

	for (i = 0; i < n; i++) {
		s = tn_plan_step(j->plan, i);
		if (s->where != where || count_steps(j, where, s->op, i))
			continue;
		printf("%s %u %s", what, count_steps(j, where, s->op, n), s->op);
		what = ",";
	}
	if (*what == ',')
		putchar('\n');
}

void
job_tell_host(const struct job *j)
{
	tell_steps(j, TN_ON_HOST, "on the host, by the reference executor:");
	tell_steps(j, TN_MADE_UP, "made up, as Tenon does not know them, so that outputs are not the model's:");
}

bool *
job_made_up(const struct job *j)
{
	const struct tn_graph *g = j->m.graph;
	bool *node = mem_alloc(g->nnode + 1), *output = mem_alloc(g->noutput + 1);
	uint32_t b, i;

	for (b = 0; b < g->nnode; b++) {
		node[b] = g->node[b].op == TN_OPAQUE;
		for (i = 0; i < g->node[b].nkid; i++)
			node[b] |= node[g->kid[g->node[b].kid + i]];
	}
	for (i = 0; i < g->noutput; i++)
		output[i] = node[g->output[i].node];
	mem_free(node);
	return output;
}

bool
job_run(struct job *j, struct tn_error *e)
{
	j->out = tn_plan_run(j->plan, j->in, e);
	return j->out != NULL;
}

int
job_check(struct job *j, struct tn_error *e)
{
	bool *made_up, is_given = false;
	struct tn_difference d;
	uint32_t i;

	if (!tn_plan_check(j->plan, j->m.graph, j->in, j->out, &interrupted, &d, e))
		return -1;
	made_up = job_made_up(j);
	for (i = 0; i < j->m.graph->noutput; i++)
		is_given |= made_up[i];
	mem_free(made_up);
	printf("%s the reference executor's%s%s%s\n", d.differs ? "different from" : "equal to",
	    is_given ? ", given what is made up" : "", d.differs ? ": " : "", d.differs ? d.where : "");
	return d.differs;
}

void
job_free(struct job *j)
{
	if (j->out)
		tn_arrays_free(j->out, j->m.graph->noutput);
	tn_plan_free(j->plan);
	if (j->in)
		given_done(&j->given, j->in);
	given_free(&j->given);
	sizes_free(&j->sizes);
	model_close(&j->m);
	tn_target_close(j->target);
	if (j->ctx)
		tn_ctx_free(j->ctx);
}
