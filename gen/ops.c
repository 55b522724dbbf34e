/* The operators of a program: tables, shape functions, compiled defs, and the table of them all. */
#include "gen/ops.h"

#include <string.h>

#include "gen/eval.h"
#include "gen/literal.h"
#include "gen/names.h"
#include "gen/table.h"

/* One operator's part: its place, its data, its functions. */
static void
put_op(struct buf *out, struct buf *row, const struct tn_op *op, const char *name, struct table_names *n,
    const struct names *ops)
{
	struct arena *a = ops->arena;
	struct buf shape = {0}, eval = {0};
	bool is_declared = op - n->text->op == TN_FILL || op - n->text->op >= TN_CORE;

	buf_puts(out, "\n/* ---- ");
	literal_comment(out, op->name, strlen(op->name));
	if (op->file) {
		buf_puts(out, ": ");
		literal_comment(out, op->file, strlen(op->file));
		buf_printf(out, ":%d", op->line);
	}
	buf_puts(out, " ---- */\n\n");
	n->shape = is_declared && gen_shape(&shape, op, name, ops) ? arena_printf(a, "shape_%s", name) : NULL;
	n->eval = is_declared && gen_eval(&eval, op, name, ops) ? arena_printf(a, "eval_%s", name) : NULL;
	table_op(out, row, op, name, n);
	if (n->shape)
		buf_printf(out, "\n%s", shape.at);
	if (n->eval)
		buf_printf(out, "\n%s", eval.at);
	buf_free(&shape);
	buf_free(&eval);
}

static void
put_enums(struct buf *out, const struct tn_program_text *text, struct names *names, const char **name)
{
	for (int i = 0; i < text->nenum; i++) {
		name[i] = name_new(names, arena_printf(names->arena, "enum_%s", text->enums[i]->name));
		table_enum(out, text->enums[i], name[i]);
	}
	if (text->nenum) {
		buf_puts(out, "static const struct tn_enum *const enums[] = {");
		for (int i = 0; i < text->nenum; i++)
			buf_printf(out, "%s&%s", i == 0 ? "" : i % 4 ? ", " : ",\n\t", name[i]);
		buf_puts(out, "};\n");
	}
}

static void
put_devices(struct buf *out, const struct tn_program_text *text)
{
	if (text->ndevice == 0)
		return;
	buf_puts(out, "\nstatic const struct tn_device devices[] = {\n");
	for (int i = 0; i < text->ndevice; i++)
		table_device(out, &text->device[i]);
	buf_puts(out, "};\n");
}

void
gen_ops(struct emit *e, const struct tn_program_text *text)
{
	struct buf *out = &e->text;
	struct arena arena = {0};
	struct names names = {.arena = &arena};
	struct table_names n = {.text = text, .enums = arena_news(&arena, (size_t)text->nenum, const char *)};
	struct buf rows = {0};

	put_enums(out, text, &names, n.enums);
	for (int i = 0; i < text->nop; i++) {
		/* Never a word of C: x_pow and eval_pow are none. */
		const char *name = name_new(&names, arena_printf(&arena, "op_%s", text->op[i].name)) + 3;

		put_op(out, &rows, &text->op[i], name, &n, &names);
	}
	put_devices(out, text);
	buf_puts(out, "\nstatic const struct tn_op ops[] = {\n");
	buf_put(out, rows.at, rows.n);
	buf_puts(out, "};\n");
	buf_free(&rows);
	names_free(&names);
	arena_free(&arena);
}
