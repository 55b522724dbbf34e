/*
 * The reduced program for another solver, and its solution back.
 *
 * Reading reduces again: the same problem and options give the same program, so that its columns are those
 * which were written; the name of one of them tells whether they are.  What the solver says is taken for a choice, no
 * more: that is checked on the e-graph.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "extract/mip.h"
#include "extract/swap.h"

/*
 * Reduced to what costs at most as much as greed: an optimum is always among it.  NULL: there is no choice, or
 * the problem or the options are wrong.
 */
static struct prog *
reduced(const struct tn_problem *p, const struct tn_extract_options *o, struct arena *arena, struct tn_error *e)
{
	struct tn_extract_options without = *o;
	struct component_options component;
	struct prog_limits limits;
	struct prog *q;
	uint32_t *node;
	int64_t cost;
	bool left;

	without.time_s = 0;		/* a deadline would make it another program each time */
	if (!problem_check(p, e) || !extract_limits(&without, &limits, &component, e))
		return NULL;
	node = mem_alloc(p->nclass * sizeof *node);
	cost = extract_dag(p, node, &limits);
	if (cost >= 0)
		cost = extract_local(p, node, &limits);
	mem_free(node);
	if (cost < 0) {
		tn_fail(e, TN_E_INPUT, "no acyclic choice covers the roots");
		return NULL;
	}
	q = prog_new(p, arena);
	limits.upper = cost + 1;
	left = prog_reduce(q, &limits, NULL);
	if (prog_out_of_time(&limits))
		tn_fail(e, TN_E_INTERRUPT, "interrupted");
	else if (!left)
		tn_fail(e, TN_E_DEFECT, "the reductions lost a choice of cost %" PRId64, cost);
	else
		return q;
	return NULL;
}

static uint64_t
hash(uint64_t seed, const void *at, size_t len)
{
	uint64_t pair[2] = {seed, len ? hash_bytes(at, len) : 0};

	return hash_bytes(pair, sizeof pair);
}

static uint64_t
hash_problem(const struct tn_problem *p)
{
	uint64_t h = hash(p->nclass, p->first, p->nclass ? ((size_t)p->nclass + 1) * sizeof *p->first : 0);

	h = hash(h, p->cost, p->nnode * sizeof *p->cost);
	h = hash(h, p->root, p->nroot * sizeof *p->root);
	if (p->nnode) {
		h = hash(h, p->kid_first, ((size_t)p->nnode + 1) * sizeof *p->kid_first);
		h = hash(h, p->kid, p->kid_first[p->nnode] * sizeof *p->kid);
	}
	return h;
}

enum { ID_EGRAPH = 3 };		/* digits for the e-graph and its costs; the others: for what was left of it */

static void
identify(const struct tn_problem *p, const struct tn_problem *left, int64_t constant, char id[MIP_ID + 2])
{
	uint64_t egraph = hash_problem(p), program = hash(hash_problem(left), &constant, sizeof constant);

	snprintf(id, MIP_ID + 2, "f%03x%04x", (unsigned)(egraph & 0xfff), (unsigned)(program & 0xffff));
}

bool
tn_extract_write(const struct tn_problem *p, const struct tn_extract_options *o, enum tn_format format, FILE *f,
    struct tn_error *e)
{
	struct arena arena = {0};
	struct mip m = {0};
	struct tn_problem problem;
	struct prog *q = reduced(p, o, &arena, e);

	if (q) {
		problem = prog_problem(q);
		mip_reduced(&m, q, &problem);
		identify(p, &problem, q->constant, m.id);
		if (format == TN_LP)
			mip_write_lp(&m, f);
		else
			mip_write_mps(&m, f);
		mip_free(&m);
	}
	arena_free(&arena);
	return q != NULL;
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

/* The program that a solution is for. */
struct solved {
	char id[MIP_ID + 2];
	uint32_t nnode;
};

/* A line's words, cut apart in place; how many, at most `most`. */
static uint32_t
split(char *line, char *word[], uint32_t most)
{
	uint32_t n = 0;
	char *at;

	for (at = strtok(line, " \t\r\n"); at && n < most; at = strtok(NULL, " \t\r\n"))
		word[n++] = at;
	return n;
}

/* x and a number, which goes to *number */
static bool
is_choice(const char *word, uint64_t *number)
{
	char *end;

	if (word[0] != 'x' || word[1] < '0' || word[1] > '9')
		return false;
	errno = 0;
	*number = strtoull(word + 1, &end, 10);
	return *end == '\0';
}

/* f and the digits of an identity; then it must be this one */
static bool
is_other(const char *word, const char *id, const char *path, struct tn_error *e)
{
	size_t egraph = 1 + ID_EGRAPH;

	if (word[0] != 'f' || strlen(word) != 1 + MIP_ID || strspn(word + 1, "0123456789abcdef") != MIP_ID || strcmp(word, id) == 0)
		return false;
	if (strncmp(word, id, egraph) != 0)
		tn_fail(e, TN_E_INPUT, "%s: it solves another program (%s, not %s): of another e-graph, or with costs in another unit",
		    path, word, id);
	else
		tn_fail(e, TN_E_INPUT, "%s: it solves another program (%s, not %s): written with another --reduce or --memory",
		    path, word, id);
	return true;
}

/*
 * "x12 1", and as cbc has it "  17 x12 1 0", with "**" before it where a limit is broken; lines without the
 * name of a node say other things.  False: the error says what is wrong.
 */
static bool
read_line(char *line, uint32_t at, const char *path, const struct solved *s, bool is_chosen[], struct tn_error *e)
{
	char *word[5], *end;
	uint32_t n = split(line, word, 5), i;
	uint64_t number;
	double x;

	if (at == 1 && n && (strcasecmp(word[0], "infeasible") == 0 || strcasecmp(word[0], "unbounded") == 0))
		return tn_fail(e, TN_E_INPUT, "%s: the solver found no solution: it says %s", path, word[0]);
	for (i = 0; i < n && i < 3; i++) {
		if (is_other(word[i], s->id, path, e))
			return false;
		if (!is_choice(word[i], &number))
			continue;
		x = i + 1 < n ? strtod(word[i + 1], &end) : 0;
		if (i + 1 == n || end == word[i + 1] || *end)
			return tn_fail(e, TN_E_INPUT, "%s:%u: no value for '%s'", path, at, word[i]);
		if (number >= s->nnode)
			return tn_fail(e, TN_E_INPUT, "%s:%u: the program has no column 'x%" PRIu64 "'", path, at, number);
		is_chosen[number] = x > 0.5;
		break;
	}
	return true;
}

static bool
read_chosen(const char *path, const struct solved *s, bool is_chosen[], struct tn_error *e)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	uint32_t at = 0;
	bool ok = true;

	if (!f)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	while (ok && getline(&line, &size, f) >= 0)
		ok = read_line(line, ++at, path, s, is_chosen, e);
	if (ok && ferror(f))
		ok = tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	free(line);
	fclose(f);
	return ok;
}

/* the first chosen node of each class: where a solver took two, either does */
static void
pick_chosen(const struct tn_problem *problem, const bool is_chosen[], uint32_t pick[])
{
	uint32_t c, n;

	for (c = 0; c < problem->nclass; c++) {
		pick[c] = TN_NONE;
		for (n = problem->first[c]; n < problem->first[c + 1] && pick[c] == TN_NONE; n++)
			if (is_chosen[n])
				pick[c] = n - problem->first[c];
	}
}

bool
tn_extract_read(const struct tn_problem *p, const struct tn_extract_options *o, const char *path, uint32_t node[], int64_t *cost,
    struct tn_error *e)
{
	struct arena arena = {0};
	struct prog *q = reduced(p, o, &arena, e);
	struct tn_problem problem;
	struct solved s;
	bool *is_chosen, ok;
	uint32_t *pick, c;

	if (!q) {
		arena_free(&arena);
		return false;
	}
	problem = prog_problem(q);
	is_chosen = mem_alloc(problem.nnode);
	pick = mem_alloc(q->nclass * sizeof *pick);
	s.nnode = problem.nnode;
	identify(p, &problem, q->constant, s.id);
	ok = read_chosen(path, &s, is_chosen, e);
	if (ok) {
		pick_chosen(&problem, is_chosen, pick);
		for (c = 0; c < p->nclass; c++)
			node[c] = TN_NONE;
		prog_expand(q, pick, node);
		*cost = choice_settle(p, node, NULL);
		ok = *cost >= 0 || tn_fail(e, TN_E_INPUT, "%s: no choice: a needed class is missing, or it is cyclic", path);
	}
	mem_free(is_chosen);
	mem_free(pick);
	arena_free(&arena);
	return ok;
}
