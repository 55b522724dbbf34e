/* Adding nodes, uniting classes, and asking for them. */
#include <assert.h>

#include "egraph/memo.h"

enum { MAX_NODES = 1 << 28 };

_Static_assert((int)NODE_MAX_KIDS == TN_MAX_OPERANDS, "the bit of dead nodes lies above the count of children");

struct tn_egraph *
tn_egraph_new(const struct tn_egraph_config *config)
{
	struct tn_egraph *g = mem_alloc(sizeof *g);

	g->analysis = config->analysis;
	g->max = config->max_nodes && config->max_nodes < MAX_NODES ? (tn_id)config->max_nodes : MAX_NODES;
	g->with_proof = config->with_proof;
	g->node = region_reserve(&g->node_region, g->max, sizeof *g->node);
	g->leader = region_reserve(&g->leader_region, g->max, sizeof *g->leader);
	g->class = region_reserve(&g->class_region, g->max, sizeof *g->class);
	g->use_next = region_reserve(&g->use_region, g->max, NODE_INLINE * sizeof *g->use_next);
	g->stamp = region_reserve(&g->stamp_region, g->max, sizeof *g->stamp);
	snapshot_reserve(g);
	if (g->analysis) {
		g->data = region_reserve(&g->data_region, g->max, g->analysis->size);
		g->made = mem_alloc(g->analysis->size);
	}
	g->clock = 1;
	return g;
}

void
tn_egraph_free(struct tn_egraph *g)
{
	if (!g)
		return;
	region_release(&g->node_region);
	region_release(&g->leader_region);
	region_release(&g->class_region);
	region_release(&g->use_region);
	region_release(&g->stamp_region);
	region_release(&g->data_region);
	region_release(&g->excluded_region);
	region_release(&g->slot_region);
	mem_free(g->made);
	vec_free(&g->many_kid);
	vec_free(&g->many_parent);
	vec_free(&g->many_next);
	vec_free(&g->absorbed);
	vec_free(&g->changed);
	vec_free(&g->renewed);
	vec_free(&g->birth);
	vec_free(&g->proof_kid);
	vec_free(&g->proof);
	vec_free(&g->proof_var);
	snapshot_release(g);
	mem_free(g);
}

/* ---- asking ------------------------------------------------------------------------------------- */

tn_id
tn_find(const struct tn_egraph *g, tn_id c)
{
	while (g->leader[c] != c)
		c = g->leader[c];
	return c;
}

size_t
tn_nnodes(const struct tn_egraph *g)
{
	return g->nlive;
}

size_t
tn_nclasses(const struct tn_egraph *g)
{
	return g->nclass;
}

tn_id
tn_nids(const struct tn_egraph *g)
{
	return g->n;
}

size_t
tn_bytes(const struct tn_egraph *g)
{
	size_t id = sizeof *g->node + sizeof *g->leader + sizeof *g->class + NODE_INLINE * sizeof *g->use_next + sizeof *g->stamp;

	id += g->analysis ? g->analysis->size : 0;
	return sizeof *g + g->n * id + g->nslot * sizeof *g->slot +
	    g->many_kid.cap * (sizeof *g->many_kid.at + sizeof *g->many_parent.at + sizeof *g->many_next.at) +
	    (g->absorbed.cap + g->changed.cap + g->renewed.cap + (size_t)g->birth.cap + g->proof_kid.cap + g->proof_var.cap) *
	    sizeof(tn_id) + g->proof.cap * sizeof *g->proof.at + snapshot_bytes(g);
}

size_t
tn_nexcluded(const struct tn_egraph *g)
{
	size_t count = 0;
	tn_id n;

	for (n = 0; g->excluded && n < g->n; n++)
		count += g->excluded[n] && !egraph_is_dead(g, n);
	return count;
}

void
egraph_exclude(struct tn_egraph *g, tn_id node)
{
	if (!g->excluded)
		g->excluded = region_reserve(&g->excluded_region, g->max, sizeof *g->excluded);
	g->excluded[node] = 1;
}

struct tn_node
tn_node_at(const struct tn_egraph *g, tn_id n)
{
	const struct enode *e = &g->node[n];

	return (struct tn_node){e->op, (uint16_t)egraph_nkid(e), e->attrs, egraph_const_kids(g, n)};
}

const void *
tn_data(const struct tn_egraph *g, tn_id class)
{
	return g->analysis ? g->data + tn_find(g, class) * g->analysis->size : NULL;
}

/* ---- adding --------------------------------------------------------------------------------------- */

/* child i of node n is the class: one more use of it */
static void
add_use(struct tn_egraph *g, uint32_t use, tn_id class)
{
	*egraph_use_next(g, use) = g->class[class].use;
	g->class[class].use = use;
	g->class[class].nuse++;
}

static void
put_kids(struct tn_egraph *g, tn_id n, const tn_id kid[], int nkid)
{
	struct enode *e = &g->node[n];
	uint32_t from = g->many_kid.n;
	int i;

	if (nkid <= NODE_INLINE) {
		for (i = 0; i < nkid; i++) {
			e->kid[i] = kid[i];
			add_use(g, NODE_INLINE * n + (uint32_t)i, kid[i]);
		}
		return;
	}
	if ((uint32_t)nkid > USE_MANY - 2 - from)	/* TN_NONE is no use */
		mem_oom((size_t)USE_MANY * sizeof *kid);
	e->kid[0] = from;
	for (i = 0; i < nkid; i++) {
		vec_push(&g->many_kid, kid[i]);
		vec_push(&g->many_parent, n);
		vec_push(&g->many_next, TN_NONE);
		add_use(g, USE_MANY | (from + (uint32_t)i), kid[i]);
	}
}

void
egraph_make_data(struct tn_egraph *g, tn_id n)
{
	struct tn_node node = tn_node_at(g, n);

	memset(g->made, 0, g->analysis->size);
	g->analysis->make(g->analysis->arg, g, &node, g->made);
}

/* a new node and its class; kids are classes */
static tn_id
new_node(struct tn_egraph *g, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	tn_id n = g->n;

	assert(nkid <= NODE_MAX_KIDS);
	if (n == g->max)
		mem_oom((size_t)n * sizeof *g->node);
	g->n++;
	g->nlive++;
	g->nclass++;
	if (op >= g->nop)
		g->nop = op + 1u;
	g->node[n] = (struct enode){attrs, op, (uint16_t)nkid, {0, 0}};
	g->leader[n] = n;
	g->class[n].use = TN_NONE;
	g->stamp[n] = g->clock;
	put_kids(g, n, kid, nkid);
	if (g->analysis) {
		egraph_make_data(g, n);
		memcpy(g->data + n * g->analysis->size, g->made, g->analysis->size);
	}
	return n;
}

/* children as they were given, before they were found */
static void
record_birth(struct tn_egraph *g, const tn_id kid[], int nkid)
{
	int i;

	vec_push(&g->birth, g->proof_kid.n);
	for (i = 0; i < nkid; i++)
		vec_push(&g->proof_kid, kid[i]);
}

/* a node whose children are too many to stand in it */
static tn_id
add_many(struct tn_egraph *g, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	tn_id *k = mem_alloc((size_t)nkid * sizeof *k), n;
	uint32_t hash, slot;
	int i;

	for (i = 0; i < nkid; i++)
		k[i] = egraph_find(g, kid[i]);
	hash = memo_hash_many(op, attrs, k, nkid);
	n = memo_seek_many(g, hash, op, attrs, k, nkid, &slot);
	if (n == TN_NONE) {
		n = new_node(g, op, attrs, k, nkid);
		memo_put(g, slot, hash, n);
		if (g->with_proof)
			record_birth(g, kid, nkid);
	}
	mem_free(k);
	return egraph_find(g, n);
}

tn_id
tn_add(struct tn_egraph *g, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	tn_id few[NODE_INLINE] = {0}, n;
	struct enode key;
	uint32_t hash, slot;
	int i;

	if (nkid > NODE_INLINE)
		return add_many(g, op, attrs, kid, nkid);
	for (i = 0; i < nkid; i++)
		few[i] = egraph_find(g, kid[i]);
	key = memo_key(op, attrs, few, nkid);
	hash = memo_hash_key(key);
	n = memo_seek_key(g, hash, key, &slot);
	if (n != TN_NONE)
		return egraph_find(g, n);
	n = new_node(g, op, attrs, few, nkid);
	memo_put(g, slot, hash, n);
	if (g->with_proof)
		record_birth(g, kid, nkid);
	return n;
}

tn_id
tn_lookup(const struct tn_egraph *g, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	tn_id few[NODE_INLINE] = {0}, *k = nkid <= NODE_INLINE ? few : mem_alloc((size_t)nkid * sizeof *k), n;
	uint32_t slot;
	int i;

	for (i = 0; i < nkid; i++)
		k[i] = tn_find(g, kid[i]);
	n = memo_seek(g, memo_hash(op, attrs, k, nkid), op, attrs, k, nkid, &slot);
	if (k != few)
		mem_free(k);
	return n == TN_NONE ? TN_NONE : tn_find(g, n);
}

/* ---- uniting ---------------------------------------------------------------------------------------- */

void
egraph_merge_data(struct tn_egraph *g, tn_id into, const void *from)
{
	if (g->analysis->merge(g->analysis->arg, g->data + into * g->analysis->size, from, &g->is_contradiction)) {
		vec_push(&g->changed, into);
		vec_push(&g->renewed, into);
	}
}

/* `gone` becomes part of `kept`; its users are keyed again by rebuild, which also takes them over */
static void
absorb(struct tn_egraph *g, tn_id kept, tn_id gone)
{
	const char *data;

	g->leader[gone] = kept;
	g->class[kept].nuse += g->class[gone].nuse;
	g->nclass--;
	g->nunion++;
	vec_push(&g->absorbed, gone);
	if (!g->analysis)
		return;
	data = g->data + gone * g->analysis->size;
	egraph_merge_data(g, kept, data);
	/* what only `kept` knew is news to the users of `gone` */
	if (memcmp(g->data + kept * g->analysis->size, data, g->analysis->size) != 0)
		vec_push(&g->changed, kept);
}

static void
record_union(struct tn_egraph *g, tn_id a, tn_id b, const struct tn_reason *why)
{
	struct union_record r = {a, b, TN_NONE, g->proof_var.n, 0, g->n};
	uint32_t i;

	if (why) {
		r.rule = why->rule;
		r.nvar = why->nvar;
	}
	vec_push(&g->proof, r);
	for (i = 0; i < r.nvar; i++)
		vec_push(&g->proof_var, why->var[i]);
}

bool
tn_union(struct tn_egraph *g, tn_id a, tn_id b, const struct tn_reason *why)
{
	tn_id x = egraph_find(g, a), y = egraph_find(g, b);
	uint32_t nx = g->class[x].nuse, ny = g->class[y].nuse;

	if (x == y)
		return false;
	if (g->with_proof)
		record_union(g, a, b, why);
	if (nx < ny || (nx == ny && y < x))
		absorb(g, y, x);
	else
		absorb(g, x, y);
	return true;
}
