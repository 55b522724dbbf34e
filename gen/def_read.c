/* Reads: the offset of an element, and the conditions under which it is inside its operand. */
#include "gen/def.h"

#include "base/mem.h"

#define MAX_TERMS 32

/* A sum of terms, each added or taken off. */
struct term {
	int node;
	bool is_minus;
	int level;		/* how far inside its innermost loop is */
};
struct sum {
	int n;
	struct term at[MAX_TERMS];
};

static int
level_of(const struct def *d, uint64_t loops)
{
	int level = 0;

	for (int i = 0; i < (int)d->loop.n; i++)
		if (loops >> i & 1) {
			int l = d->loop.at[i].depth ? MAX_LOOPS + d->loop.at[i].depth : i + 1;

			level = l > level ? l : level;
		}
	return level;
}

/* Add the node's terms; false if there are too many. */
static bool
add_terms(const struct def *d, struct sum *s, int node, bool is_minus)
{
	const struct node *n = &d->node.at[node];

	if (n->kind == NODE_CALL && (n->fn == TN_F_ADD || n->fn == TN_F_SUB))
		return add_terms(d, s, n->kid[0], is_minus) &&
			add_terms(d, s, n->kid[1], is_minus != (n->fn == TN_F_SUB));
	if (n->kind == NODE_CALL && n->fn == TN_F_NEG)
		return add_terms(d, s, n->kid[0], !is_minus);
	if (s->n == MAX_TERMS)
		return false;
	s->at[s->n++] = (struct term){node, is_minus, level_of(d, n->loops)};
	return true;
}

/* The sum with its terms from the outermost loop to the innermost, so that each loop adds to what
 * the loops around it have made. */
static int
order_terms(struct def *d, int node)
{
	struct sum s = {0};
	int sum;

	if (!add_terms(d, &s, node, false))
		return node;
	for (int i = 1; i < s.n; i++)
		for (int j = i; j > 0 && s.at[j - 1].level > s.at[j].level; j--) {
			struct term t = s.at[j];

			s.at[j] = s.at[j - 1];
			s.at[j - 1] = t;
		}
	/* "p - 3" rather than "-3 + p" */
	for (int i = 1; i < s.n && s.at[0].is_minus; i++)
		if (!s.at[i].is_minus) {
			struct term t = s.at[i];

			for (int j = i; j > 0; j--)
				s.at[j] = s.at[j - 1];
			s.at[0] = t;
		}
	sum = s.at[0].is_minus ? def_call(d, TN_F_NEG, TYPE_INT, s.at[0].node, NONE) : s.at[0].node;
	for (int i = 1; i < s.n; i++)
		sum = def_call(d, s.at[i].is_minus ? TN_F_SUB : TN_F_ADD, TYPE_INT, sum, s.at[i].node);
	return sum;
}

bool
def_is_same(const struct def *d, int a, int b)
{
	/* The pairs are few: follow them from a until nothing is added. */
	bool *reached, is_same;

	if (a == b || d->same.n == 0)
		return a == b;
	reached = mem_alloc(d->node.n * sizeof *reached);
	reached[a] = true;
	for (uint32_t round = 0; round < d->same.n; round++)
		for (uint32_t i = 0; i < d->same.n; i++) {
			const struct same *s = &d->same.at[i];

			reached[s->a] = reached[s->b] = reached[s->a] || reached[s->b];
		}
	is_same = reached[b];
	mem_free(reached);
	return is_same;
}

/* Is it a loop's index that cannot leave an axis of that extent? */
static bool
must_be_inside(const struct def *d, int index, int extent)
{
	const struct node *n = &d->node.at[index];

	return n->kind == NODE_LOOP && def_is_same(d, d->loop.at[n->a].extent, extent);
}

static int
inside(struct def *d, int cond, int index, int extent)
{
	int kid[] = {index, extent}, one;

	if (must_be_inside(d, index, extent))
		return cond;
	one = def_node(d, (struct node){.kind = NODE_INSIDE, .type = TYPE_BOOL, .nkid = 2}, kid);
	return def_and(d, cond, def_node(d, (struct node){.kind = NODE_AND, .type = TYPE_BOOL, .nkid = 1}, &one));
}

/* A read so far: offset in rows of the axes done. */
struct read {
	int data, offset, cond;
	const char *name;
};

static int
mark_offset(struct def *d, int node, const char *name)
{
	struct node *n = &d->node.at[node];

	if (n->kind == NODE_CALL && n->hint == NULL) {
		n->hint = name;
		n->is_offset = true;
	}
	return node;
}

static void
add_axis(struct def *d, struct read *r, int index, int extent)
{
	if (r->offset == NONE) {
		r->offset = index;
		return;
	}
	r->offset = mark_offset(d, def_call(d, TN_F_MUL, TYPE_INT, r->offset, extent), r->name);
	r->offset = mark_offset(d, def_call(d, TN_F_ADD, TYPE_INT, r->offset, index), r->name);
}

static void
read_dim(struct def *d, struct read *r, const struct tn_x *x, int var)
{
	int extent = def_extent(d, var), index = order_terms(d, def_whole(d, x, &r->cond));

	if (d->node.at[index].kind == NODE_CALL && d->node.at[index].hint == NULL)
		d->node.at[index].hint = d->op->var[var].name;
	r->cond = inside(d, r->cond, index, extent);
	add_axis(d, r, index, extent);
}

/* Two conditions in one: from <= column < to along the reads. */
static int
reads_inside(struct def *d, int cond, int reads, int col)
{
	int kid[2];

	kid[0] = def_call(d, TN_F_GE, TYPE_BOOL, col, def_text(d, TYPE_INT, NULL, "$0.from", 1, &reads));
	kid[1] = def_call(d, TN_F_LT, TYPE_BOOL, col, def_text(d, TYPE_INT, NULL, "$0.to", 1, &reads));
	return def_and(d, cond, def_node(d, (struct node){.kind = NODE_AND, .type = TYPE_BOOL, .nkid = 2}, kid));
}

/* An operand's sequence under an index list: along a row in steps where that goes, else one by one. */
static void
read_list(struct def *d, struct read *r, const struct tn_x *x, int operand, int item)
{
	int var = d->op->in[operand].item[item].var, seq = NONE, reads, at, saved = d->point;
	bool is_row = def_is_affine(d, x, &seq) && seq != NONE;
	int kid[4] = {def_place(d, operand, item), def_length(d, var)};
	int col = is_row ? d->bound[seq].col : def_int(d, 0);

	d->point = is_row ? 0 : NONE;
	kid[2] = def_list(d, x, &r->cond);
	if (is_row) {
		d->point = 1;
		kid[3] = def_list(d, x, &r->cond);
	}
	d->point = saved;
	reads = def_text(d, TYPE_READS, "reads", arena_printf(d->arena, is_row ?
		"tn_reads_row(&ev->in[%d], $0, $1, $2, $3)" : "tn_reads_one(&ev->in[%d], $0, $1, $2)", operand),
		is_row ? 4 : 3, kid);
	at = def_text(d, TYPE_INT, NULL, "$0.at", 1, &reads);
	if (is_row)
		at = def_call(d, TN_F_ADD, TYPE_INT, at, def_call(d, TN_F_MUL, TYPE_INT,
			def_text(d, TYPE_INT, NULL, "$0.step", 1, &reads), col));
	r->cond = reads_inside(d, r->cond, reads, col);
	add_axis(d, r, at, def_extent(d, var));
}

static void
read_seq(struct def *d, struct read *r, const struct tn_x *x, int operand, int item)
{
	int var = d->op->in[operand].item[item].var, extent, index;

	if (x->kind == TN_X_VAR && x->var == var && d->mode[var] == SEQ_WHOLE && d->bound[var].node != NONE) {
		add_axis(d, r, d->bound[var].node, def_extent(d, var));
	} else if (x->kind == TN_X_CALL && x->fn == TN_F_UNFLATTEN && x->kid[1]->kind == TN_X_EXTENT &&
	    x->kid[1]->var == var) {
		/* Unflattened over the very axes it is put to: their offset is what it was. */
		extent = def_extent(d, var);
		index = order_terms(d, def_whole(d, x->kid[0], &r->cond));
		r->cond = inside(d, r->cond, index, extent);
		add_axis(d, r, index, extent);
	} else {
		read_list(d, r, x, operand, item);
	}
}

/* Do the operands from the picked one's first on fill the loop's extent, so that each index is in one? */
static bool
is_filled(struct def *d, int operand, int index)
{
	const struct node *n = &d->node.at[index];

	for (int i = 0; i < d->op->nlet; i++)
		if (d->op->let[i].x->kind == TN_X_TOTAL && d->op->let[i].x->var == operand && n->kind == NODE_LOOP)
			return def_extent(d, d->op->let[i].var) == d->loop.at[n->a].extent;
	return false;
}

/* Along the d* of a picked operand, whose index must be (- e (before d*)). */
static void
read_star(struct def *d, struct read *r, const struct tn_x *x, int operand, int item)
{
	int kid[2], pick, index, extent;
	bool is_plain = x->kind == TN_X_CALL && x->fn == TN_F_SUB && x->nkid == 2 &&
		x->kid[1]->kind == TN_X_BEFORE && x->kid[1]->var == d->op->in[operand].item[item].var;

	if (!is_plain || r->data != NONE) {
		d->is_declined = true;
		return;
	}
	kid[0] = order_terms(d, def_whole(d, x->kid[0], &r->cond));
	kid[1] = def_place(d, operand, item);
	pick = def_node(d, (struct node){.kind = NODE_PICK, .type = TYPE_INT, .a = operand, .nkid = 2,
		.hint = r->name}, kid);
	index = def_node(d, (struct node){.kind = NODE_PICKED, .type = TYPE_INT, .nkid = 1}, &pick);
	r->data = def_text(d, TYPE_DATA, r->name, "ev->in[$0].v", 1, &pick);
	extent = def_text(d, TYPE_INT, arena_printf(d->arena, "n_%s", d->op->var[d->op->in[operand].item[item].var].name),
		"ev->in[$0].dim[$1]", 2, (int[]){pick, kid[1]});
	if (!is_filled(d, operand, kid[0]))
		r->cond = inside(d, r->cond, index, extent);
	add_axis(d, r, index, extent);
}

struct val
def_read(struct def *d, const struct tn_x *x)
{
	const struct tn_operand *in = &d->op->in[x->var];
	struct read r = {NONE, NONE, NONE, in->name};
	int kid[3];

	if (x->nkid != in->nitem || (in->is_variadic && d->picked != x->var))
		return (struct val){def_decline(d), NONE};
	for (int i = 0; i < in->nitem && !d->is_declined; i++) {
		if ((x->kid[i]->sort == TN_S_LIST) != in->item[i].is_seq)
			return (struct val){def_decline(d), NONE};
		if (in->item[i].is_seq)
			read_seq(d, &r, x->kid[i], x->var, i);
		else if (d->op->var[in->item[i].var].kind == TN_V_STAR)
			read_star(d, &r, x->kid[i], x->var, i);
		else
			read_dim(d, &r, x->kid[i], in->item[i].var);
	}
	if (r.data == NONE && in->is_variadic)
		return (struct val){def_decline(d), NONE};
	if (r.data == NONE)
		r.data = def_text(d, TYPE_DATA, in->name, arena_printf(d->arena, "ev->in[%d].v", x->var), 0, NULL);
	kid[0] = r.data;
	kid[1] = r.offset == NONE ? def_int(d, 0) : r.offset;
	kid[2] = r.cond;
	return (struct val){def_node(d, (struct node){.kind = NODE_READ, .type = TYPE_REAL,
		.nkid = r.cond == NONE ? 2 : 3}, kid), r.cond};
}
