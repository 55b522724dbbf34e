/* Two graphs as one. */
#include "ref/merge.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

struct merge {
	struct tn_graph *to;
	struct map known, weights;	/* by key */
	VEC(uint32_t) check;		/* pairs of nodes that must be equal */
	char *why;
	size_t size;
};

static bool
differ(struct merge *m, const char *fmt, const char *name, long long a, long long b)
{
	snprintf(m->why, m->size, fmt, name, a, b);
	return false;
}

static int64_t
record_number(const struct tn_graph *g, const struct tn_gnode *n)
{
	return tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, &(int){0})[0])->u.i;
}

/* The node under the key, made if there is none. */
static uint32_t
intern(struct merge *m, const struct tn_gnode *n, tn_attrs attrs, const uint32_t kid[])
{
	struct tn_graph *g = m->to;
	uint32_t *key = mem_alloc((3 + (size_t)n->nkid) * sizeof *key), *at, k;
	bool is_new;

	key[0] = n->op;
	key[1] = attrs;
	key[2] = n->type;
	for (k = 0; k < n->nkid; k++)
		key[3 + k] = kid[k];
	/* an opaque operator is one by its origin, which is its record; its operands are checked apart */
	at = map_put(&m->known, key, (n->op == TN_OPAQUE ? 2 : 3 + (size_t)n->nkid) * sizeof *key, g->nnode, &is_new);
	mem_free(key);
	if (!is_new)
		return *at;
	g->node[g->nnode] = *n;
	g->node[g->nnode].attrs = attrs;
	g->node[g->nnode].kid = g->nkid;
	memcpy(g->kid + g->nkid, kid, n->nkid * sizeof *kid);
	g->nkid += n->nkid;
	return g->nnode++;
}

/* ---- inputs and weights ---------------------------------------------------------------------------------- */

/* a's input that this one of b is; by name, or by place where a has none of the name */
static int64_t
find_input(struct merge *m, const struct tn_graph *g, int64_t i)
{
	const struct tn_input *in = &g->input[i];
	uint32_t k;

	for (k = 0; k < m->to->ninput; k++)
		if (strcmp(m->to->input[k].name, in->name) == 0)
			return k;
	return i < m->to->ninput ? i : -1;
}

static tn_attrs
number_record(struct tn_ctx *c, int64_t i)
{
	tn_val v = tn_val_make(c, &(struct tn_value){.kind = TN_K_INT, .u.i = i});

	return tn_attrs_make(c, &v, 1);
}

static bool
same_weight(const struct tn_weight *a, const struct tn_weight *b)
{
	return a->type == b->type && a->size_bytes == b->size_bytes &&
	    (a->data == b->data || memcmp(a->data, b->data, a->size_bytes) == 0);
}

/* number of the weight in the merged graph: by its bytes */
static uint32_t
add_weight(struct merge *m, const struct tn_weight *w)
{
	struct {
		uint64_t type, size, hash;
	} key = {w->type, w->size_bytes, hash_bytes(w->data, w->size_bytes)};
	bool is_new;
	uint32_t at = *map_put(&m->weights, &key, sizeof key, m->to->nweight, &is_new);

	/* where hashes collide the second stays for itself */
	if (!is_new && same_weight(&m->to->weight[at], w))
		return at;
	m->to->weight[m->to->nweight] = *w;
	m->to->weight[m->to->nweight].is_owned = false;
	return m->to->nweight++;
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

/* operands of an opaque operator that the first graph gives others: they must have equal values */
static bool
check_operands(struct merge *m, uint32_t node, const struct tn_gnode *n, const uint32_t kid[])
{
	const struct tn_gnode *first = &m->to->node[node];
	uint32_t k;

	if (first->nkid != n->nkid)
		return differ(m, "opaque operator%s has %lld operands and %lld", "", first->nkid, n->nkid);
	for (k = 0; k < n->nkid; k++)
		if (m->to->kid[first->kid + k] != kid[k]) {
			vec_push(&m->check, m->to->kid[first->kid + k]);
			vec_push(&m->check, kid[k]);
		}
	return true;
}

static bool
add_node(struct merge *m, const struct tn_graph *g, const struct tn_gnode *n, const uint32_t kid[], uint32_t *out)
{
	tn_attrs attrs = n->attrs;
	struct tn_gnode node = *n;
	int64_t i;

	if (n->op == TN_INPUT) {
		i = find_input(m, g, record_number(g, n));
		if (i < 0)
			return differ(m, "input %s is in one of them only", g->input[record_number(g, n)].name, 0, 0);
		if (m->to->input[i].type != n->type)
			return differ(m, "input %s has two types", m->to->input[i].name, 0, 0);
		attrs = number_record(g->ctx, i);
	}
	if (n->op == TN_WEIGHT)
		attrs = number_record(g->ctx, add_weight(m, &g->weight[record_number(g, n)]));
	if (n->op != TN_OPAQUE)
		node.origin = TN_NONE;
	*out = intern(m, &node, attrs, kid);
	return n->op != TN_OPAQUE || check_operands(m, *out, n, kid);
}

/* number in the merged graph of each of g's nodes; NULL: see why */
static uint32_t *
add_graph(struct merge *m, const struct tn_graph *g)
{
	uint32_t *number = mem_alloc(((size_t)g->nnode + 1) * sizeof *number), *kid, i, k;
	bool ok = true;

	for (i = 0; ok && i < g->nnode; i++) {
		const struct tn_gnode *n = &g->node[i];

		kid = mem_alloc(((size_t)n->nkid + 1) * sizeof *kid);
		for (k = 0; k < n->nkid; k++)
			kid[k] = number[g->kid[n->kid + k]];
		ok = add_node(m, g, n, kid, &number[i]);
		mem_free(kid);
	}
	if (ok)
		return number;
	mem_free(number);
	return NULL;
}

/* ---- outputs ------------------------------------------------------------------------------------------------ */

static void
pair_outputs(struct merge *m, const struct tn_graph *a, const struct tn_graph *b, const uint32_t na[], const uint32_t nb[])
{
	struct tn_graph *g = m->to;
	char name[64];
	uint32_t i;

	g->output = mem_alloc((2 * (size_t)a->noutput + m->check.n + 1) * sizeof *g->output);
	for (i = 0; i < a->noutput; i++) {
		g->output[g->noutput++] = (struct tn_output){a->output[i].name, na[a->output[i].node]};
		g->output[g->noutput++] = (struct tn_output){a->output[i].name, nb[b->output[i].node]};
	}
	for (i = 0; i < m->check.n; i++) {
		snprintf(name, sizeof name, "operand %u of opaque operators", (unsigned)i / 2);
		g->output[g->noutput++] = (struct tn_output){tn_ctx_str(g->ctx, name, strlen(name)), m->check.at[i]};
	}
}

/* room for all that both have; nothing moves afterwards */
static struct tn_graph *
empty(const struct tn_graph *a, const struct tn_graph *b)
{
	struct tn_graph *g = tn_graph_new(a->ctx, a->program, a->name);

	g->node = mem_alloc(((size_t)a->nnode + b->nnode + 1) * sizeof *g->node);
	g->kid = mem_alloc(((size_t)a->nkid + b->nkid + 1) * sizeof *g->kid);
	g->input = mem_alloc(((size_t)a->ninput + 1) * sizeof *g->input);
	g->weight = mem_alloc(((size_t)a->nweight + b->nweight + 1) * sizeof *g->weight);
	g->ninput = a->ninput;
	if (a->ninput)
		memcpy(g->input, a->input, a->ninput * sizeof *a->input);
	return g;
}

struct tn_graph *
merge_graphs(const struct tn_graph *a, const struct tn_graph *b, char *why, size_t size)
{
	struct merge m = {.why = why, .size = size};
	uint32_t *na = NULL, *nb = NULL;

	if (a->noutput != b->noutput) {
		differ(&m, "outputs%s: %lld and %lld", "", a->noutput, b->noutput);
		return NULL;
	}
	m.to = empty(a, b);
	if ((na = add_graph(&m, a)) && (nb = add_graph(&m, b))) {
		pair_outputs(&m, a, b, na, nb);
	} else {
		tn_graph_free(m.to);
		m.to = NULL;
	}
	mem_free(na);
	mem_free(nb);
	vec_free(&m.check);
	map_free(&m.known);
	map_free(&m.weights);
	return m.to;
}
