/* Reading and writing models by their file's ending; see model.h. */
#include <stdio.h>
#include <string.h>

#include "base/sx.h"
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
		if (sx_text(path, &m->text, e))
			m->graph = m->own = tn_graph_parse(ctx, p, path, m->text.at ? m->text.at : "", m->text.n, e);
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
model_write_text(const struct model *m, const char *path, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(path, &temporary, e);

	if (!f)
		return false;
	fwrite(m->text.at, 1, m->text.n, f);
	return output_close(f, path, temporary, e);
}

void
model_close(struct model *m)
{
	tn_onnx_close(m->onnx);
	tn_graph_free(m->own);
	buf_free(&m->text);
	*m = (struct model){0};
}
