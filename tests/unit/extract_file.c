/* Random e-graphs written and read are the same; the published program, with each way against cycles, agrees with brute force. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "problems.h"

static size_t
op_text(void *arg, uint32_t node, char *out, size_t size)
{
	(void)arg;
	return (size_t)snprintf(out, size, "op \"%u\"\n", node);
}

/* write to memory, compressed or not, and read */
static struct tn_egraph_file *
there_and_back(const struct tn_problem *p, bool is_packed, struct tn_error *e)
{
	char path[64];
	int fd = memfd_create("egraph", MFD_CLOEXEC);
	FILE *f;
	struct tn_egraph_file *back;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	f = fopen(path, "w");
	if (f && is_packed)
		f = tn_gzip(f);
	if (!f)
		return NULL;
	tn_problem_write(p, &(struct tn_problem_text){NULL, op_text}, f);
	fclose(f);
	back = tn_egraph_file_read(path, "auto", e);
	close(fd);
	return back;
}

/* cost by a method; -1: there is no choice */
static int64_t
cost_of(const struct tn_problem *p, enum tn_method method, enum tn_cycles cycles, bool *is_proven)
{
	struct tn_extract_options how = {.method = method, .cycles = cycles};
	struct tn_choice *c = tn_extract(p, &how, NULL);
	int64_t cost = c ? c->cost : -1;

	*is_proven = !c || c->is_proven;
	tn_choice_free(c);
	return cost;
}

/* classes without nodes get one that is never chosen; else all is as it was */
static bool
is_same(const struct tn_problem *p, const struct tn_egraph_file *f)
{
	uint32_t c, n, i = 0;

	if (f->problem.nclass != p->nclass || f->problem.nroot != p->nroot)
		return false;
	for (c = 0; c < p->nclass; c++) {
		uint32_t count = p->first[c + 1] - p->first[c], k = (uint32_t)strtoul(f->class_name[c], NULL, 10);

		if (k != c || f->problem.first[c + 1] - f->problem.first[c] != (count ? count : 1))
			return false;
		for (n = p->first[c]; n < p->first[c + 1]; n++, i++) {
			uint32_t at = f->problem.first[c] + n - p->first[c];

			if (f->problem.cost[at] != p->cost[n] || strtoul(f->node_name[at], NULL, 10) != n ||
			    f->problem.kid_first[at + 1] - f->problem.kid_first[at] != p->kid_first[n + 1] - p->kid_first[n] ||
			    (p->kid_first[n + 1] > p->kid_first[n] && memcmp(f->problem.kid + f->problem.kid_first[at], p->kid + p->kid_first[n],
			    (p->kid_first[n + 1] - p->kid_first[n]) * sizeof *p->kid) != 0))
				return false;
		}
	}
	return i == p->nnode;
}

static bool
try(const struct random *r, bool is_packed)
{
	static const enum tn_cycles ways[] = {TN_REAL_ORDER, TN_WHOLE_ORDER, TN_LAZY};
	struct tn_error e = {0};
	struct tn_egraph_file *f = there_and_back(&r->p, is_packed, &e);
	bool is_proven, ok = f && is_same(&r->p, f);
	int64_t best, got;
	int i;

	if (!ok) {
		printf("written and read: %s\n", f ? "another" : e.msg);
		tn_egraph_file_free(f);
		return false;
	}
	best = cost_of(&r->p, TN_BRUTE, TN_LAZY, &is_proven);
	if (cost_of(&f->problem, TN_ILP, TN_LAZY, &is_proven) != best || !is_proven)
		ok = false;
	for (i = 0; i < 3; i++) {
		got = cost_of(&r->p, TN_ILP_PLAIN, ways[i], &is_proven);
		if (got != best || !is_proven) {
			printf("best %" PRId64 ", published program with way %d: %" PRId64 "%s\n", best, i, got, is_proven ? "" : ", not proven");
			ok = false;
		}
	}
	tn_egraph_file_free(f);
	return ok;
}

int
main(void)
{
	struct rng g = {7};
	struct random r = {0};
	int i;

	for (i = 0; i < 1000; i++) {
		random_make(&r, &g, 7);
		if (!try(&r, i % 2)) {
			printf("random e-graph %d:\n", i);
			random_show(&r);
			return 1;
		}
	}
	random_free(&r);
	return 0;
}
