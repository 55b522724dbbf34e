/* tenon run: a model on a target, its outputs, and how long it and its operators take. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "cmd/bench.h"
#include "cmd/cmd.h"
#include "cmd/option.h"
#include "cmd/prices.h"

#define NOT_ASKED UINT64_MAX
enum { RUNS_MOST = 1000000 };

static struct {
	struct job_options job;
	const char *output, *costs;
	uint64_t bench;
	bool check, verbose;
} options = {.job = {.target = "cpu", .threads = 1, .seed = 1}, .bench = NOT_ASKED};

static const struct option_row rows[] = {
	OPERATOR_OPTIONS(options.job.rules),
	{0, "target", "NAME", "where it runs (cpu)", OPT_TEXT, &options.job.target},
	{0, "threads", "N", "threads of a CPU; 0: as many as there are processors (1)", OPT_COUNT, &options.job.threads},
	{0, "tf32", NULL, "a GPU's products may round their factors to TF32", OPT_FLAG, &options.job.tf32},
	{0, "at", "NAME=A,B,…", "sizes of the inputs", OPT_LIST, &options.job.at},
	INPUT_OPTION(options.job.input),
	{0, "seed", "N", "of the inputs that are not given (1)", OPT_COUNT, &options.job.seed},
	{0, "output", "DIR", "write each output to DIR/NAME.npy", OPT_TEXT, &options.output},
	{0, "bench", "N", "measure N runs, and each step", OPT_COUNT, &options.bench},
	{0, "costs", "FILE", "beside what is measured, what these costs of the target predict", OPT_TEXT, &options.costs},
	{0, "check", NULL, "compare the outputs with the reference executor's", OPT_FLAG, &options.check},
	{'v', "verbose", NULL, "say what each step is", OPT_FLAG, &options.verbose},
	{0},
};

static const struct command_line line = {"run", "MODEL", "Run a model on a target.", rows};

/* ---- outputs ------------------------------------------------------------------------------------------------- */

static int64_t
count(const struct tn_array *a)
{
	int64_t n = a->rank >= 0;
	int i;

	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	return n;
}

/* "output y f32 [1 10], from -0.3 to 1.2" */
static void
print_output(const char *name, const struct tn_array *a, bool is_made_up)
{
	int64_t i, n = count(a), nan = 0;
	double low = 0, high = 0;
	bool is_first = true;

	for (i = 0; i < n; i++) {
		if (a->v[i] != a->v[i]) {
			nan++;
			continue;
		}
		low = is_first || a->v[i] < low ? a->v[i] : low;
		high = is_first || a->v[i] > high ? a->v[i] : high;
		is_first = false;
	}
	printf("output %s [", name);
	for (i = 0; i < a->rank; i++)
		printf("%s%" PRId64, i ? " " : "", a->dim[i]);
	printf("], from %g to %g", low, high);
	if (nan)
		printf(", %" PRId64 " not a number", nan);
	puts(is_made_up ? ", of what is made up" : "");
}

/* an output's name as a file's: what a path does not hold becomes '_', and a name that is taken then gets a number */
static void
put_path(struct buf *path, const char *name, struct map *taken)
{
	size_t from, end;
	unsigned n = 2;
	bool is_new;

	buf_printf(path, "%s/", options.output);
	from = path->n;
	buf_puts(path, *name ? name : "_");
	for (end = from; end < path->n; end++)
		if (path->at[end] == '/')
			path->at[end] = '_';
	for (;;) {
		map_put(taken, path->at + from, path->n - from, 0, &is_new);
		if (is_new)
			break;
		path->n = end;
		buf_printf(path, "-%u", n++);
	}
	buf_puts(path, ".npy");
}

static bool
write_output(const char *name, const struct tn_array *a, struct map *taken, struct tn_error *e)
{
	struct buf path = {0};
	bool ok;

	put_path(&path, name, taken);
	ok = tn_npy_write(path.at, a, e);
	buf_free(&path);
	return ok;
}

static bool
tell_outputs(struct job *j, struct tn_error *e)
{
	struct map taken = {0};
	bool *made_up = job_made_up(j), ok = true;
	uint32_t i;

	for (i = 0; ok && i < j->m.graph->noutput; i++) {
		print_output(j->m.graph->output[i].name, &j->out[i], made_up[i]);
		ok = !options.output || write_output(j->m.graph->output[i].name, &j->out[i], &taken, e);
	}
	map_free(&taken);
	mem_free(made_up);
	return ok;
}

/* ---- phases -------------------------------------------------------------------------------------------------- */

static void
print_plan(const struct job *j)
{
	size_t apart, bytes = tn_plan_bytes(j->plan, &apart);
	uint32_t i, n = tn_plan_steps(j->plan), k;
	int axis;

	for (i = 0; i < n && options.verbose; i++) {
		const struct tn_plan_step *s = tn_plan_step(j->plan, i);

		printf("%4u %-18s", i, s->op);
		for (axis = 0; axis < s->job->out.rank; axis++)
			printf("%s%" PRId64, axis ? " " : "[", s->job->out.dim[axis]);
		printf("%s  %s%s%s\n", s->job->out.rank ? "]" : "[]", s->facts.how, s->is_in_place ? ", in place" : "",
		    s->facts.is_slow ? ", slow" : "");
	}
	for (i = k = 0; i < n; i++)
		k += strcmp(tn_plan_step(j->plan, i)->op, "reorder") == 0;
	printf("%u steps, of them %u reorders; %.1f MB of memory, %.1f if each value had its own\n", n, k, (double)bytes / 1e6,
	    (double)apart / 1e6);
	job_tell_host(j);
}

/* --costs, if they are asked for */
static bool
read_costs(const struct job *j, struct tn_costs **costs, struct tn_error *e)
{
	if (options.costs)
		*costs = prices_read(j->ctx, j->m.graph->program, options.costs, tn_target_identity(j->target), e);
	return !options.costs || *costs;
}

/* an exit status, or -1: error */
static int
run(struct job *j, const char *path, struct tn_error *e)
{
	struct tn_costs *costs = NULL;
	int different = 0;
	bool ok = job_prepare(j, &options.job, path, e) && read_costs(j, &costs, e);

	if (ok) {
		print_plan(j);
		ok = job_run(j, e) && tell_outputs(j, e);
	}
	if (ok && options.check)
		ok = (different = job_check(j, e)) >= 0;
	if (ok && options.bench != NOT_ASKED)
		ok = bench_print(j, options.bench, costs, e);
	tn_costs_free(costs);
	return !ok ? -1 : different ? EXIT_DEFECT : EXIT_DONE;
}

/* is there a folder for the outputs?  -1: yes, or none is wanted; else the exit status */
static int
check_folder(void)
{
	struct buf path = {0};
	const char *at;
	int status;

	if (!options.output)
		return -1;
	buf_printf(&path, "%s/", options.output);
	at = path.at;
	status = check_outputs("run", NULL, &at, 1);
	buf_free(&path);
	return status;
}

int
cmd_run(int argc, char **argv)
{
	struct job j = {0};
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != 1)
		return usage_error("run", "one model is wanted, not %u", operands.n);
	if (options.job.threads > 1024)
		return usage_error("run", "so many threads there are not");
	if (options.bench != NOT_ASKED && (options.bench < 1 || options.bench > RUNS_MOST))
		return usage_error("run", "'--bench': 1 to %d, not %" PRIu64, RUNS_MOST, options.bench);
	if (options.costs && options.bench == NOT_ASKED)
		return usage_error("run", "--costs predicts what --bench measures");
	status = check_folder();
	if (status >= 0)
		return status;
	catch_interrupts();
	status = run(&j, operands.at[0], &e);
	if (status < 0)
		status = fail(&e);
	job_free(&j);
	return status;
}
