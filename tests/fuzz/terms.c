/* Any bytes as a file of terms: refused in words, or saturated a little; the e-graph is sound, and its JSON is read. */
#include "tests/fuzz/file.h"
#include "tests/fuzz/forms.h"
#include "tests/unit/scalar.h"

int LLVMFuzzerInitialize(int *, char ***);
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const struct tn_program *program;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	program = compiled_program("tests/egraph/mathmicro.rules");
	return 0;
}

static size_t
op_text(void *arg, const struct tn_egraph *g, tn_id node, char *out, size_t size)
{
	(void)arg;
	return (size_t)snprintf(out, size, "%s", program->op[tn_node_at(g, node).op].name);
}

/* What is written of the e-graph is an extraction problem. */
static void
write_and_read(const struct scalar *s)
{
	struct tn_egraph_text text = {.op = op_text};
	struct tn_egraph_file *f;
	char *out = NULL, path[64];
	struct tn_error e;
	size_t size;
	FILE *m = open_memstream(&out, &size);
	int fd;

	tn_egraph_write(s->g, &text, s->terms.root, s->terms.nroot, m);
	fclose(m);
	fd = make_file(out, size, path);
	f = tn_egraph_file_read(path, "auto", &e);
	if (!f || f->problem.nclass != tn_nclasses(s->g) || f->problem.nnode != tn_nnodes(s->g))
		__builtin_trap();
	tn_egraph_file_free(f);
	close(fd);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_limits limits = {.iterations = 3, .nodes = 500};
	struct scalar s = scalar_begin(program, size % 2);
	struct tn_error e = {0};
	struct tn_report *r;
	char path[64];
	int fd = make_file(data, size, path);

	if (tn_terms_read(s.g, s.search, s.ctx, program, path, &s.terms, &e)) {
		r = scalar_run(&s, &limits);
		if (r->stop != TN_STOP_DEFECT && tn_egraph_check(s.g))
			__builtin_trap();
		if (r->stop != TN_STOP_DEFECT && s.terms.nroot)
			write_and_read(&s);
		tn_report_free(r);
	} else if (e.msg[0] == '\0' || e.code != TN_E_INPUT) {
		__builtin_trap();
	}
	close(fd);
	scalar_end(&s);
	return 0;
}
