/*
 * Speed of exact extraction on the e-graphs of ../shared/bench/egraphs, as a Markdown table: CPU time to the proof, beside it
 * that of the plain root relaxation of the same reduced program in the same run, without cuts, and what the proof took.
 * The ratio of the two times can be compared between machines, a time cannot.
 *
 *	bench/extract [FILE.json.gz …]
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "extract/relax.h"

enum { LIMIT_S = 600 };		/* by the wall clock, which others may hold up */

static const char *const names[] = {
	"tensat-vgg_acyclic", "tensat-resnet50_acyclic", "tensat-vgg", "tensat-resnet50", "tensat-bert_acyclic",
	"tensat-bert", "tensat-nasneta_acyclic", "tensat-nasneta", "tensat-nasrnn_acyclic", "tensat-nasrnn",
	"rover-box_filter_3iteration", "rover-mcm_3_7_21_original_8iteration", "flexc-fdbbd205-1519-4880-9a24-07b2ea772d16",
	"egg-lambda_fib", "eggcc-bril-gamma_condition_and.bril", "diospyros-vector_2d_conv_2x2_2x2_root_36",
};

static double
cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* the relaxations of all components after reductions from the greedy choice; < 0: nothing is left to solve */
static double
root_s(const struct tn_problem *problem)
{
	struct prog_limits limits = {.upper = COST_MAX};
	struct arena arena = {0};
	struct prog *p = prog_new(problem, &arena), **part;
	uint32_t *node = mem_alloc(problem->nclass * sizeof *node), n, i;
	double seconds = -1, start;
	struct relax r;

	limits.upper = extract_dag(problem, node, &limits);
	if (prog_reduce(p, &limits, NULL)) {
		part = prog_split(p, &n);
		start = cpu_s();
		for (i = 0; i < n; i++) {
			relax_open(&r, part[i], &limits, limits.upper);
			relax_solve(&r);
			relax_close(&r);
		}
		if (n)
			seconds = cpu_s() - start;
	}
	mem_free(node);
	arena_free(&arena);
	return seconds;
}

static bool
run(const char *path)
{
	struct tn_extract_options how = {.method = TN_ILP, .time_s = LIMIT_S};
	struct tn_egraph_file *file;
	struct tn_choice *choice;
	struct tn_error e;
	char cost[64], base[32] = "-";
	double start, took, root;
	bool is_proven;

	file = tn_egraph_file_read(path, "auto", &e);
	if (!file) {
		printf("%s: %s\n", path, e.msg);
		return false;
	}
	start = cpu_s();
	choice = tn_extract(&file->problem, &how, &e);
	took = cpu_s() - start;
	is_proven = choice && choice->is_proven;
	root = root_s(&file->problem);
	tn_egraph_file_cost(file, choice ? choice->cost : 0, cost);
	if (root > 0)
		snprintf(base, sizeof base, "%.3f", root);
	path = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	printf("| %.*s | %s %s | %.2f | %s", (int)strcspn(path, "."), path, cost, is_proven ? "proven" : "open", took, base);
	if (choice)
		printf(" | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |", choice->report.relaxations, choice->report.cut[CUT_LOOP].n,
		    choice->report.cut[CUT_FLOW].n, choice->report.branches);
	printf("\n");
	fflush(stdout);
	tn_choice_free(choice);
	tn_egraph_file_free(file);
	return is_proven;
}

int
main(int argc, char **argv)
{
	char path[256];
	bool ok = true;
	uint32_t i;
	FILE *f;

	printf("| e-graph | cost | CPU s | root LP s | solves | loop cuts | flow cuts | branches |\n|---|---|---|---|---|---|---|---|\n");
	for (i = 1; i < (uint32_t)argc; i++)
		ok &= run(argv[i]);
	for (i = 0; argc < 2 && i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "../shared/bench/egraphs/%s.json.gz", names[i]);
		f = fopen(path, "r");
		if (!f) {
			printf("%s: skipped, it is not here\n", path);
			continue;
		}
		fclose(f);
		ok &= run(path);
	}
	return !ok;
}
