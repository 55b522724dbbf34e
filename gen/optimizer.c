/* The end of a file that is an optimizer by itself: its table of costs as data, and main. */
#include <inttypes.h>

#include "gen/gen.h"
#include "gen/literal.h"
#include "tenon/optimizer.h"

/* One line of the table: {"relu f32 [8] -> f32 [8]", {1200, 0.03, 100}}, */
static void
put_cost(struct emit *e, struct arena *a, const struct tn_costs_line *line)
{
	emit(e, "\t{%s, {", gen_string(a, line->signature));
	if (line->m.ns == TN_SLOWEST_NS)
		emit_text(e, "TN_SLOWEST_NS");
	else
		emit(e, "%" PRId64, line->m.ns);
	emit_text(e, ", ");
	literal_real(&e->text, line->m.spread);
	emit(e, ", %" PRId64 "}},\n", line->m.samples);
}

static void
put_costs(struct emit *e, struct arena *a, const struct tn_costs_table *t)
{
	if (t->nline) {
		emit_text(e, "\nstatic const struct tn_costs_line measured[] = {\n");
		for (uint32_t i = 0; i < t->nline; i++)
			put_cost(e, a, &t->line[i]);
		emit_text(e, "};\n");
	}
	emit_text(e, "\nstatic const struct tn_costs_table costs = {\n");
	emit(e, "\t.identity = %s,\n\t.model = %s, .scale = ", gen_string(a, t->identity), gen_string(a, t->model));
	literal_real(&e->text, t->scale);
	emit(e, ",\n\t.nline = %" PRIu32 ",%s\n};\n", t->nline, t->nline ? " .line = measured," : "");
}

void
gen_optimizer(const struct gen_options *o, const char *program, struct arena *a, struct emit *e)
{
	if (o->costs)
		put_costs(e, a, o->costs);
	emit(e, "\nstatic const struct tn_optimizer optimizer = {\n\t.abi = TN_OPTIMIZER_ABI, .program = &tn_%s,\n", program);
	emit(e, "\t.target = %s,%s\n};\n", gen_string(a, o->target), o->costs ? " .costs = &costs," : "");
	emit_text(e, "\nint\nmain(int argc, char **argv)\n{\n\treturn tn_optimizer_main(&optimizer, argc, argv);\n}\n");
}
