/* Result types: what was found before, else compiled or walked. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
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

/* All that the answer depends on, as bytes. */
struct key {
	uint32_t few[32], *word;	/* word is few, or from the heap where there are many operands */
	size_t size;
};

static void
make_key(struct key *k, const struct tn_infer *s)
{
	size_t n = 0, head = sizeof s->op / sizeof *k->word + 4;

	k->size = (head + (size_t)s->nin) * sizeof *k->word;
	k->word = k->size <= sizeof k->few ? k->few : mem_alloc(k->size);
	memcpy(k->word, &s->op, sizeof s->op);
	n = sizeof s->op / sizeof *k->word;
	k->word[n++] = s->attrs;
	k->word[n++] = (uint32_t)s->nin;
	k->word[n++] = s->keep_unknown;
	k->word[n++] = dims_nfact(s->ctx->dims);
	if (s->nin)
		memcpy(&k->word[n], s->in, (size_t)s->nin * sizeof *s->in);
}

static void
drop_key(struct key *k)
{
	if (k->word != k->few)
		mem_free(k->word);
}

static void
remember(struct tn_infer *s, const struct key *k, bool ok)
{
	struct tn_ctx *c = s->ctx;
	struct inferred found = {ok, s->out, arena_dup(&c->arena, s->in, (size_t)s->nin * sizeof *s->in)};

	map_put(&c->infer_map, k->word, k->size, c->inferred.n, NULL);
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

/* what was found before, unless it was a refusal and we are asked why */
static bool
recall(struct tn_infer *s, const struct inferred *found)
{
	if (!found || (!found->ok && s->error))
		return false;
	s->out = found->out;
	if (s->nin)
		memcpy(s->in, found->in, (size_t)s->nin * sizeof *s->in);
	return true;
}

bool
tn_infer_run(struct tn_infer *s)
{
	const struct inferred *found;
	struct key key;
	uint32_t *at;
	bool ok;

	make_key(&key, s);
	at = map_get(&s->ctx->infer_map, key.word, key.size);
	found = at ? &s->ctx->inferred.at[*at] : NULL;
	if (recall(s, found)) {
		drop_key(&key);
		return found->ok;
	}
	s->out = TN_NONE;
	ok = s->op->shape ? run_compiled(s) : tn_infer_walk(s);
	if (!found)
		remember(s, &key, ok);
	drop_key(&key);
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
