/* Runs of scalar rules for tests: a program loaded from a rule file, and e-graphs for it. */
#ifndef TESTS_SCALAR_H
#define TESTS_SCALAR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tenon/tenon.h"
#include "tests/unit/compiled.h"

struct scalar {
	const struct tn_program *program;
	struct tn_ctx *ctx;
	struct tn_egraph *g;
	struct tn_search *search;
	struct tn_terms terms;
};

static inline struct scalar
scalar_begin(const struct tn_program *p, bool with_proof)
{
	struct scalar s = {.program = p, .ctx = tn_ctx_new()};

	s.g = tn_egraph_new(&(struct tn_egraph_config){.with_proof = with_proof});
	s.search = tn_search_new(s.ctx, p, s.g);
	return s;
}

static inline void
scalar_end(struct scalar *s)
{
	tn_terms_free(&s->terms);
	tn_search_free(s->search);
	tn_egraph_free(s->g);
	tn_ctx_free(s->ctx);
}

static inline void
scalar_read(struct scalar *s, const char *path)
{
	struct tn_error e;

	if (!tn_terms_read(s->g, s->search, s->ctx, s->program, path, &s->terms, &e)) {
		printf("%s\n", e.msg);
		exit(2);
	}
}

/* terms from text, through a file as users give them */
static inline void
scalar_terms(struct scalar *s, const char *text)
{
	char path[] = "/tmp/terms.XXXXXX";
	int fd = mkstemp(path);
	ssize_t n = (ssize_t)strlen(text);

	if (fd < 0 || write(fd, text, (size_t)n) != n)
		exit(2);
	close(fd);
	scalar_read(s, path);
	unlink(path);
}

static inline struct tn_report *
scalar_run(struct scalar *s, const struct tn_limits *limits)
{
	return tn_saturate(s->g, s->search, s->program, limits, NULL, NULL);
}

static inline int
scalar_rule(const struct scalar *s, const char *name)
{
	int i;

	for (i = 0; i < s->program->nrule; i++)
		if (strcmp(s->program->rule[i].name, name) == 0)
			return i;
	printf("no rule %s\n", name);
	exit(2);
}

#endif
