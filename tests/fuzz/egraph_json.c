/* Any bytes as an e-graph file: read, or refused with a message; what is read is written, read again and extracted from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/tenon.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static struct tn_egraph_file *
read_bytes(const void *data, size_t size)
{
	char path[64];
	int fd = make_file(data, size, path);
	struct tn_error e = {0};
	struct tn_egraph_file *f = tn_egraph_file_read(path, "auto", &e);

	if (!f && (e.msg[0] == '\0' || e.code != TN_E_INPUT))
		__builtin_trap();
	close(fd);
	return f;
}

static size_t
op_text(void *arg, uint32_t node, char *out, size_t size)
{
	const struct tn_egraph_file *f = arg;

	return (size_t)snprintf(out, size, "%s", f->node_op[node]);
}

/* the same problem comes back, and the same answer of both greedies and the exact method, which is at most theirs */
static void
check(const struct tn_egraph_file *f)
{
	struct tn_problem_text text = {(void *)f, op_text};
	struct tn_extract_options how = {.time_s = 1};
	struct tn_egraph_file *again;
	struct tn_choice *a, *b, *greedy;
	char *out = NULL, cost[64];
	size_t size;
	FILE *m = open_memstream(&out, &size);

	tn_problem_write(&f->problem, &text, m);
	fclose(m);
	again = read_bytes(out, size);
	free(out);
	how.method = TN_ILP;
	a = tn_extract(&f->problem, &how, NULL);
	b = again ? tn_extract(&again->problem, &how, NULL) : NULL;
	how.method = TN_TREE;
	greedy = tn_extract(&f->problem, &how, NULL);
	if (!again || !a != !b || !a != !greedy)
		__builtin_trap();
	if (a && ((a->is_proven && b->is_proven && a->cost != b->cost) || a->cost > greedy->cost || a->bound > a->cost))
		__builtin_trap();
	if (a)
		tn_egraph_file_cost(f, a->cost, cost);
	tn_choice_free(a);
	tn_choice_free(b);
	tn_choice_free(greedy);
	tn_egraph_file_free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_egraph_file *f = read_bytes(data, size);

	if (f && f->problem.nnode <= 200)
		check(f);
	tn_egraph_file_free(f);
	return 0;
}
