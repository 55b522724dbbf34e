/* Explanations: made by tenon optimize --explain, and checked again by tenon explain. */
#include <string.h>

#include "cmd/choose.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"

enum { STEP_SECONDS = 60, COMPARE_SECONDS = 600 };

/* ---- tenon optimize --explain ------------------------------------------------------------------------------- */

static void
show_step(void *arg, uint32_t done, uint32_t all)
{
	(void)arg;
	progress_show("checking step %u of %u", done + 1, all);
}

bool
explain_result(struct optimize *z, struct tn_error *e)
{
	struct tn_chain_check how = {.sizes = z->sizes.at[0], .time_s = STEP_SECONDS, .interrupted = &interrupted,
	    .progress = show_step};
	struct tn_error why = {0};
	struct tn_graph *g;
	bool same;

	if (!z->o->explain)
		return true;
	progress_show("explaining the result");
	z->chain = z->is_changed ? tn_chain_make(z->tensors, z->best->enode, z->is_onnx ? z->model.onnx : NULL, e) :
	    tn_chain_none(z->original, e);
	if (!z->chain)
		return false;
	if (!tn_chain_check(z->chain, &how, &why))
		return tn_fail(e, why.code == TN_E_INPUT ? TN_E_DEFECT : why.code, "the explanation does not hold, nothing is written: %s",
		    why.msg);
	g = z->is_changed ? tn_chain_result(z->chain, e) : NULL;
	same = !g || tn_graphs_same(g, z->best->chosen);
	tn_graph_free(g);
	return same || tn_fail(e, TN_E_DEFECT, "the explanation leads to another model, nothing is written");
}

bool
explain_write(const struct optimize *z, struct tn_error *e)
{
	char *temporary;
	FILE *f;

	if (!z->o->explain)
		return true;
	f = output_open(z->o->explain, &temporary, e);
	if (!f)
		return false;
	tn_chain_write(z->chain, f);
	return output_close(f, z->o->explain, temporary, e);
}

/* ---- tenon explain ------------------------------------------------------------------------------------------ */

static struct {
	uint64_t growth_percent;
	double time_s;
	bool fold_overridable;
	strings at, shape;
	struct rule_options rules;
} options = {.growth_percent = 10, .time_s = STEP_SECONDS};

static const struct option_row rows[] = {
	OPERATOR_OPTIONS(options.rules),
	{0, "at", "NAME=A,B,…", "sizes of the inputs", OPT_LIST, &options.at},
	{0, "time", "S", "computing both sides of one step stops after S seconds (60)", OPT_SECONDS, &options.time_s},
	{0, "shape", "NAME=A,B,…", "as it was given to tenon optimize", OPT_LIST, &options.shape},
	{0, "fold-inputs", NULL, "as it was given to tenon optimize", OPT_FLAG, &options.fold_overridable},
	{0, "max-growth", "PERCENT", "as it was given to tenon optimize (10)", OPT_COUNT, &options.growth_percent},
	{0},
};

static const struct command_line line = {"explain", "FILE IN [OUT]",
    "Check every step of an explanation FILE of how OUT came from IN.", rows};

struct explaining {
	struct tn_ctx *ctx;
	struct model in, out;
	struct tn_graph *taken_apart;
	const struct tn_graph *original;
	struct tn_chain *chain;
	sizes_list sizes;
};

static bool
read_all(struct explaining *z, char **path, uint32_t npath, struct tn_error *e)
{
	const struct tn_program *program = program_choose(&options.rules, e);
	struct tn_onnx_options how = {(int)options.shape.n, options.shape.at, options.fold_overridable};

	if (!program || !model_read(&z->in, z->ctx, program, path[1], &how, e) ||
	    (npath == 3 && !model_read(&z->out, z->ctx, program, path[2], &how, e)))
		return false;
	z->original = z->in.graph;
	if (npath == 3 && z->out.onnx && !z->in.onnx) {
		z->original = z->taken_apart = tn_onnx_legal(NULL, z->in.graph, NULL, e);
		if (!z->original)
			return false;
	}
	z->chain = tn_chain_read(z->original, z->in.onnx, path[0], e);
	return z->chain && sizes_choose(z->ctx, z->in.graph, &options.at, &z->sizes, e);
}

/* does the chain's result, as it would be written, equal the model? */
static bool
leads_to(const struct explaining *z, struct tn_error *e)
{
	struct tn_fold how = {.growth_bytes = choose_growth(z->original, options.growth_percent), .interrupted = &interrupted};
	struct tn_graph *g = tn_chain_result(z->chain, e), *finished = NULL;
	struct tn_difference d = {0};
	bool ok;

	if (g)
		finished = z->out.onnx ? tn_onnx_legal(z->in.onnx, g, NULL, e) : tn_graph_copy(g, e);
	if (finished)
		tn_graph_fold(finished, &how, NULL);
	ok = finished && tn_graphs_compare(finished, z->out.graph, 2, z->sizes.at[0], COMPARE_SECONDS, &d, e);
	tn_graph_free(g);
	tn_graph_free(finished);
	return ok && (!d.differs || tn_fail(e, TN_E_INPUT, "the steps lead to another model: %s", d.where));
}

static bool
check(struct explaining *z, struct tn_error *e)
{
	struct tn_chain_check how = {.sizes = z->sizes.at[0], .time_s = options.time_s, .interrupted = &interrupted,
	    .progress = show_step};
	bool ok = tn_chain_check(z->chain, &how, e) && (!z->out.graph || leads_to(z, e));

	progress_end();
	if (ok)
		printf("%u steps hold; both sides of %u computed on random values, %u just like one of these, for %u no time\n",
		    tn_chain_nsteps(z->chain), how.ncompared, how.nalike, how.nlate);
	return ok;
}

int
cmd_explain(int argc, char **argv)
{
	struct explaining z = {0};
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != 2 && operands.n != 3)
		return usage_error("explain", "an explanation and its model are wanted, and perhaps the result");
	catch_interrupts();
	z.ctx = tn_ctx_new();
	status = read_all(&z, operands.at, operands.n, &e) && check(&z, &e) ? EXIT_DONE : fail(&e);
	tn_chain_free(z.chain);
	tn_graph_free(z.taken_apart);
	sizes_free(&z.sizes);
	model_close(&z.in);
	model_close(&z.out);
	tn_ctx_free(z.ctx);
	return status;
}
