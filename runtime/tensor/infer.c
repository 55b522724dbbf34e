/* Result types: what was found before, else compiled or walked. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tensor/ctx.h"
#include "tensor/infer.h"

bool
infer_refuse(struct tn_infer *s, const char *fmt, ...)
{
	char why[400];
	va_list ap;

	if (!s->error)
		return false;
	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	return tn_fail(s->error, TN_E_INPUT, "%s: %s", s->op->name, why);
}

/* ---- what was found before ---------------------------------------------------------------------------- */

/* all that the answer depends on */
static void
put_key(struct buf *key, const struct tn_infer *s)
{
	uint32_t word[4] = {s->attrs, (uint32_t)s->nin, s->keep_unknown, dims_nfact(s->ctx->dims)};

	buf_put(key, &s->op, sizeof s->op);
	buf_put(key, word, sizeof word);
	buf_put(key, s->in, (size_t)s->nin * sizeof *s->in);
}

static void
remember(struct tn_infer *s, const struct buf *key, bool ok)
{
	struct tn_ctx *c = s->ctx;
	struct inferred found = {ok, s->out, arena_dup(&c->arena, s->in, (size_t)s->nin * sizeof *s->in)};

	map_put(&c->infer_map, key->at, key->n, c->inferred.n, NULL);
	vec_push(&c->inferred, found);
}

/* ---- running -------------------------------------------------------------------------------------------- */

static bool
has_number(const struct tn_infer *s)
{
	int i;

	for (i = 0; i < s->nin; i++)
		if (s->in[i] == TN_NONE)
			return true;
	return false;
}

/* fill in the types of operands that are numbers */
static bool
settle_numbers(struct tn_infer *s)
{
	struct walk w;
	bool ok = walk_start(&w, s) && walk_bind(&w);

	walk_end(&w);
	return ok;
}

/* the compiled function says whether; why, the walker says */
static bool
run_compiled(struct tn_infer *s)
{
	struct tn_error *error = s->error;
	bool ok;

	if (!infer_check(s) || (has_number(s) && !settle_numbers(s)))
		return false;
	s->error = NULL;
	ok = s->op->shape(s);
	s->error = error;
	if (ok || !error)
		return ok;
	if (tn_infer_walk(s))
		return tn_fail(error, TN_E_DEFECT, "%s: compiled shape check and its tree disagree", s->op->name);
	return false;
}

/* the extents of a model are facts */
static void
assume_result(struct tn_infer *s)
{
	const struct tn_shape *t = tn_type_get(s->ctx, s->out);
	int i;

	for (i = 0; i < t->rank; i++)
		dims_assume(s->ctx->dims, t->dim[i]);
}

bool
tn_infer_run(struct tn_infer *s)
{
	const struct inferred *found;
	struct buf key = {0};
	uint32_t *at;
	bool ok;

	put_key(&key, s);
	at = map_get(&s->ctx->infer_map, key.at, key.n);
	found = at ? &s->ctx->inferred.at[*at] : NULL;
	if (found && (found->ok || !s->error)) {
		s->out = found->out;
		if (s->nin)
			memcpy(s->in, found->in, (size_t)s->nin * sizeof *s->in);
		buf_free(&key);
		return found->ok;
	}
	s->out = TN_NONE;
	ok = s->op->shape ? run_compiled(s) : tn_infer_walk(s);
	if (!found)
		remember(s, &key, ok);
	buf_free(&key);
	if (ok && s->keep_unknown)
		assume_result(s);
	return ok;
}

/* ---- axes --------------------------------------------------------------------------------------------------- */

/* rank of the operand that an axis belongs to; -1 if it is not known */
static int
axis_rank(struct tn_ctx *c, const struct tn_op *op, int operand, const tn_type in[], int nin)
{
	int i, last = op->in[operand].is_variadic ? nin - 1 : operand;

	for (i = operand; i <= last && i < nin; i++)
		if (in[i] != TN_NONE)
			return tn_type_get(c, in[i])->rank;
	return -1;
}

tn_attrs
tn_attrs_normalise(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const tn_type in[], int nin)
{
	const struct tn_value *v;
	const tn_val *val;
	int64_t axis;
	int i, n, rank;

	for (i = 0; i < op->nattr; i++) {
		if (op->attr[i].kind != TN_K_AXIS)
			continue;
		val = tn_attrs_get(c, attrs, &n);
		if (i >= n || val[i] == TN_NONE || (v = tn_val_get(c, val[i]))->kind != TN_K_AXIS)
			return TN_NONE;
		rank = axis_rank(c, op, op->attr[i].axis_of, in, nin);
		axis = v->u.i;
		if (axis < -rank || axis >= rank)
			return TN_NONE;
		if (axis < 0)
			attrs = tn_attrs_with(c, attrs, i, tn_val_make(c, &(struct tn_value){.kind = TN_K_AXIS, .u.i = axis + rank}));
	}
	return attrs;
}
