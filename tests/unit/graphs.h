/* Graphs from .graph text, for tests that say what they test in a few lines. */
#ifndef TESTS_GRAPHS_H
#define TESTS_GRAPHS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tenon/tenon.h"

static struct tn_ctx *c;
static int failures;

static inline void
check(bool ok, const char *what)
{
	if (ok)
		return;
	printf("failed: %s\n", what);
	failures++;
}

/* a new file of tests/run's folder, which it removes; elsewhere the test removes it at its end */
static inline const char *
temporary(void)
{
	static char path[400];
	const char *folder = getenv("TMP");

	snprintf(path, sizeof path, "%s/graph-%ld", folder ? folder : "/tmp", (long)getpid());
	return path;
}

static inline struct tn_graph *
read_graph(const char *text, size_t size, struct tn_error *e)
{
	FILE *f = fopen(temporary(), "wb");
	struct tn_graph *g;

	if (!f || fwrite(text, 1, size, f) != size || fclose(f) != 0) {
		perror(temporary());
		exit(1);
	}
	g = tn_graph_read(c, &tn_builtin, temporary(), e);
	unlink(temporary());
	return g;
}

/* the forms in a graph; a mistake ends the test */
static inline struct tn_graph *
graph(const char *forms)
{
	size_t size = strlen(forms) + 20;
	char *text = malloc(size);
	struct tn_error e;
	struct tn_graph *g;

	snprintf(text, size, "(graph g %s)", forms);
	g = read_graph(text, strlen(text), &e);
	free(text);
	if (g)
		return g;
	printf("%s\n%s\n", forms, e.msg);
	exit(1);
}

/* what is written of the graph, malloc'ed */
static inline char *
written(const struct tn_graph *g, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	tn_graph_write(g, f, true);
	fclose(f);
	return text;
}

/* every symbol is n */
static inline int64_t *
sizes_of(int64_t n)
{
	int64_t *sizes = calloc((size_t)tn_dim_nsym(c) + 1, sizeof *sizes);
	int i;

	for (i = 0; i < tn_dim_nsym(c); i++)
		sizes[i] = n;
	return sizes;
}

/* number of nodes with the operator */
static inline uint32_t
count_op(const struct tn_graph *g, const char *name)
{
	uint32_t i, n = 0;

	for (i = 0; i < g->nnode; i++)
		n += strcmp(g->program->op[g->node[i].op].name, name) == 0;
	return n;
}

#endif
