/* Blocks, and values as C expressions. */
#include "gen/place.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/literal.h"

#define WIDTH 90
#define LONG 72			/* characters above which an expression gets a name */

/* ---- blocks ---------------------------------------------------------------------------------------- */

static void
put_tabs(struct buf *b, int n)
{
	while (n-- > 0)
		buf_putc(b, '\t');
}

/* Where to break a line of at most `room` characters: before the last ? or : in its second half, else
 * at the last blank. */
static size_t
break_at(const char *s, size_t room)
{
	size_t blank = 0, choice = 0;

	for (size_t i = 0; i < room && s[i]; i++) {
		if (s[i] == ' ' && i > 8 && s[i + 1] != '{')
			blank = i;
		if (s[i] == ' ' && (s[i + 1] == '?' || s[i + 1] == ':') && i > room / 2)
			choice = i;
	}
	return choice ? choice : blank;
}

void
place_stmt(struct place *p, const char *fmt, ...)
{
	struct block *b = p->at;
	size_t tabs = 8 * (size_t)b->depth, room = tabs + 40 > WIDTH ? 40 : WIDTH - tabs, at;
	struct buf line = {0};
	const char *s;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	line.at = arena_alloc(p->arena, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(line.at, (size_t)len + 1, fmt, ap);
	va_end(ap);
	put_tabs(&b->text, b->depth);
	for (s = line.at; strlen(s) > room && (at = break_at(s, room)) > 0; s += at + 1) {
		buf_put(&b->text, s, at);
		buf_putc(&b->text, '\n');
		put_tabs(&b->text, b->depth);
		buf_puts(&b->text, "    ");
	}
	buf_puts(&b->text, s);
	buf_putc(&b->text, '\n');
	b->nstmt++;
}

/* The variable of a loop: that of an earlier one of the same name if it is free again. */
static int
loop_var(struct place *p, const char *hint)
{
	for (uint32_t i = 0; i < p->var.n; i++)
		if (!p->var.at[i].is_open && strcmp(p->var.at[i].hint, hint) == 0)
			return (int)i;
	vec_push(&p->var, ((struct loop_var){hint, name_new(&p->names, hint), false}));
	return (int)p->var.n - 1;
}

void
place_open(struct place *p, int loop)
{
	struct block *b = arena_new(p->arena, struct block);

	b->up = p->at;
	b->loop = loop;
	b->depth = p->at ? p->at->depth + 1 : 1;
	p->at = b;
	if (loop != NONE && loop != p->lane) {
		p->var_of[loop] = loop_var(p, p->d->loop.at[loop].name);
		p->var.at[p->var_of[loop]].is_open = true;
	}
}

/* A closed block's text, in braces where it is more than a statement or a branch of two. */
static void
append(struct place *p, const struct block *b, const char *head)
{
	struct buf *out = &p->at->text;
	bool is_bare = b->nstmt == 1 && !b->is_braced;
	bool is_else = head && strcmp(head, "else") == 0;

	if (is_else) {
		out->n--;	/* the line's end: } else { */
		buf_puts(out, " else {\n");
	} else if (head) {
		place_stmt(p, is_bare ? "%s" : "%s {", head);
	}
	buf_put(out, b->text.at ? b->text.at : "", b->text.n);
	if (head && !is_bare) {
		put_tabs(out, p->at->depth);
		buf_puts(out, "}\n");
	}
}

void
place_close(struct place *p, const char *head)
{
	struct block *b = p->at;

	if (b->loop != NONE && b->loop != p->lane)
		p->var.at[p->var_of[b->loop]].is_open = false;
	while (p->placed.n && p->placed.at[p->placed.n - 1].in == b)
		p->placed.n--;
	for (uint32_t i = 0; i < p->placed.n; i++)
		if (p->placed.at[i].in == b)
			p->placed.at[i].node = NONE;
	p->at = b->up;
	append(p, b, head);
	buf_free(&b->text);
	vec_free(&b->holds);
}

void
place_strip(struct place *p, int lane)
{
	const char *name = p->d->loop.at[lane].name;

	place_open(p, NONE);
	p->at->is_braced = true;
	p->lane = lane;
	p->strip = p->at;
	p->var_of[lane] = loop_var(p, name);
	p->var.at[p->var_of[lane]].is_open = true;
	p->lane_at = name_new(&p->names, arena_printf(p->arena, "%s_at", name));
	p->lane_to = name_new(&p->names, arena_printf(p->arena, "%s_to", name));
}

void
place_strip_close(struct place *p, const char *head)
{
	p->var.at[p->var_of[p->lane]].is_open = false;
	p->lane = NONE;
	p->strip = NULL;
	place_close(p, head);
}

/* Leave out the rest of this turn of the loop. */
void
place_skip(struct place *p, const char *cond)
{
	place_stmt(p, "if (%s)", cond);
	put_tabs(&p->at->text, p->at->depth + 1);
	buf_puts(&p->at->text, "continue;\n");
}

/* Block in the innermost loop depended on: in its innermost branch that is open around the loops
 * further in, or around us.  A strip is no place of its own. */
struct block *
place_target(const struct place *p, uint64_t loops)
{
	struct block *target = p->at;

	for (struct block *b = p->at; b; b = b->up) {
		if (b->loop == NONE) {
			if (b == p->strip && target == b)
				target = b->up;
			continue;
		}
		if (loops >> b->loop & 1)
			break;
		target = b->up;
	}
	return target;
}

static bool
is_around(const struct block *outer, const struct block *b)
{
	for (; b; b = b->up)
		if (b == outer)
			return true;
	return false;
}

const struct placed *
place_find(const struct place *p, int node)
{
	for (uint32_t i = p->placed.n; i-- > 0;)
		if (p->placed.at[i].node == node && is_around(p->placed.at[i].in, p->at))
			return &p->placed.at[i];
	return NULL;
}

void
place_name(struct place *p, int node, const char *name, const char *second)
{
	vec_push(&p->placed, ((struct placed){node, p->at, name, second, NULL}));
}

bool
place_holds(const struct place *p, int cond)
{
	for (const struct block *b = p->at; b; b = b->up)
		for (uint32_t i = 0; i < b->holds.n; i++)
			if (b->holds.at[i] == cond)
				return true;
	return false;
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static const char *
bind(struct place *p, const char *text, int is, int prec)
{
	return is < prec ? arena_printf(p->arena, "(%s)", text) : text;
}

const char *
place_cond(struct place *p, int cond, int prec)
{
	const struct node n = p->d->node.at[cond];
	const char *all = NULL;
	int nterm = 0;

	if (n.kind != NODE_AND)
		return place_holds(p, cond) ? NULL : place_value(p, cond, prec);
	for (int i = 0; i < n.nkid; i++)
		if (!place_holds(p, n.kid[i])) {
			const char *one = place_value(p, n.kid[i], PREC_AND);

			all = nterm++ ? arena_printf(p->arena, "%s && %s", all, one) : one;
		}
	return nterm > 1 ? bind(p, all, PREC_AND, prec) : all;
}

/* A number. */
static const char *
literal_text(struct place *p, const struct node *n)
{
	struct buf b = {0};
	const char *text;

	if (n->kind == NODE_INT)
		literal_int(&b, n->num);
	else
		literal_real(&b, n->real);
	text = arena_str(p->arena, b.at, b.n);
	buf_free(&b);
	return text;
}

static const struct {
	uint8_t fn;
	enum node_type of;
	const char *text;	/* an operator with blanks around it, else a function */
	int prec;
} fns[] = {
	{TN_F_ADD, TYPE_INT, " + ", PREC_ADD}, {TN_F_SUB, TYPE_INT, " - ", PREC_ADD},
	{TN_F_MUL, TYPE_INT, " * ", PREC_MUL}, {TN_F_FLOORDIV, TYPE_INT, "tn_int_div", 0},
	{TN_F_EXACTDIV, TYPE_INT, "tn_int_div", 0}, {TN_F_MOD, TYPE_INT, "tn_int_mod", 0},
	{TN_F_CEILDIV, TYPE_INT, "tn_int_ceildiv", 0}, {TN_F_MAX, TYPE_INT, "tn_int_max", 0},
	{TN_F_MIN, TYPE_INT, "tn_int_min", 0}, {TN_F_ABS, TYPE_INT, "tn_int_abs", 0},
	{TN_F_ADD, TYPE_REAL, " + ", PREC_ADD}, {TN_F_SUB, TYPE_REAL, " - ", PREC_ADD},
	{TN_F_MUL, TYPE_REAL, " * ", PREC_MUL}, {TN_F_DIVR, TYPE_REAL, " / ", PREC_MUL},
	{TN_F_MAX, TYPE_REAL, "tn_real_max", 0}, {TN_F_MIN, TYPE_REAL, "tn_real_min", 0},
	{TN_F_ABS, TYPE_REAL, "fabs", 0}, {TN_F_POW, TYPE_REAL, "pow", 0}, {TN_F_EXP, TYPE_REAL, "exp", 0},
	{TN_F_LOG, TYPE_REAL, "log", 0}, {TN_F_SQRT, TYPE_REAL, "sqrt", 0}, {TN_F_ERF, TYPE_REAL, "erf", 0},
	{TN_F_TANH, TYPE_REAL, "tanh", 0}, {TN_F_SIGMOID, TYPE_REAL, "tn_real_sigmoid", 0},
	{TN_F_FLOORDIV, TYPE_REAL, "tn_real_div", 0}, {TN_F_MOD, TYPE_REAL, "tn_real_mod", 0},
	{TN_F_CEILDIV, TYPE_REAL, "tn_real_ceildiv", 0}, {TN_F_EXACTDIV, TYPE_REAL, " / ", PREC_MUL},
	{TN_F_EQ, TYPE_BOOL, " == ", PREC_EQ}, {TN_F_NE, TYPE_BOOL, " != ", PREC_EQ},
	{TN_F_LT, TYPE_BOOL, " < ", PREC_REL}, {TN_F_LE, TYPE_BOOL, " <= ", PREC_REL},
	{TN_F_GT, TYPE_BOOL, " > ", PREC_REL}, {TN_F_GE, TYPE_BOOL, " >= ", PREC_REL},
	{TN_F_AND, TYPE_BOOL, " && ", PREC_AND}, {TN_F_OR, TYPE_BOOL, " || ", PREC_OR},
	{TN_F_DIVIDES, TYPE_BOOL, "tn_int_divides", 0},
};

static const char *
call_text(struct place *p, const struct node *n, int *prec)
{
	size_t i = 0;
	const char *a, *b;

	*prec = PREC_UNARY;
	if (n->fn == TN_F_NEG)
		return arena_printf(p->arena, "-%s", place_value(p, n->kid[0], PREC_POST));
	if (n->fn == TN_F_NOT)
		return arena_printf(p->arena, "!%s", place_value(p, n->kid[0], PREC_UNARY));
	while (fns[i].fn != n->fn || fns[i].of != n->type)
		i++;
	*prec = fns[i].text[0] == ' ' ? fns[i].prec : PREC_POST;
	/* Compilers ask for parentheses around && in ||. */
	a = place_value(p, n->kid[0], fns[i].text[0] != ' ' ? PREC_ANY : n->fn == TN_F_OR ? PREC_EQ : *prec);
	if (n->nkid == 1)
		return arena_printf(p->arena, "%s(%s)", fns[i].text, a);
	b = place_value(p, n->kid[1], fns[i].text[0] != ' ' ? PREC_ANY : n->fn == TN_F_OR ? PREC_EQ : *prec + 1);
	if (fns[i].text[0] == ' ')
		return arena_printf(p->arena, "%s%s%s", a, fns[i].text, b);
	return arena_printf(p->arena, "%s(%s, %s)", fns[i].text, a, b);
}

/* The text with $0, $1, … replaced by the kids'. */
static const char *
fill_text(struct place *p, const struct node *n)
{
	struct buf b = {0};
	const char *text;

	for (const char *s = n->text; *s; s++) {
		if (*s == '$') {
			int kid = *++s - '0';

			buf_puts(&b, place_value(p, n->kid[kid], s[1] == '.' ? PREC_POST : PREC_ANY));
		} else {
			buf_putc(&b, *s);
		}
	}
	text = arena_str(p->arena, b.at, b.n);
	buf_free(&b);
	return text;
}

/* The text where the condition holds, else 0. */
static const char *
guarded(struct place *p, int cond, const char *text, int *prec)
{
	const char *c = cond == NONE ? NULL : place_cond(p, cond, PREC_OR);

	if (!c)
		return text;
	*prec = PREC_COND;
	return arena_printf(p->arena, "%s ? %s : 0", c, text);
}

static const char *
value_text(struct place *p, const struct node *n, int *prec)
{
	const char *text;

	*prec = PREC_POST;
	switch (n->kind) {
	case NODE_INT:
		*prec = n->num < 0 ? PREC_UNARY : PREC_POST;
		return literal_text(p, n);
	case NODE_REAL:
		*prec = n->real < 0 ? PREC_UNARY : PREC_POST;
		return literal_text(p, n);
	case NODE_LOOP:
		return p->var.at[p->var_of[n->a]].name;
	case NODE_TEXT:
		return fill_text(p, n);
	case NODE_CALL:
		return call_text(p, n, prec);
	case NODE_CAST:
		*prec = PREC_UNARY;
		return arena_printf(p->arena, "(double)%s", place_value(p, n->kid[0], PREC_UNARY));
	case NODE_IF:
		*prec = PREC_COND;
		text = place_value(p, n->kid[0], PREC_OR);
		text = arena_printf(p->arena, "%s ? %s", text, place_value(p, n->kid[1], PREC_OR));
		return arena_printf(p->arena, "%s : %s", text, place_value(p, n->kid[2], PREC_COND));
	case NODE_INSIDE:
		text = place_value(p, n->kid[0], PREC_ANY);
		return arena_printf(p->arena, "tn_inside(%s, %s)", text, place_value(p, n->kid[1], PREC_ANY));
	case NODE_READ:
		text = place_value(p, n->kid[0], PREC_POST);
		text = arena_printf(p->arena, "%s[%s]", text, place_value(p, n->kid[1], PREC_ANY));
		return guarded(p, n->nkid == 3 ? n->kid[2] : NONE, text, prec);
	case NODE_WHERE:
		text = place_value(p, n->kid[0], PREC_COND + 1);
		return guarded(p, n->kid[1], text, prec);
	default:	/* NODE_AND */
		*prec = PREC_AND;
		text = NULL;
		for (int i = 0; i < n->nkid; i++)
			text = arena_printf(p->arena, "%s%s%s", text ? text : "", text ? " && " : "",
				place_value(p, n->kid[i], PREC_AND));
		return n->nkid == 1 ? place_value(p, n->kid[0], *prec = PREC_POST) : text;
	}
}

/* Does the value, or one in it, take statements? */
static bool
finds_statements(const struct def *d, int node, bool *seen)
{
	const struct node *n = &d->node.at[node];

	if (seen[node])
		return false;
	seen[node] = true;
	if (n->kind == NODE_REDUCE || n->kind == NODE_SWITCH || n->kind == NODE_PICK)
		return true;
	for (int i = 0; i < n->nkid; i++)
		if (finds_statements(d, n->kid[i], seen))
			return true;
	return false;
}

static bool
takes_statements(const struct def *d, int node)
{
	const struct node *n = &d->node.at[node];
	bool *seen, takes = n->kind == NODE_REDUCE || n->kind == NODE_SWITCH || n->kind == NODE_PICK;

	if (n->kind == NODE_IF) {
		seen = mem_alloc(d->node.n * sizeof *seen);
		takes = finds_statements(d, n->kid[1], seen) || finds_statements(d, n->kid[2], seen);
		mem_free(seen);
	}
	return takes;
}

static bool
must_have_name(const struct node *n)
{
	return n->kind == NODE_TEXT && (n->type == TYPE_READS || n->type == TYPE_DATA || n->loops == 0);
}

/* A member of a struct that has a name needs none of its own. */
static bool
is_member(const struct node *n)
{
	return n->kind == NODE_TEXT && strncmp(n->text, "$0.", 3) == 0;
}

static void
declare(struct place *p, int node, const char *text)
{
	static const char *const types[] = {
		[TYPE_INT] = "int64_t ", [TYPE_REAL] = "double ", [TYPE_BOOL] = "bool ",
		[TYPE_LIST] = "struct tn_list ", [TYPE_READS] = "struct tn_reads ", [TYPE_DATA] = "const double *",
	};
	const struct node *n = &p->d->node.at[node];
	const char *hint = n->hint ? n->hint : "t", *name;

	/* A partial offset is known by its loop: x_g. */
	if (n->is_offset && p->at->loop != NONE)
		hint = arena_printf(p->arena, "%s_%s", hint, p->d->loop.at[p->at->loop].name);
	name = name_new(&p->names, hint);
	place_stmt(p, "%s%s = %s;", types[n->type], name, text);
	place_name(p, node, name, NULL);
}

/* A reduction of each lane, by loops of its own. */
static bool
is_of_lanes(const struct place *p, const struct node *n, const struct block *target)
{
	uint64_t open = 0;

	if (n->kind != NODE_REDUCE || p->lane == NONE || target->loop != p->lane)
		return false;
	for (const struct block *b = p->strip; b; b = b->up)
		open |= b->loop == NONE ? 0 : UINT64_C(1) << b->loop;
	return !(n->loops & ~open & ~(UINT64_C(1) << p->lane));
}

/* Make a value that takes statements, in its own place. */
static void
make(struct place *p, int node, const struct node *n)
{
	switch (n->kind) {
	case NODE_REDUCE: place_reduce(p, node); break;
	case NODE_SWITCH: place_switch(p, node); break;
	case NODE_IF: place_if(p, node); break;
	default: place_pick(p, node);
	}
}

const char *
place_value(struct place *p, int node, int prec)
{
	const struct node n = p->d->node.at[node];
	struct block *saved = p->at, *target;
	const struct placed *known;
	const char *text;
	int is;

	if (n.kind == NODE_INT || n.kind == NODE_REAL || n.kind == NODE_LOOP || is_member(&n)) {
		text = value_text(p, &n, &is);
		return bind(p, text, is, prec);
	}
	if (n.kind == NODE_PICKED) {
		place_value(p, n.kid[0], PREC_ANY);
		return place_find(p, n.kid[0])->second;
	}
	known = place_find(p, node);
	if (known)
		return known->name;
	target = place_target(p, n.loops);
	p->at = is_of_lanes(p, &n, target) ? p->strip : target;
	if (takes_statements(p->d, node)) {
		make(p, node, &n);
	} else {
		text = value_text(p, &n, &is);
		if (target == saved && n.uses <= 1 && !must_have_name(&n) && strlen(text) <= LONG)
			return bind(p, text, is, prec);
		declare(p, node, text);
	}
	known = place_find(p, node);
	p->at = saved;
	return known->name;
}
