/*
 * The e-graph as JSON in the egraph-serialize format.
 *
 *	{
 *	  "nodes": {
 *	    "7": {"op": "+", "children": ["3", "4"], "eclass": "7", "cost": 1}
 *	  },
 *	  "root_eclasses": ["7"],
 *	  "class_data": {}
 *	}
 *
 * A child is named by a node of its class: the class's first.
 */
#include "egraph/egraph.h"
#include "egraph/json.h"

enum { OP_SIZE = 256 };

static void
put_op(const struct tn_egraph *g, const struct tn_egraph_text *t, tn_id n, FILE *f)
{
	char few[OP_SIZE], *text = few;
	size_t len = t->op(t->arg, g, n, few, sizeof few);

	if (len >= sizeof few) {
		text = mem_alloc(len + 1);
		t->op(t->arg, g, n, text, len + 1);
	}
	json_put_string(f, text);
	if (text != few)
		mem_free(text);
}

static void
put_node(const struct tn_egraph *g, const struct tn_egraph_text *t, tn_id n, tn_id class, FILE *f)
{
	struct tn_node node = tn_node_at(g, n);
	double cost = t->cost ? t->cost(t->arg, g, n) : 1;
	uint32_t i, count;

	fprintf(f, "    \"%u\": {\"op\": ", n);
	put_op(g, t, n, f);
	fprintf(f, ", \"children\": [");
	for (i = 0; i < node.nkid; i++)
		fprintf(f, "%s\"%u\"", i ? ", " : "", tn_class_nodes(g, node.kid[i], &count)[0]);
	fprintf(f, "], \"eclass\": \"%u\", \"cost\": ", class);
	json_put_cost(f, cost);
	fputc('}', f);
}

void
tn_egraph_write(const struct tn_egraph *g, const struct tn_egraph_text *t, const tn_id root[], uint32_t nroot, FILE *f)
{
	const char *comma = "";
	const tn_id *node;
	uint32_t i, n;
	tn_id c;

	fprintf(f, "{\n  \"nodes\": {");
	for (c = 0; c < tn_nids(g); c++) {
		node = tn_find(g, c) == c ? tn_class_nodes(g, c, &n) : NULL;
		for (i = 0; node && i < n; i++) {
			fprintf(f, "%s\n", comma);
			put_node(g, t, node[i], c, f);
			comma = ",";
		}
	}
	fprintf(f, "\n  },\n  \"root_eclasses\": [");
	for (i = 0; i < nroot; i++)
		fprintf(f, "%s\"%u\"", i ? ", " : "", tn_find(g, root[i]));
	fprintf(f, "],\n  \"class_data\": {}\n}\n");
}
