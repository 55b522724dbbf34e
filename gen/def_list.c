/* Lists of indices, the modes of sequences, and the making of the whole graph. */
#include "gen/def.h"

#include <string.h>

/* Index list of a sequence in list mode, at the column that is asked for. */
static int
seq_index(struct def *d, int var)
{
	const struct bound *b = &d->bound[var];
	int kid[3] = {b->row, def_extents(d, var), d->point == NONE ? b->col : def_int(d, d->point)};

	if (b->row == NONE)
		return def_extents(d, var);
	return def_text(d, TYPE_LIST, d->op->var[var].name, "tn_list_row($0, $1, $2)", 3, kid);
}

static int
map_list(struct def *d, const struct tn_x *x, int *cond)
{
	static const struct {
		enum tn_fn fn;
		const char *text;
	} map[] = {
		{TN_F_ADD, "tn_list_map(TN_F_ADD, $0, $1)"}, {TN_F_SUB, "tn_list_map(TN_F_SUB, $0, $1)"},
		{TN_F_MUL, "tn_list_map(TN_F_MUL, $0, $1)"}, {TN_F_FLOORDIV, "tn_list_map(TN_F_FLOORDIV, $0, $1)"},
		{TN_F_MOD, "tn_list_map(TN_F_MOD, $0, $1)"}, {TN_F_CEILDIV, "tn_list_map(TN_F_CEILDIV, $0, $1)"},
		{TN_F_MAX, "tn_list_map(TN_F_MAX, $0, $1)"}, {TN_F_MIN, "tn_list_map(TN_F_MIN, $0, $1)"},
	};
	int kid[2] = {def_list(d, x->kid[0], cond)};

	for (size_t m = 0; m < sizeof map / sizeof map[0]; m++)
		if (map[m].fn == x->fn && x->nkid > 1) {
			for (int i = 1; i < x->nkid; i++) {
				kid[1] = def_list(d, x->kid[i], cond);
				kid[0] = def_text(d, TYPE_LIST, "i", map[m].text, 2, kid);
			}
			return kid[0];
		}
	return def_decline(d);
}

static int
call_list(struct def *d, const struct tn_x *x, int *cond)
{
	int kid[3];

	switch (x->fn) {
	case TN_F_ONES:
		kid[0] = def_list(d, x->kid[0], cond);
		return def_text(d, TYPE_LIST, "i", "tn_list_ones($0)", 1, kid);
	case TN_F_PERMUTE: case TN_F_UNPERMUTE:
		kid[0] = def_list(d, x->kid[0], cond);
		kid[1] = def_list(d, x->kid[1], cond);
		return def_text(d, TYPE_LIST, "i", x->fn == TN_F_PERMUTE ? "tn_list_permute($0, $1)" :
			"tn_list_unpermute($0, $1)", 2, kid);
	case TN_F_BROADCAST:
		for (int i = 0; i < 3; i++)
			kid[i] = def_list(d, x->kid[i], cond);
		return def_text(d, TYPE_LIST, "i", "tn_list_broadcast($0, $1, $2)", 3, kid);
	case TN_F_UNFLATTEN:
		kid[0] = def_whole(d, x->kid[0], cond);
		kid[1] = def_list(d, x->kid[1], cond);
		return def_text(d, TYPE_LIST, "i", "tn_list_unflatten($0, $1)", 2, kid);
	case TN_F_RANGE:
		kid[0] = x->nkid == 2 ? def_whole(d, x->kid[0], cond) : def_int(d, 0);
		kid[1] = def_whole(d, x->kid[x->nkid - 1], cond);
		return def_text(d, TYPE_LIST, "i", "tn_list_range($0, $1)", 2, kid);
	default:
		return map_list(d, x, cond);
	}
}

int
def_list(struct def *d, const struct tn_x *x, int *cond)
{
	int kid[2];

	if (d->is_declined)
		return def_int(d, 0);
	if (x->sort != TN_S_LIST) {
		kid[0] = def_whole(d, x, cond);
		return def_text(d, TYPE_LIST, "i", "tn_list_each($0)", 1, kid);
	}
	switch (x->kind) {
	case TN_X_VAR:
		if (d->op->var[x->var].kind == TN_V_ATTR)
			return def_attr(d, d->op->var[x->var].attr);
		if (d->op->var[x->var].kind == TN_V_DIM || d->op->var[x->var].kind == TN_V_LET)
			return seq_index(d, x->var);
		return def_decline(d);
	case TN_X_EXTENT:
		return def_extents(d, x->var);
	case TN_X_CALL:
		return call_list(d, x, cond);
	case TN_X_LIST:
		kid[0] = NONE;
		for (int i = 0; i < x->nkid; i++) {
			kid[1] = x->kid[i]->sort == TN_S_LIST ? def_list(d, x->kid[i], cond) : def_whole(d, x->kid[i], cond);
			if (x->kid[i]->sort != TN_S_LIST)
				kid[1] = def_text(d, TYPE_LIST, "i", "tn_list_one($0)", 1, &kid[1]);
			kid[0] = i == 0 ? kid[1] : def_text(d, TYPE_LIST, "i", "tn_list_join($0, $1)", 2, kid);
		}
		return kid[0] == NONE ? def_decline(d) : kid[0];
	default:
		return def_decline(d);
	}
}

/* Is it the same at every column?  Then it may scale, permute or limit what is not. */
static bool
is_fixed(const struct def *d, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR)
		return d->op->var[x->var].kind == TN_V_ATTR || d->op->var[x->var].kind == TN_V_ELEM ||
			(d->bound[x->var].node != NONE && d->bound[x->var].row == NONE);
	if (x->kind == TN_X_NUM || x->kind == TN_X_EXTENT || x->kind == TN_X_BEFORE)
		return true;
	if (x->kind != TN_X_CALL && x->kind != TN_X_LIST)
		return false;
	for (int i = 0; i < x->nkid; i++)
		if (!is_fixed(d, x->kid[i]))
			return false;
	return true;
}

bool
def_is_affine(const struct def *d, const struct tn_x *x, int *seq)
{
	if (is_fixed(d, x))
		return true;
	if (x->kind == TN_X_VAR) {
		if (d->bound[x->var].row == NONE || (*seq != NONE && *seq != x->var))
			return false;
		*seq = x->var;
		return true;
	}
	if (x->kind == TN_X_CALL && (x->fn == TN_F_PERMUTE || x->fn == TN_F_UNPERMUTE || x->fn == TN_F_BROADCAST))
		return def_is_affine(d, x->kid[0], seq) && is_fixed(d, x->kid[1]) &&
			(x->nkid < 3 || is_fixed(d, x->kid[2]));
	if (x->kind == TN_X_CALL && x->fn == TN_F_MUL && x->nkid == 2)
		return (is_fixed(d, x->kid[0]) && def_is_affine(d, x->kid[1], seq)) ||
			(is_fixed(d, x->kid[1]) && def_is_affine(d, x->kid[0], seq));
	if (x->kind != TN_X_LIST && !(x->kind == TN_X_CALL && (x->fn == TN_F_ADD || x->fn == TN_F_SUB)))
		return false;
	for (int i = 0; i < x->nkid; i++)
		if (!def_is_affine(d, x->kid[i], seq))
			return false;
	return true;
}

/* ---- modes --------------------------------------------------------------------------------------- */

static void find_modes(struct def *, const struct tn_x *);

/* A sequence read as a whole on its own place, or flattened over its own extents, needs no list. */
static void
find_read_modes(struct def *d, const struct tn_x *read)
{
	const struct tn_operand *in = &d->op->in[read->var];

	for (int i = 0; i < read->nkid; i++) {
		const struct tn_x *x = read->kid[i];
		int own = read->nkid == in->nitem && in->item[i].is_seq ? in->item[i].var : NONE;

		if (x->kind == TN_X_VAR && x->var == own)
			continue;
		find_modes(d, x);
	}
}

static void
find_modes(struct def *d, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR) {
		if (d->op->var[x->var].sort == TN_S_LIST)
			d->mode[x->var] = SEQ_LIST;
	} else if (x->kind == TN_X_READ) {
		find_read_modes(d, x);
	} else if (x->kind == TN_X_CALL && x->fn == TN_F_FLATTEN && x->kid[0]->kind == TN_X_VAR &&
	    x->kid[1]->kind == TN_X_EXTENT && x->kid[0]->var == x->kid[1]->var) {
		return;
	} else {
		for (int i = 0; i < x->nkid; i++)
			if (x->kid[i])
				find_modes(d, x->kid[i]);
	}
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static int
out_loop(struct def *d, const char *name, int extent)
{
	int loop = (int)d->loop.n;

	vec_push(&d->loop, ((struct loop){name, extent, 0}));
	d->out[d->nout++] = loop;
	return def_node(d, (struct node){.kind = NODE_LOOP, .type = TYPE_INT, .a = loop,
		.loops = UINT64_C(1) << loop}, NULL);
}

/* Is the axis, or each of the sequence's, 1 by its let? */
static bool
is_ones(const struct tn_op *op, int var)
{
	for (int i = 0; i < op->nlet; i++)
		if (op->let[i].var == var)
			return op->let[i].x->kind == TN_X_CALL && op->let[i].x->fn == TN_F_ONES;
	return false;
}

/* Loops over the result's axes, and their indices for its names. */
static bool
bind_out(struct def *d)
{
	const struct tn_op *op = d->op;

	for (int i = 0; i < op->nout; i++) {
		int var = op->out[i];
		struct bound *b = &d->bound[var];
		int extents;

		if (d->loop.n + 2 > MAX_LOOPS)
			return false;
		if (is_ones(op, var) && d->mode[var] == SEQ_WHOLE) {
			b->node = def_int(d, 0);
		} else if (op->var[var].sort != TN_S_LIST || d->mode[var] == SEQ_WHOLE) {
			b->node = out_loop(d, op->var[var].name, def_extent(d, var));
		} else {
			extents = def_extents(d, var);
			b->row = b->node = out_loop(d, "row", def_text(d, TYPE_INT, "n_row", "tn_list_rows($0)", 1, &extents));
			b->col = out_loop(d, "col", def_text(d, TYPE_INT, "n_col", "tn_list_cols($0)", 1, &extents));
		}
	}
	return true;
}

/* What `(where (= a b))` and `(let ..e list)` say of extents. */
static void
find_same(struct def *d)
{
	const struct tn_op *op = d->op;
	int cond = NONE;

	for (int i = 0; i < op->nwhere && !d->is_declined; i++) {
		const struct tn_x *x = op->where[i].cond;

		if (x->kind == TN_X_CALL && x->fn == TN_F_EQ && x->nkid == 2 && x->kid[0]->sort == TN_S_INT &&
		    x->kid[1]->sort == TN_S_INT) {
			int a = def_whole(d, x->kid[0], &cond), b = def_whole(d, x->kid[1], &cond);

			vec_push(&d->same, ((struct same){a, b}));
		}
		d->is_declined = false;
	}
	for (int i = 0; i < op->nlet && !d->is_declined; i++)
		if (op->let[i].x->sort == TN_S_LIST) {
			int list = def_list(d, op->let[i].x, &cond), a = def_extent(d, op->let[i].var);
			int b = def_text(d, TYPE_INT, "t", "tn_list_product($0)", 1, &list);

			if (!d->is_declined)
				vec_push(&d->same, ((struct same){a, b}));
			d->is_declined = false;
		}
}

static void
count_uses(struct def *d, int node)
{
	struct node *n = &d->node.at[node];

	if (n->uses++ > 0)
		return;
	for (int i = 0; i < n->nkid; i++)
		count_uses(d, n->kid[i]);
	for (int i = 0; i < n->niter; i++)
		count_uses(d, d->loop.at[n->iter[i]].extent);
}

bool
def_make(struct def *d, struct arena *a, const struct tn_op *op)
{
	struct val v;

	*d = (struct def){.arena = a, .op = op, .picked = NONE, .point = NONE};
	d->bound = arena_news(a, (size_t)op->nvar, struct bound);
	d->mode = arena_news(a, (size_t)op->nvar, uint8_t);
	for (int i = 0; i < op->nvar; i++)
		d->bound[i] = (struct bound){NONE, NONE, NONE, NONE};
	find_same(d);
	find_modes(d, op->def);
	if (!bind_out(d))
		return false;
	v = def_value(d, op->def);
	if (d->is_declined)
		return false;
	d->result = v.node;
	if (d->node.at[v.node].type != TYPE_REAL)
		d->result = def_node(d, (struct node){.kind = NODE_CAST, .type = TYPE_REAL, .nkid = 1}, &v.node);
	count_uses(d, d->result);
	return true;
}

void
def_free(struct def *d)
{
	vec_free(&d->node);
	vec_free(&d->loop);
	vec_free(&d->same);
	map_free(&d->known);
}
