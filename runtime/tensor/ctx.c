/* The context: its pools, strings, and the extents' doors. */
#include <string.h>

#include "base/mem.h"
#include "tensor/ctx.h"

uint32_t
pool_find(const struct pool *p, const void *key, size_t size)
{
	uint32_t *at = map_get(&p->map, key, size);

	return at ? *at : TN_NONE;
}

uint32_t
pool_put(struct pool *p, const void *key, size_t size, const void *thing)
{
	map_put(&p->map, key, size, p->at.n, NULL);
	vec_push(&p->at, thing);
	return p->at.n - 1;
}

static void
pool_free(struct pool *p)
{
	map_free(&p->map);
	vec_free(&p->at);
}

struct tn_ctx *
tn_ctx_new(void)
{
	struct tn_ctx *c = mem_alloc(sizeof *c);

	c->dims = dims_new();
	tn_attrs_make(c, NULL, 0);	/* the empty record is number 0 */
	return c;
}

void
tn_ctx_free(struct tn_ctx *c)
{
	if (!c)
		return;
	dims_free(c->dims);
	pool_free(&c->str);
	pool_free(&c->val);
	pool_free(&c->attrs);
	pool_free(&c->type);
	map_free(&c->infer_map);
	vec_free(&c->inferred);
	arena_free(&c->arena);
	mem_free(c);
}

const char *
tn_ctx_str(struct tn_ctx *c, const char *text, size_t len)
{
	uint32_t at = pool_find(&c->str, text, len);

	if (at == TN_NONE)
		at = pool_put(&c->str, text, len, arena_str(&c->arena, text, len));
	return c->str.at.at[at];
}

/* ---- extents: the pool of runtime/expr ------------------------------------------------------------ */

tn_dim
tn_dim_sym(struct tn_ctx *c, const char *name)
{
	return dims_sym(c->dims, name);
}

int
tn_dim_nsym(const struct tn_ctx *c)
{
	return dims_nsym(c->dims);
}

const char *
tn_dim_symname(const struct tn_ctx *c, int i)
{
	return dims_symname(c->dims, i);
}

int
tn_dim_symbol(const struct tn_ctx *c, tn_dim d)
{
	return dims_symbol(c->dims, d);
}

tn_dim
tn_dim_add(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_add(c->dims, a, b);
}

tn_dim
tn_dim_sub(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_sub(c->dims, a, b);
}

tn_dim
tn_dim_mul(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_mul(c->dims, a, b);
}

tn_dim
tn_dim_div(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_div(c->dims, a, b);
}

tn_dim
tn_dim_mod(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_mod(c->dims, a, b);
}

tn_dim
tn_dim_ceildiv(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_ceildiv(c->dims, a, b);
}

tn_dim
tn_dim_max(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_max(c->dims, a, b);
}

tn_dim
tn_dim_min(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_min(c->dims, a, b);
}

enum tn_tri
tn_dim_eq(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_eq(c->dims, a, b);
}

enum tn_tri
tn_dim_le(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_le(c->dims, a, b);
}

enum tn_tri
tn_dim_lt(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return dims_lt(c->dims, a, b);
}

enum tn_tri
tn_dim_divides(struct tn_ctx *c, tn_dim d, tn_dim n)
{
	return dims_divides(c->dims, d, n);
}

bool
tn_dim_at(const struct tn_ctx *c, tn_dim d, const int64_t sizes[], int64_t *out)
{
	return dims_at(c->dims, d, sizes, out);
}

size_t
tn_dim_print(const struct tn_ctx *c, tn_dim d, char *out, size_t size)
{
	return dims_print(c->dims, d, out, size);
}
