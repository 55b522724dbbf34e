/* Nodes of a def, equal ones made once, and the arithmetic that is done while making them. */
#include "gen/def.h"

#include <string.h>

#include "base/buf.h"
#include "base/num.h"

int
def_decline(struct def *d)
{
	d->is_declined = true;
	return def_int(d, 0);
}

/* What tells nodes apart. */
static void
put_key(struct buf *b, const struct node *n)
{
	buf_put(b, &n->kind, sizeof n->kind);
	buf_put(b, &n->type, sizeof n->type);
	buf_put(b, &n->fn, sizeof n->fn);
	buf_put(b, &n->a, sizeof n->a);
	buf_put(b, &n->num, sizeof n->num);
	buf_put(b, &n->real, sizeof n->real);
	buf_put(b, &n->nkid, sizeof n->nkid);
	buf_put(b, n->kid, (size_t)n->nkid * sizeof *n->kid);
	buf_put(b, n->iter, (size_t)n->niter * sizeof *n->iter);
	if (n->text)
		buf_puts(b, n->text);
}

int
def_node(struct def *d, struct node n, const int kid[])
{
	struct buf key = {0};
	uint32_t *at;
	bool is_new;

	n.kid = kid;
	put_key(&key, &n);
	at = map_put(&d->known, key.at, key.n, d->node.n, &is_new);
	buf_free(&key);
	if (!is_new)
		return (int)*at;
	n.kid = n.nkid ? arena_dup(d->arena, kid, (size_t)n.nkid * sizeof *kid) : NULL;
	n.iter = n.niter ? arena_dup(d->arena, n.iter, n.niter * sizeof *n.iter) : NULL;
	for (int i = 0; i < n.nkid; i++)
		n.loops |= d->node.at[kid[i]].loops;
	for (int i = 0; i < n.niter; i++) {
		n.loops &= ~(UINT64_C(1) << n.iter[i]);
		n.loops |= d->node.at[d->loop.at[n.iter[i]].extent].loops;
	}
	vec_push(&d->node, n);
	return (int)d->node.n - 1;
}

int
def_int(struct def *d, int64_t num)
{
	return def_node(d, (struct node){.kind = NODE_INT, .type = TYPE_INT, .num = num}, NULL);
}

int
def_text(struct def *d, enum node_type type, const char *hint, const char *text, int nkid, const int kid[])
{
	return def_node(d, (struct node){.kind = NODE_TEXT, .type = (uint8_t)type, .text = text, .hint = hint,
		.nkid = nkid}, kid);
}

/* Whole-number arithmetic whose result is plain: NONE if it is not. */
static int
fold(struct def *d, enum tn_fn fn, int a, int b)
{
	const struct node *x = &d->node.at[a], *y = &d->node.at[b];
	int64_t r;

	if (x->kind == NODE_INT && y->kind == NODE_INT) {
		if (fn == TN_F_ADD && num_add(x->num, y->num, &r))
			return def_int(d, r);
		if (fn == TN_F_MUL && num_mul(x->num, y->num, &r))
			return def_int(d, r);
	}
	if (y->kind == NODE_INT && y->num == (fn == TN_F_MUL) && (fn == TN_F_ADD || fn == TN_F_SUB || fn == TN_F_MUL))
		return a;
	if (x->kind == NODE_INT && x->num == (fn == TN_F_MUL) && (fn == TN_F_ADD || fn == TN_F_MUL))
		return b;
	if (fn == TN_F_MUL && ((x->kind == NODE_INT && x->num == 0) || (y->kind == NODE_INT && y->num == 0)))
		return def_int(d, 0);
	return NONE;
}

int
def_call(struct def *d, enum tn_fn fn, enum node_type type, int a, int b)
{
	int kid[] = {a, b}, plain = NONE;

	if (type == TYPE_INT && b != NONE)
		plain = fold(d, fn, a, b);
	if (plain != NONE)
		return plain;
	return def_node(d, (struct node){.kind = NODE_CALL, .type = (uint8_t)type, .fn = (uint8_t)fn,
		.nkid = b == NONE ? 1 : 2}, kid);
}

int
def_and(struct def *d, int a, int b)
{
	struct node both = {.kind = NODE_AND, .type = TYPE_BOOL};
	const struct node *x, *y;
	int *kid;

	if (a == NONE || b == NONE || a == b)
		return a == NONE ? b : a;
	x = &d->node.at[a];
	y = &d->node.at[b];
	kid = arena_news(d->arena, (size_t)(x->nkid + y->nkid), int);
	memcpy(kid, x->kid, (size_t)x->nkid * sizeof *kid);
	both.nkid = x->nkid;
	for (int i = 0; i < y->nkid; i++) {
		int at = 0;

		while (at < both.nkid && kid[at] != y->kid[i])
			at++;
		kid[at] = y->kid[i];
		both.nkid += at == both.nkid;
	}
	return def_node(d, both, kid);
}
