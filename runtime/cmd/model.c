/* Reading and writing models by their file's ending; see model.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/model.h"

static bool
ends_with(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n >= m && strcmp(path + n - m, end) == 0;
}

bool
model_read(struct model *m, struct tn_ctx *ctx, const struct tn_program *p, const char *path, const struct tn_onnx_options *o,
    struct tn_error *e)
{
	*m = (struct model){0};
	if (ends_with(path, ".graph")) {
		m->graph = m->own = tn_graph_read(ctx, p, path, e);
		return m->own != NULL;
	}
	m->onnx = tn_onnx_open(ctx, p, path, o, e);
	if (!m->onnx)
		return false;
	m->graph = tn_onnx_graph(m->onnx);
	return true;
}

static bool
write_text(const struct tn_graph *g, const char *path, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(path, &temporary, e);

	if (!f)
		return false;
	tn_graph_write(g, f, true);
	return output_close(f, path, temporary, e);
}

bool
is_onnx_path(const char *path)
{
	return !ends_with(path, ".graph") && strcmp(path, "-") != 0;
}

bool
model_write(const struct model *m, const struct tn_graph *g, const char *path, struct tn_error *e)
{
	if (!is_onnx_path(path))
		return write_text(g, path, e);
	return m->onnx ? tn_onnx_write(m->onnx, g, path, e) : tn_onnx_export(g, path, e);
}

bool
model_copy(const char *from, const char *path, struct tn_error *e)
{
	FILE *in = fopen(from, "rb"), *out;
	char *temporary, part[1 << 14];
	size_t n;
	bool ok;

	if (!in)
		return tn_fail(e, TN_E_IO, "%s: %s", from, strerror(errno));
	out = output_open(path, &temporary, e);
	while (out && (n = fread(part, 1, sizeof part, in)) > 0)
		fwrite(part, 1, n, out);
	ok = out && (!ferror(in) || tn_fail(e, TN_E_IO, "%s: %s", from, strerror(errno)));
	fclose(in);
	if (ok)
		return output_close(out, path, temporary, e);
	if (out)
		output_abandon(out, temporary);
	return false;
}

void
model_close(struct model *m)
{
	tn_onnx_close(m->onnx);
	tn_graph_free(m->own);
	*m = (struct model){0};
}
