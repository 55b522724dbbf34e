/* Extraction problems as files of the egraph-serialize format, which file.c reads. */
#include <inttypes.h>

#include "base/mem.h"
#include "egraph/json.h"
#include "extract/choice.h"

enum { OP_SIZE = 256 };

static void
put_op(const struct tn_problem_text *t, uint32_t n, FILE *f)
{
	char few[OP_SIZE], *text = few;
	size_t len = t->op(t->arg, n, few, sizeof few);

	if (len >= sizeof few) {
		text = mem_alloc(len + 1);
		t->op(t->arg, n, text, len + 1);
	}
	json_put_string(f, text);
	if (text != few)
		mem_free(text);
}

/* a child is named by a node of its class: the first, or the one made up for a class without nodes */
static void
put_child(const struct tn_problem *p, uint32_t class, FILE *f)
{
	if (p->first[class] < p->first[class + 1])
		fprintf(f, "\"%" PRIu32 "\"", p->first[class]);
	else
		fprintf(f, "\"none-%" PRIu32 "\"", class);
}

static void
put_node(const struct tn_problem *p, const struct tn_problem_text *t, uint32_t n, uint32_t class, FILE *f)
{
	uint32_t i;

	fprintf(f, "    \"%" PRIu32 "\": {\"op\": ", n);
	put_op(t, n, f);
	fprintf(f, ", \"children\": [");
	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++) {
		fprintf(f, "%s", i > p->kid_first[n] ? ", " : "");
		put_child(p, p->kid[i], f);
	}
	fprintf(f, "], \"eclass\": \"%" PRIu32 "\", \"cost\": ", class);
	if (p->cost[n] == TN_COST_NEVER)
		fprintf(f, "1e300}");
	else
		fprintf(f, "%" PRId64 "}", p->cost[n]);
}

void
tn_problem_write(const struct tn_problem *p, const struct tn_problem_text *t, FILE *f)
{
	const char *comma = "";
	uint32_t c, n, i;

	fprintf(f, "{\n  \"nodes\": {");
	for (c = 0; c < p->nclass; c++) {
		for (n = p->first[c]; n < p->first[c + 1]; n++, comma = ",") {
			fprintf(f, "%s\n", comma);
			put_node(p, t, n, c, f);
		}
		if (p->first[c] == p->first[c + 1]) {
			fprintf(f, "%s\n    \"none-%" PRIu32 "\": {\"op\": \"none\", \"eclass\": \"%" PRIu32 "\", \"cost\": 1e300}", comma, c, c);
			comma = ",";
		}
	}
	fprintf(f, "\n  },\n  \"root_eclasses\": [");
	for (i = 0; i < p->nroot; i++)
		fprintf(f, "%s\"%" PRIu32 "\"", i ? ", " : "", p->root[i]);
	fprintf(f, "],\n  \"class_data\": {}\n}\n");
}
