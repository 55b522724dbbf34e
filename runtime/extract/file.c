/*
 * E-graph files: JSON of the egraph-serialize format into a tn_problem.  The one door to jansson.
 *
 *	{"nodes": {"a": {"op": "+", "children": ["b", "b"], "eclass": "0", "cost": 1.5}, …}, "root_eclasses": ["0"]}
 *
 * Classes are numbered as they appear, nodes by class and then as they appear.  Without "cost" a
 * node costs 1, without "children" it has none; a child stands for its node's class.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "egraph/gzip.h"
#include "extract/unit.h"

#define TEXT_MAX (UINT64_C(1) << 30)	/* bytes of JSON; its tree takes some ten times as much */
#define COST_INFINITE 1e300		/* what writers put for infinity, which JSON has not */

struct file {
	struct tn_egraph_file public;
	struct unit unit;
	struct arena arena;
	uint32_t *first, *kid_first, *kid, *root;
	int64_t *cost;
	const char **class_name, **node_name, **node_op;
	char units[64];
};

/* A file being read. */
struct reader {
	const char *path;
	struct tn_error *e;
	struct file *f;
	json_t *nodes;
	uint32_t n;			/* nodes */
	struct map node, class;		/* by name: place in the file, number */
	uint32_t *class_of;		/* by place in the file, as all below */
	uint32_t *number;
	json_t **json;
	VEC(const char *) class_name;
};

/* ---- text to tree ------------------------------------------------------------------------------------- */

struct source {
	struct gzip *z;
	struct tn_error *e;
	uint64_t size;
	bool is_bad;
};

static size_t
next_text(void *to, size_t size, void *arg)
{
	struct source *s = arg;
	ptrdiff_t n = gzip_read(s->z, to, size, s->e);

	if (n > 0)
		s->size += (uint64_t)n;
	s->is_bad = n < 0 || s->size > TEXT_MAX;
	return s->is_bad ? (size_t)-1 : (size_t)n;
}

static json_t *
read_tree(const char *path, struct tn_error *e)
{
	struct source s = {gzip_open(path, e), e, 0, false};
	json_error_t bad;
	json_t *top;

	if (!s.z)
		return NULL;
	top = json_load_callback(next_text, &s, JSON_REJECT_DUPLICATES, &bad);
	gzip_close(s.z);
	if (top && !s.is_bad)
		return top;
	if (s.size > TEXT_MAX)
		tn_fail(e, TN_E_INPUT, "%s: more than %" PRIu64 " MiB of JSON", path, TEXT_MAX >> 20);
	else if (!s.is_bad)
		tn_fail(e, TN_E_INPUT, "%s:%d:%d: %s", path, bad.line, bad.column, bad.text);
	json_decref(top);
	return NULL;
}

/* ---- tree to arrays ------------------------------------------------------------------------------------ */

/* a name for messages: cut to size, and no control characters */
static const char *
shown(const char *name, char out[48])
{
	size_t i;

	for (i = 0; i < 44 && name[i]; i++)
		out[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
	strcpy(out + i, name[i] ? "..." : "");
	return out;
}

static bool
bad_node(const struct reader *r, const char *id, const char *what)
{
	char name[48];

	return tn_fail(r->e, TN_E_INPUT, "%s: node '%s': %s", r->path, shown(id, name), what);
}

/* Classes are numbered; what a node must have is there. */
static bool
read_nodes(struct reader *r)
{
	const char *id, *name;
	json_t *node, *class;
	uint32_t *number, i = 0;
	bool is_new;

	json_object_foreach(r->nodes, id, node) {
		if (!json_is_object(node))
			return bad_node(r, id, "not an object");
		class = json_object_get(node, "eclass");
		if (!json_is_string(class))
			return bad_node(r, id, class ? "'eclass' is no string" : "no 'eclass'");
		if (!json_is_string(json_object_get(node, "op")))
			return bad_node(r, id, json_object_get(node, "op") ? "'op' is no string" : "no 'op'");
		name = json_string_value(class);
		number = map_put(&r->class, name, json_string_length(class), r->class_name.n, &is_new);
		r->class_of[i] = *number;
		if (is_new)
			vec_push(&r->class_name, arena_str(&r->f->arena, name, strlen(name)));
		map_put(&r->node, id, strlen(id), i, NULL);
		r->json[i++] = node;
	}
	return true;
}

/* Nodes get numbers by class; names and operators are copied. */
static void
number_nodes(struct reader *r)
{
	struct file *f = r->f;
	uint32_t nclass = r->class_name.n, c, i = 0, *next;
	const char *id;
	json_t *node;

	f->first = mem_alloc(((size_t)nclass + 1) * sizeof *f->first);
	for (i = 0; i < r->n; i++)
		f->first[r->class_of[i] + 1]++;
	for (c = 0; c < nclass; c++)
		f->first[c + 1] += f->first[c];
	next = mem_alloc((size_t)nclass * sizeof *next);
	memcpy(next, f->first, nclass * sizeof *next);
	i = 0;
	json_object_foreach(r->nodes, id, node) {
		const char *op = json_string_value(json_object_get(node, "op"));
		uint32_t n = next[r->class_of[i]]++;

		r->number[i++] = n;
		f->node_name[n] = arena_str(&f->arena, id, strlen(id));
		f->node_op[n] = arena_str(&f->arena, op, strlen(op));
	}
	mem_free(next);
}

/* The cost of a node; false: there is something, but no cost. */
static bool
read_cost(const struct reader *r, const char *id, json_t *node, struct unit_cost *out)
{
	const json_t *cost = json_object_get(node, "cost");

	*out = (struct unit_cost){true, 1, 1};
	if (!cost)
		return true;
	if (!json_is_number(cost))
		return bad_node(r, id, "'cost' is no number");
	out->x = json_number_value(cost);
	if (out->x < 0)
		return bad_node(r, id, "the cost is negative");
	out->is_whole = json_is_integer(cost);
	out->n = out->is_whole ? json_integer_value(cost) : 0;
	if (!out->is_whole && out->x >= COST_INFINITE)
		out->x = INFINITY;
	return true;
}

static bool
read_children(struct reader *r, const char *id, json_t *node, uint32_t n, uint32_t *nkid)
{
	const json_t *children = json_object_get(node, "children"), *child;
	char a[48], b[48];
	uint32_t *at;
	size_t i;

	if (children && !json_is_array(children))
		return bad_node(r, id, "'children' is no array");
	r->f->kid_first[n] = *nkid;
	json_array_foreach(children, i, child) {
		if (!json_is_string(child))
			return bad_node(r, id, "a child is no string");
		at = map_get(&r->node, json_string_value(child), json_string_length(child));
		if (!at)
			return tn_fail(r->e, TN_E_INPUT, "%s: node '%s': there is no node '%s' to be its child", r->path, shown(id, a),
			    shown(json_string_value(child), b));
		r->f->kid[(*nkid)++] = r->class_of[*at];
	}
	return true;
}

static uint32_t
count_children(const struct reader *r)
{
	size_t sum = 0;
	uint32_t i;

	for (i = 0; i < r->n; i++)
		sum += json_array_size(json_object_get(r->json[i], "children"));
	return (uint32_t)sum;		/* each takes bytes of the text, which is shorter than 2^32 */
}

/* Children and costs of all nodes, in the order of their numbers. */
static bool
fill_nodes(struct reader *r, const char *unit)
{
	struct file *f = r->f;
	struct unit_cost *cost = mem_alloc(r->n * sizeof *cost);
	uint32_t *place = mem_alloc(r->n * sizeof *place), i, nkid = 0;
	bool ok = true;

	f->kid_first = mem_alloc(((size_t)r->n + 1) * sizeof *f->kid_first);
	f->kid = mem_alloc(count_children(r) * sizeof *f->kid);
	f->cost = mem_alloc(r->n * sizeof *f->cost);
	for (i = 0; i < r->n; i++)
		place[r->number[i]] = i;
	for (i = 0; i < r->n && ok; i++)
		ok = read_children(r, f->node_name[i], r->json[place[i]], i, &nkid) &&
		    read_cost(r, f->node_name[i], r->json[place[i]], &cost[i]);
	f->kid_first[r->n] = nkid;
	ok = ok && unit_choose(&f->unit, unit, cost, r->class_name.n, f->first, f->cost, r->e);
	mem_free(place);
	mem_free(cost);
	return ok;
}

static bool
read_roots(struct reader *r, const json_t *roots)
{
	const json_t *root;
	uint32_t *class;
	char name[48];
	size_t i;

	if (roots && !json_is_array(roots))
		return tn_fail(r->e, TN_E_INPUT, "%s: 'root_eclasses' is no array", r->path);
	if (json_array_size(roots) == 0)
		return tn_fail(r->e, TN_E_INPUT, "%s: no root: 'root_eclasses' is %s", r->path, roots ? "empty" : "missing");
	r->f->root = mem_alloc(json_array_size(roots) * sizeof *r->f->root);
	json_array_foreach(roots, i, root) {
		if (!json_is_string(root))
			return tn_fail(r->e, TN_E_INPUT, "%s: a root is no string", r->path);
		class = map_get(&r->class, json_string_value(root), json_string_length(root));
		if (!class)
			return tn_fail(r->e, TN_E_INPUT, "%s: root '%s': the class has no node", r->path,
			    shown(json_string_value(root), name));
		r->f->root[i] = *class;
	}
	return true;
}

static bool
read_all(struct reader *r, json_t *top, const char *unit)
{
	struct file *f = r->f;
	const json_t *roots = json_object_get(top, "root_eclasses");

	r->nodes = json_object_get(top, "nodes");
	if (!json_is_object(r->nodes))
		return tn_fail(r->e, TN_E_INPUT, "%s: %s", r->path, r->nodes ? "'nodes' is no object" : "no 'nodes': not an e-graph");
	r->n = (uint32_t)json_object_size(r->nodes);
	r->class_of = mem_alloc(r->n * sizeof *r->class_of);
	r->number = mem_alloc(r->n * sizeof *r->number);
	r->json = mem_alloc(r->n * sizeof(json_t *));
	f->node_name = arena_news(&f->arena, r->n, const char *);
	f->node_op = arena_news(&f->arena, r->n, const char *);
	if (!read_nodes(r))
		return false;
	number_nodes(r);
	f->class_name = arena_dup(&f->arena, r->class_name.at, r->class_name.n * sizeof *f->class_name);
	if (!fill_nodes(r, unit) || !read_roots(r, roots))
		return false;
	unit_describe(&f->unit, f->units);
	f->public = (struct tn_egraph_file){
		{r->class_name.n, r->n, (uint32_t)json_array_size(roots), f->first, f->kid_first, f->kid, f->cost, f->root, NULL},
		f->class_name, f->node_name, f->node_op, f->units, f->unit.is_rounded,
	};
	return true;
}

struct tn_egraph_file *
tn_egraph_file_read(const char *path, const char *unit, struct tn_error *e)
{
	struct reader r = {path, e, .n = 0};
	json_t *top = read_tree(path, e);
	bool ok;

	if (!top)
		return NULL;
	r.f = mem_alloc(sizeof *r.f);
	ok = read_all(&r, top, unit);
	json_decref(top);
	map_free(&r.node);
	map_free(&r.class);
	mem_free(r.class_of);
	mem_free(r.number);
	mem_free(r.json);
	vec_free(&r.class_name);
	if (ok)
		return &r.f->public;
	tn_egraph_file_free(&r.f->public);
	return NULL;
}

void
tn_egraph_file_cost(const struct tn_egraph_file *file, int64_t cost, char out[64])
{
	unit_print(&((const struct file *)file)->unit, cost, out);
}

void
tn_egraph_file_free(struct tn_egraph_file *file)
{
	struct file *f = (struct file *)file;

	if (!f)
		return;
	mem_free(f->first);
	mem_free(f->kid_first);
	mem_free(f->kid);
	mem_free(f->root);
	mem_free(f->cost);
	arena_free(&f->arena);
	mem_free(f);
}
