/* tenon optimize: from a model to the cheapest equal one. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "cmd/choose.h"
#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/prices.h"
#include "cmd/progress.h"
#include "cmd/trust.h"

static struct optimize_options options = {
	.extract = "ilp", .scheduler = "backoff", .cycles = "none", .iterations = 15, .multi_iterations = 1, .nodes = 50000,
	.time_s = 60, .extract_time_s = 60, .fold_time_s = 60, .verify_time_s = 60, .growth_percent = 10, .verify = true, .threads = 1,
};

static const struct option_row rows[] = {
	{'o', "output", "FILE", "where the result goes: .onnx or .graph", OPT_TEXT, &options.out},
	{'f', "force", NULL, "allow writing over the input", OPT_FLAG, &options.force},
	RULE_OPTIONS(options.rules),
	{0, "unsafe-rules", NULL, "use rules that do not hold, without checking them", OPT_FLAG, &options.unsafe_rules},
	{0, "target", "NAME", "modelled device that prices operators (t4), or whose costs are given", OPT_TEXT, &options.target},
	{0, "costs", "FILE", "measured costs; what they lack is modelled", OPT_TEXT, &options.costs},
	{0, "measure", NULL, "measure on the target what the table of --costs lacks, and add it", OPT_FLAG, &options.measure},
	{0, "tf32", NULL, "a GPU's products may round their factors to TF32", OPT_FLAG, &options.tf32},
	{0, "finalists", "N", "run N graphs on the target beside IN and write the fastest (3 where it runs, else 1)", OPT_COUNT,
	    &options.finalists},
	{0, "threads", "N", "threads of a CPU target; 0: as many as there are processors (1)", OPT_COUNT, &options.threads},
	{0, "iterations", "N", "saturation stops after N iterations (15)", OPT_COUNT, &options.iterations},
	{0, "multi-iterations", "N", "iterations in which multi-pattern rules take part (1)", OPT_COUNT, &options.multi_iterations},
	{0, "nodes", "N", "saturation stops at N e-nodes (50000)", OPT_COUNT, &options.nodes},
	{0, "time", "S", "saturation stops after S seconds (60)", OPT_SECONDS, &options.time_s},
	{0, "cycles", "NAME", "efficient or vanilla keep cycles out of the e-graph, none leaves them to extraction (none)", OPT_TEXT,
	    &options.cycles},
	{0, "scheduler", "NAME", "simple or backoff (backoff)", OPT_TEXT, &options.scheduler},
	{0, "extract", "NAME", "tree, dag or ilp (ilp)", OPT_TEXT, &options.extract},
	{0, "extract-time", "S", "the exact program stops after S seconds (60)", OPT_SECONDS, &options.extract_time_s},
	{0, "fold-time", "S", "folding constants stops after S seconds, the rest stay (60)", OPT_SECONDS, &options.fold_time_s},
	{0, "max-growth", "PERCENT", "folding may add so much to the weights (10)", OPT_COUNT, &options.growth_percent},
	{0, "max-applies", "N", "stop after N rule applications, to bisect a fault", OPT_COUNT, &options.max_applies},
	{0, "shape", "NAME=A,B,…", "narrow an input of the model to these extents", OPT_LIST, &options.shape},
	{0, "at", "NAME=A,B,…", "sizes at which costs are counted and values compared", OPT_LIST, &options.at},
	INPUT_OPTION(options.input),
	{0, "fold-inputs", NULL, "initializers that are also inputs count as constants", OPT_FLAG, &options.fold_overridable},
	{0, "no-verify", NULL, "write without comparing values", OPT_OFF, &options.verify},
	{0, "verify-time", "S", "comparing stops after S seconds (60)", OPT_SECONDS, &options.verify_time_s},
	{0, "explain", "FILE", "how the result came about, step by step, for tenon explain", OPT_TEXT, &options.explain},
	{0, "json", "FILE", "the report as JSON", OPT_TEXT, &options.json},
	{0, "egraph", "FILE", "the priced e-graph as JSON, for tenon extract: FILE.json or FILE.json.gz", OPT_TEXT, &options.egraph},
	{0, "dot", "FILE", "the result as a Graphviz drawing", OPT_TEXT, &options.dot},
	{'v', "verbose", NULL, "report every iteration and every rule", OPT_FLAG, &options.verbose},
	{0},
};

static const char operands_text[] = "IN -o OUT", what_text[] = "Find the cheapest model equal to IN and write it to OUT.";

bool
optimize_has_table(const struct optimize_options *o)
{
	return o->costs || o->measure || (o->compiled && o->compiled->costs);
}

/* ---- phases, in order ---------------------------------------------------------------------------- */

/* measured on the way, compiled in, from a file, or modelled */
static struct tn_costs *
find_costs(struct optimize *z, struct tn_error *e)
{
	const struct optimize_options *o = z->o;
	const struct tn_program *devices = prices_program(z->program);

	if (o->measure)
		return measured_open(z, e);
	if (o->compiled)
		return optimizer_costs(o->compiled, z->ctx, e);
	if (o->costs)
		return tn_costs_read(z->ctx, devices, o->costs, o->target, e);
	return tn_costs_device(z->ctx, devices, o->target ? o->target : "t4", e);
}

static bool
read_model(struct optimize *z, struct tn_error *e)
{
	const struct optimize_options *o = z->o;
	struct tn_onnx_options how = {(int)o->shape.n, o->shape.at, o->fold_overridable};

	z->program = o->compiled ? o->compiled->program : program_choose(&o->rules, e);
	z->rule_on = z->program ? program_switches(z->program, &o->rules, e) : NULL;
	if (!z->rule_on || !(o->unsafe_rules || trust_rules(&o->rules, &z->unchecked, e)))
		return false;
	z->ctx = tn_ctx_new();
	if (!model_read(&z->model, z->ctx, z->program, o->in, &how, e))
		return false;
	z->original = z->model.graph;
	z->is_onnx = is_onnx_path(o->out ? o->out : o->in);
	if (z->is_onnx && !z->model.onnx) {
		z->original = z->taken_apart = tn_onnx_legal(NULL, z->model.graph, NULL, e);
		if (!z->original)
			return false;
	}
	z->costs = find_costs(z, e);
	if (!z->costs || !race_open(z, e) || !given_read(&z->given, z->model.graph, &o->input, e))
		return false;
	given_sizes(&z->given, &options.at);
	return sizes_choose(z->ctx, z->model.graph, &o->at, &z->sizes, e);
}

static void
show_iteration(void *arg, const struct tn_report *r)
{
	const struct tn_iteration *i = &r->iteration[r->niteration - 1];

	(void)arg;
	progress_show("iteration %u: %zu e-nodes, %zu e-classes", r->niteration, i->nodes, i->classes);
}

static bool
saturate(struct optimize *z, struct tn_error *e)
{
	const struct optimize_options *o = z->o;
	struct tn_limits limits = {
		.iterations = option_cut(o->iterations), .nodes = o->nodes, .time_s = o->time_s, .max_applies = o->max_applies,
		.multi_iterations = option_cut(o->multi_iterations), .interrupted = &interrupted, .rule_on = z->rule_on,
	};
	double start = clock_now();

	if (strcmp(o->scheduler, "simple") != 0 && strcmp(o->scheduler, "backoff") != 0)
		return tn_fail(e, TN_E_IO, "--scheduler: '%s' is not simple or backoff", o->scheduler);
	limits.scheduler = *o->scheduler == 's' ? TN_SIMPLE : TN_BACKOFF;
	if (!cycles_named(o->cycles, &limits.cycles, e))
		return false;
	z->tensors = tn_tensors_new(z->ctx, z->program, z->original, true);
	z->first_new = tn_nids(tn_tensors_egraph(z->tensors));
	z->report = tn_saturate(tn_tensors_egraph(z->tensors), tn_tensors_search(z->tensors), z->program, &limits,
	    show_iteration, NULL);
	z->saturate_s = clock_now() - start;
	z->enodes = tn_nnodes(tn_tensors_egraph(z->tensors));
	z->eclasses = tn_nclasses(tn_tensors_egraph(z->tensors));
	if (z->report->stop == TN_STOP_DEFECT)
		return tn_fail(e, TN_E_DEFECT, "saturation: %s; please report this, with the model and the rules", z->report->defect);
	return true;
}

/* the graph that is written: the result if it is cheaper, else the original as it was */
static const struct tn_graph *
chosen(const struct optimize *z)
{
	return z->is_changed ? z->best->result : z->model.graph;
}

void
optimize_take(struct optimize *z, struct finalist *f)
{
	if (f)
		z->best = f;
	z->is_changed = f != NULL;
	z->after = f ? f->bill : z->before;
	z->verified = f ? f->verified : NOTHING_TO_VERIFY;
	z->difference = f ? f->difference : (struct tn_difference){0};
}

/* On inputs that are given, or two random ones.  Who interrupted the search waits for this; who interrupts this does not. */
static bool
compare_at(struct optimize *z, const struct finalist *f, const int64_t sizes[], bool was_interrupted, struct tn_difference *d,
    struct tn_error *e)
{
	struct tn_array *in = given_arrays(&z->given, z->model.graph, sizes, e);
	struct tn_comparing how = {.seeds = 2, .sizes = sizes, .time_s = z->o->verify_time_s, .given = in,
	    .interrupted = was_interrupted ? NULL : &interrupted};
	bool ok = in && tn_graphs_compare_on(z->model.graph, f->result, &how, d, e);

	if (in)
		given_done(&z->given, in);
	return ok;
}

#ifdef TN_TEST
/* A fault for tests to see caught: in the finalist whose number TENON_FAULT is, from 1, the last operator that tells its operands
 * apart gets them exchanged. */
static void
plant_fault(struct optimize *z)
{
	const char *text = getenv("TENON_FAULT");
	unsigned long which = text ? strtoul(text, NULL, 10) : 0;
	struct tn_graph *g = which >= 1 && which <= z->nfinalist ? z->finalist[which - 1].result : NULL;
	uint32_t i, *kid, t;

	for (i = g ? g->nnode : 0; i-- > 0;) {
		kid = g->kid + g->node[i].kid;
		if (g->node[i].nkid != 2 || g->program->op[g->node[i].op].is_commutative ||
		    g->node[kid[0]].type != g->node[kid[1]].type || kid[0] == kid[1])
			continue;
		t = kid[0];
		kid[0] = kid[1];
		kid[1] = t;
		return;
	}
}
#else
# define plant_fault(z) ((void)(z))
#endif

/* values that cannot be computed at all, as of an operator without a definition */
static void
add_hint(struct tn_error *e)
{
	size_t n = strlen(e->msg);

	if (e->code == TN_E_INPUT)
		snprintf(e->msg + n, sizeof e->msg - n, "; --no-verify writes the result without comparing values");
}

/* Compare the finalist's values at every size; there are elements at each.  One that may not be needed is left out if they
 * cannot be had, as where there is no time. */
static bool
verify_one(struct optimize *z, struct finalist *f, bool was_interrupted, struct tn_error *e)
{
	struct tn_difference d;
	uint32_t i;

	for (i = 0; i < z->sizes.n; i++) {
		progress_show("comparing values at size %u of %u", i + 1, z->sizes.n);
		if (!compare_at(z, f, z->sizes.at[i], was_interrupted, &d, e)) {
			f->verified = NOT_VERIFIED;
			if (f != z->best && e->code != TN_E_INTERRUPT) {
				f->unable = *e;
				return true;
			}
			add_hint(e);
			return e->code == TN_E_INTERRUPT;
		}
		if (d.differs)
			return tn_fail(e, TN_E_DEFECT, "%s computes other values, nothing is written: %s",
			    f == z->best ? "the result" : "a finalist", d.where);
		f->difference.worst = d.worst > f->difference.worst ? d.worst : f->difference.worst;
		f->difference.elements += d.elements;
		f->difference.never += d.never;
		f->verified = VERIFIED;
	}
	return true;
}

/* has an input no elements at one of the sizes? */
static bool
has_nothing(const struct optimize *z)
{
	uint32_t i;

	for (i = 0; i < z->sizes.n; i++)
		if (sizes_empty(z->model.graph, z->sizes.at[i]))
			return true;
	return false;
}

/* every finalist, if one may be written; where there is nothing to compare what was read is written, as it was */
static bool
verify(struct optimize *z, struct tn_error *e)
{
	bool was_interrupted = interrupted, nothing = has_nothing(z);
	double start = clock_now();
	uint32_t i;

	plant_fault(z);
	if (!z->is_changed || !z->o->verify)
		return true;
	for (i = 0; i < z->nfinalist && !nothing; i++)
		if (!verify_one(z, &z->finalist[i], was_interrupted, e))
			return false;
	optimize_take(z, nothing ? NULL : z->best);
	if (nothing)
		z->verified = NO_ELEMENTS;
	z->verify_s = clock_now() - start;
	return true;
}

/* text in which nothing changed is that file; ONNX comes out as it was by itself */
static bool
write_model(struct optimize *z, struct tn_error *e)
{
	if (!z->is_changed && !z->is_onnx && !z->model.onnx)
		return model_write_text(&z->model, z->o->out, e);
	return model_write(&z->model, chosen(z), z->o->out, e);
}

bool
may_write(const struct optimize *z)
{
	return !z->is_changed || !z->o->verify || z->verified == VERIFIED;
}

static bool
write_dot(const struct optimize *z, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(z->o->dot, &temporary, e);

	if (!f)
		return false;
	tn_graph_dot(chosen(z), f);
	return output_close(f, z->o->dot, temporary, e);
}

/* the model last: where anything else cannot be written, it is not there either */
static bool
write_all(struct optimize *z, struct tn_error *e)
{
	return measured_write(z, e) && (!z->o->dot || !may_write(z) || write_dot(z, e)) && explain_write(z, e) &&
	    (!z->o->json || report_json(z, z->o->json, e)) && (!z->o->out || !may_write(z) || write_model(z, e));
}

static void
release(struct optimize *z)
{
	uint32_t i;

	tn_chain_free(z->chain);
	for (i = 0; i < z->nfinalist; i++)
		choose_release(&z->finalist[i]);
	mem_free(z->finalist);
	choose_release(&z->unchanged);
	measuring_end(&z->measuring);
	tn_target_close(z->race.target);
	tn_report_free(z->report);
	tn_graph_free(z->taken_apart);
	if (z->tensors)
		tn_tensors_free(z->tensors);
	if (z->costs)
		tn_costs_free(z->costs);
	model_close(&z->model);
	given_free(&z->given);
	sizes_free(&z->sizes);
	mem_free(z->rule_on);
	mem_free(z->unchecked);
	if (z->ctx)
		tn_ctx_free(z->ctx);
}

enum { GROWTH_MOST = 1000000 };		/* per cent: as good as no limit, and bytes times this are a number */

static int
check_usage(const struct operands *operands)
{
	int status;

	if (operands->n != 1)
		return usage_error("optimize", operands->n ? "one model at a time: '%s'" : "which model?%s",
		    operands->n ? operands->at[1] : "");
	options.in = operands->at[0];
	if (options.finalists > MOST_FINALISTS || options.threads > 1024)
		return usage_error("optimize", options.threads > 1024 ? "so many threads there are not" : "a hundred finalists at most");
	if (options.growth_percent > GROWTH_MOST)
		options.growth_percent = GROWTH_MOST;
	if (!options.out && !options.json && !options.dot && !options.egraph && !options.explain)
		return usage_error("optimize", "where to? say -o OUT");
	if (options.out && !options.force && path_is_same_file(options.in, options.out))
		return usage_error("optimize", "'%s' is the input; --force writes over it", options.out);
	status = check_outputs("optimize", NULL, &options.out, 1);
	if (status >= 0)
		return status;
	return check_outputs("optimize", options.in, (const char *const[]){options.json, options.dot, options.egraph,
	    options.explain}, 4);
}

static int
run(const struct command_line *how, int argc, char **argv)
{
	struct optimize z = {.o = &options};
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(how, argc, argv, &operands);
	bool done;

	if (status < 0)
		status = check_usage(&operands);
	if (status >= 0)
		return status;
	catch_interrupts();
	done = read_model(&z, &e) && saturate(&z, &e) && choose_result(&z, &e) && measured_done(&z, &e) && verify(&z, &e) &&
	    race_run(&z, &e) && measured_done(&z, &e) && explain_result(&z, &e) && write_all(&z, &e);
	progress_end();
	if (done) {
		report_print(&z, report_stream((const char *const[]){options.out, options.json, options.dot, options.egraph,
		    options.explain}, 5));
		status = interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
	} else
		status = fail(&e);
	release(&z);
	return status;
}

int
cmd_optimize(int argc, char **argv)
{
	return run(&(struct command_line){"optimize", operands_text, what_text, rows}, argc, argv);
}

/* does the option name what an optimizer has compiled in? */
static bool
is_compiled_in(const struct option_row *r)
{
	static const char *const name[] = {"rules", "add-rules", "unsafe-rules", "target", "costs"};
	size_t i;

	for (i = 0; i < sizeof name / sizeof *name; i++)
		if (strcmp(r->name, name[i]) == 0)
			return true;
	return false;
}

int
optimize_compiled(const struct tn_optimizer *compiled, int argc, char **argv)
{
	struct option_row own[sizeof rows / sizeof *rows] = {0}, *to = own;
	const struct option_row *r;

	for (r = rows; r->name; r++)
		if (!is_compiled_in(r))
			*to++ = *r;
	options.compiled = compiled;
	options.target = compiled->target;
	return run(&(struct command_line){"optimize", operands_text, what_text, own}, argc, argv);
}
