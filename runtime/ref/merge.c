/* Two graphs as one. */
#include "ref/merge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "tensor/weight.h"

struct merge {
	struct merged *to;
	struct tn_graph *g;		/* to->g */
	const struct tn_graph *from;	/* the graph being added */
	uint8_t which;			/* IN_A, IN_B */
	bool by_origin;
	bool same_source;		/* origins of both number the parts of one model */
	struct map known;		/* node's key to its number */
	struct map weight;		/* description and hash of a weight to its number */
	struct map pairs;		/* those there are */
	struct map place, turn;		/* where operators were read, to their node; how many there so far */
	VEC(uint32_t) opaque;		/* a's opaque operators */
	bool *is_matched;		/* by node: an opaque operator that b has too */
	char *why;
	size_t size;
};

static bool TN_PRINTF(2, 3)
differ(struct merge *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->why, m->size, fmt, ap);
	va_end(ap);
	return false;
}

/* value i of a core operator's record; NULL: it has none */
static const struct tn_value *
record(const struct tn_graph *g, const struct tn_gnode *n, int i)
{
	int count;
	const tn_val *v = tn_attrs_get(g->ctx, n->attrs, &count);

	return i < count ? tn_val_get(g->ctx, v[i]) : NULL;
}

static tn_attrs
number_record(struct tn_ctx *c, int64_t i)
{
	tn_val v = tn_val_make(c, &(struct tn_value){.kind = TN_K_INT, .u.i = i});

	return tn_attrs_make(c, &v, 1);
}

/* ---- pairs ---------------------------------------------------------------------------------------- */

static void TN_PRINTF(4, 5)
want_equal(struct merge *m, uint32_t a, uint32_t b, const char *fmt, ...)
{
	uint32_t key[2] = {a, b};
	struct buf name = {0};
	bool is_new;
	va_list ap;

	if (a == b)
		return;
	map_put(&m->pairs, key, sizeof key, 0, &is_new);
	if (!is_new)
		return;
	va_start(ap, fmt);
	buf_vprintf(&name, fmt, ap);
	va_end(ap);
	vec_push(&m->to->pair, ((struct pair){a, b, tn_ctx_str(m->g->ctx, name.at, name.n)}));
	buf_free(&name);
}

/* the node of a stands for one of b if these are equal to its operands */
static void
want_operands(struct merge *m, uint32_t node, const uint32_t kid[])
{
	const struct tn_gnode *n = &m->g->node[node];
	const struct tn_value *what = n->op == TN_OPAQUE ? record(m->g, n, 1) : NULL;
	uint32_t k;

	for (k = 0; k < n->nkid; k++)
		want_equal(m, m->g->kid[n->kid + k], kid[k], "operand %u of %s%s%s at node %u", k, m->g->program->op[n->op].name,
		    what ? " " : "", what ? what->u.s : "", n->origin);
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

static uint32_t
append(struct merge *m, const struct tn_gnode *n, tn_attrs attrs, const uint32_t kid[])
{
	struct tn_graph *g = m->g;
	struct tn_gnode *to = &g->node[g->nnode];

	*to = *n;
	to->attrs = attrs;
	to->kid = g->nkid;
	if (n->nkid)
		memcpy(g->kid + g->nkid, kid, n->nkid * sizeof *kid);
	g->nkid += n->nkid;
	return g->nnode++;
}

/* the node with this content, made if there is none */
static uint32_t
intern(struct merge *m, const struct tn_gnode *n, tn_attrs attrs, const uint32_t kid[])
{
	uint32_t *key = mem_alloc((3 + (size_t)n->nkid) * sizeof *key), *at;
	bool is_new;

	key[0] = n->op;
	key[1] = attrs;
	key[2] = n->type;
	if (n->nkid)
		memcpy(key + 3, kid, n->nkid * sizeof *kid);
	at = map_put(&m->known, key, (3 + (size_t)n->nkid) * sizeof *key, m->g->nnode, &is_new);
	mem_free(key);
	return is_new ? append(m, n, attrs, kid) : *at;
}

/* number of the first graph's input of that name and type; -1, said: there is none */
static int64_t
find_input(struct merge *m, const struct tn_input *in)
{
	uint32_t k;

	for (k = 0; k < m->g->ninput; k++) {
		if (strcmp(m->g->input[k].name, in->name) != 0)
			continue;
		if (m->g->input[k].type == in->type)
			return k;
		differ(m, "input %s has two types", in->name);
		return -1;
	}
	differ(m, "input %s is in one of them only", in->name);
	return -1;
}

/* number of the weight in the merged graph: by its bytes */
static uint32_t
add_weight(struct merge *m, const struct tn_weight *w)
{
	struct {
		uint64_t type, size, hash;
	} key = {w->type, w->size_bytes, w->size_bytes ? hash_bytes(w->data, w->size_bytes) : 0};
	struct tn_graph *g = m->g;
	bool is_new;
	uint32_t at = *map_put(&m->weight, &key, sizeof key, g->nweight, &is_new);

	/* where hashes collide the second stays for itself */
	if (!is_new && (g->weight[at].data == w->data || w->size_bytes == 0 || memcmp(g->weight[at].data, w->data, w->size_bytes) == 0))
		return at;
	g->weight[g->nweight] = *w;
	g->weight[g->nweight].is_owned = false;
	return g->nweight++;
}

/* ---- operators that are the same ones ----------------------------------------------------------------- */

/* how well b's opaque operator is one of a's; 0: not at all */
static int
likeness(const struct merge *m, uint32_t node, const struct tn_gnode *n, const uint32_t kid[])
{
	const struct tn_gnode *first = &m->g->node[node];
	const struct tn_value *what = record(m->g, first, 1), *what_b = record(m->from, n, 1);
	bool same_kids = first->nkid == n->nkid && (!n->nkid || memcmp(&m->g->kid[first->kid], kid, n->nkid * sizeof *kid) == 0);
	bool same_origin = first->origin == n->origin;

	if (m->is_matched[node] || first->nkid != n->nkid || !what != !what_b || (what && strcmp(what->u.s, what_b->u.s) != 0))
		return 0;
	/* of two files the origins say nothing, of one everything */
	if ((!what || m->same_source) && !same_origin)
		return 0;
	return 1 + same_origin + 2 * same_kids;
}

static uint32_t
add_opaque(struct merge *m, const struct tn_gnode *n, const uint32_t kid[])
{
	uint32_t i, best = TN_NONE;
	int most = 0, like;

	if (m->which == IN_A) {
		best = append(m, n, n->attrs, kid);
		vec_push(&m->opaque, best);
		return best;
	}
	for (i = 0; i < m->opaque.n; i++) {
		like = likeness(m, m->opaque.at[i], n, kid);
		if (like > most) {
			most = like;
			best = m->opaque.at[i];
		}
	}
	if (best == TN_NONE)
		return append(m, n, n->attrs, kid);
	m->is_matched[best] = true;
	want_operands(m, best, kid);
	return best;
}

/* a's node that was read from where this one of b was, the k-th with its operator there; TN_NONE */
static uint32_t *
find_place(struct merge *m, const struct tn_gnode *n)
{
	uint32_t key[6] = {m->which, n->origin, n->op, n->attrs, n->type, 0};
	uint32_t *turn;

	if (n->origin == TN_NONE || n->op < TN_CORE)
		return NULL;
	turn = map_put(&m->turn, key, sizeof key, 0, NULL);
	key[5] = ++*turn;
	return map_put(&m->place, key + 1, sizeof key - sizeof *key, TN_NONE, NULL);
}

static bool
same_types(const struct merge *m, uint32_t node, const struct tn_gnode *n, const uint32_t kid[])
{
	const struct tn_gnode *first = &m->g->node[node];
	uint32_t k;

	for (k = 0; k < n->nkid && first->nkid == n->nkid; k++)
		if (m->g->node[m->g->kid[first->kid + k]].type != m->g->node[kid[k]].type)
			return false;
	return first->nkid == n->nkid;
}

static uint32_t
add_operator(struct merge *m, const struct tn_gnode *n, tn_attrs attrs, const uint32_t kid[])
{
	uint32_t *place = m->by_origin ? find_place(m, n) : NULL, at;

	if (place && *place != TN_NONE && m->which == IN_B && same_types(m, *place, n, kid)) {
		want_operands(m, *place, kid);
		return *place;
	}
	at = intern(m, n, attrs, kid);
	if (place && *place == TN_NONE && m->which == IN_A)
		*place = at;
	return at;
}

static bool
add_node(struct merge *m, const struct tn_gnode *n, const uint32_t kid[], uint32_t *out)
{
	tn_attrs attrs = n->attrs;
	int64_t i;

	if (n->op == TN_INPUT) {
		i = find_input(m, &m->from->input[record(m->from, n, 0)->u.i]);
		if (i < 0)
			return false;
		attrs = number_record(m->g->ctx, i);
	}
	if (n->op == TN_WEIGHT)
		attrs = number_record(m->g->ctx, add_weight(m, weight_of(m->from, n)));
	*out = n->op == TN_OPAQUE ? add_opaque(m, n, kid) : add_operator(m, n, attrs, kid);
	m->to->in[*out] |= m->which;
	return true;
}

/* number in the merged graph of each of the graph's nodes; NULL: see why */
static uint32_t *
add_graph(struct merge *m, const struct tn_graph *g, uint8_t which)
{
	uint32_t *number = mem_alloc(((size_t)g->nnode + 1) * sizeof *number), *kid = NULL, i, k;
	bool ok = true;

	m->from = g;
	m->which = which;
	for (i = 0; ok && i < g->nnode; i++) {
		const struct tn_gnode *n = &g->node[i];

		kid = mem_alloc(((size_t)n->nkid + 1) * sizeof *kid);
		for (k = 0; k < n->nkid; k++)
			kid[k] = number[g->kid[n->kid + k]];
		ok = add_node(m, n, kid, &number[i]);
		mem_free(kid);
	}
	if (ok)
		return number;
	mem_free(number);
	return NULL;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

/* room for all that both have; nothing moves afterwards */
static void
make_room(struct merge *m, const struct tn_graph *a, const struct tn_graph *b)
{
	struct tn_graph *g = m->to->g = m->g = tn_graph_new(a->ctx, a->program, a->name);
	size_t n = (size_t)a->nnode + b->nnode + 1;

	g->node = mem_alloc(n * sizeof *g->node);
	g->kid = mem_alloc(((size_t)a->nkid + b->nkid + 1) * sizeof *g->kid);
	g->input = mem_alloc(((size_t)a->ninput + 1) * sizeof *g->input);
	g->weight = mem_alloc(((size_t)a->nweight + b->nweight + 1) * sizeof *g->weight);
	g->ninput = a->ninput;
	if (a->ninput)
		memcpy(g->input, a->input, a->ninput * sizeof *a->input);
	m->to->in = mem_alloc(n);
	m->is_matched = mem_alloc(n);
}

static bool
same_outputs(struct merge *m, const struct tn_graph *a, const struct tn_graph *b)
{
	uint32_t i;

	if (a->noutput != b->noutput)
		return differ(m, "one has %u outputs, the other %u", a->noutput, b->noutput);
	for (i = 0; i < a->noutput; i++)
		if (strcmp(a->output[i].name, b->output[i].name) != 0)
			return differ(m, "output %u is %s in one, %s in the other", i, a->output[i].name, b->output[i].name);
	return true;
}

bool
merge_graphs(struct merged *to, const struct tn_graph *a, const struct tn_graph *b, bool by_origin, char *why, size_t size)
{
	struct merge m = {.to = to, .by_origin = by_origin, .same_source = a->source && a->source == b->source,
	    .why = why, .size = size};
	uint32_t *na = NULL, *nb = NULL, i;
	bool ok;

	*to = (struct merged){0};
	make_room(&m, a, b);
	ok = same_outputs(&m, a, b) && (na = add_graph(&m, a, IN_A)) && (nb = add_graph(&m, b, IN_B));
	for (i = 0; ok && i < a->noutput; i++)
		want_equal(&m, na[a->output[i].node], nb[b->output[i].node], "output %s", a->output[i].name);
	mem_free(na);
	mem_free(nb);
	map_free(&m.known);
	map_free(&m.weight);
	map_free(&m.pairs);
	map_free(&m.place);
	map_free(&m.turn);
	vec_free(&m.opaque);
	mem_free(m.is_matched);
	return ok;
}

void
merged_free(struct merged *m)
{
	tn_graph_free(m->g);
	mem_free(m->in);
	vec_free(&m->pair);
	*m = (struct merged){0};
}

/* ---- parts ------------------------------------------------------------------------------------------------ */

#define CUT UINT32_MAX
#define UNSEEN (UINT32_MAX - 1)

/* how many values that both compute lie between a pair and the node, itself counted; CUT: too many */
static uint32_t *
find_levels(const struct merged *m, const uint32_t pair[], uint32_t npair, uint32_t depth, const bool constant[])
{
	const struct tn_graph *g = m->g;
	uint32_t *level = mem_alloc(((size_t)g->nnode + 1) * sizeof *level), i, k, mine, *of;

	for (i = 0; i < g->nnode; i++)
		level[i] = UNSEEN;
	for (i = 0; i < npair; i++)
		level[m->pair.at[pair[i]].a] = level[m->pair.at[pair[i]].b] = 0;
	for (i = g->nnode; i-- > 0;) {
		if (level[i] == UNSEEN)
			continue;
		if (m->in[i] == (IN_A | IN_B) && !constant[i] && g->node[i].op != TN_OPAQUE && ++level[i] > depth) {
			level[i] = CUT;
			continue;
		}
		mine = level[i];
		for (k = 0; k < g->node[i].nkid; k++) {
			of = &level[g->kid[g->node[i].kid + k]];
			*of = *of == UNSEEN || mine < *of ? mine : *of;
		}
	}
	return level;
}

struct tn_graph *
merged_cut(const struct merged *m, const uint32_t pair[], uint32_t npair, uint32_t depth)
{
	const struct tn_graph *from = m->g;
	struct tn_graph *g = tn_graph_new(from->ctx, from->program, from->name);
	bool *constant = tn_graph_constants(from);
	uint32_t *level = find_levels(m, pair, npair, depth, constant), i;
	size_t n = (size_t)from->nnode + 1;

	g->node = mem_alloc(n * sizeof *g->node);
	g->kid = mem_alloc(((size_t)from->nkid + 1) * sizeof *g->kid);
	g->input = mem_alloc((n + from->ninput) * sizeof *g->input);
	g->weight = mem_alloc(((size_t)from->nweight + 1) * sizeof *g->weight);
	g->output = mem_alloc((2 * (size_t)npair + 1) * sizeof *g->output);
	memcpy(g->node, from->node, from->nnode * sizeof *g->node);
	if (from->nkid)
		memcpy(g->kid, from->kid, from->nkid * sizeof *g->kid);
	for (i = 0; i < from->nweight; i++)
		g->weight[i] = from->weight[i];
	for (i = 0; i < from->ninput; i++)
		g->input[i] = from->input[i];
	g->nnode = from->nnode;
	g->nkid = from->nkid;
	g->nweight = from->nweight;
	g->ninput = from->ninput;
	for (i = 0; i < g->nnode; i++)
		if (level[i] == CUT && g->node[i].op != TN_INPUT) {
			g->input[g->ninput] = (struct tn_input){"", g->node[i].type};
			g->node[i].op = TN_INPUT;
			g->node[i].nkid = 0;
			g->node[i].attrs = number_record(g->ctx, g->ninput++);
		}
	for (i = 0; i < npair; i++) {
		g->output[g->noutput++] = (struct tn_output){m->pair.at[pair[i]].name, m->pair.at[pair[i]].a};
		g->output[g->noutput++] = (struct tn_output){m->pair.at[pair[i]].name, m->pair.at[pair[i]].b};
	}
	mem_free(constant);
	mem_free(level);
	return g;
}
