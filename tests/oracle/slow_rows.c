/* Matches as text; see slow.h. */
#include "tests/oracle/slow_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

static void
put_value(const struct slow *s, struct buf *b, tn_val v)
{
	struct tn_v x = tn_v_attr(s->search, v);
	char text[256];
	uint32_t i;

	switch (x.kind) {
	case TN_VV_REAL:
		buf_printf(b, "%.17g", x.u.f);
		break;
	case TN_VV_STRING:
		buf_printf(b, "\"%s\"", x.u.s);
		break;
	case TN_VV_LIST:
		buf_putc(b, '[');
		for (i = 0; i < x.n; i++) {
			tn_dim_print(s->ctx, x.u.list[i], text, sizeof text);
			buf_printf(b, i ? " %s" : "%s", text);
		}
		buf_putc(b, ']');
		break;
	default:
		tn_dim_print(s->ctx, x.u.i, text, sizeof text);
		buf_puts(b, text);
	}
}

/* attributes of the record that are not named beside ..c */
static void
put_record(const struct slow *s, struct buf *b, tn_attrs record, uint64_t named)
{
	const tn_val *v;
	int n, i;

	v = tn_attrs_get(s->ctx, record, &n);
	buf_putc(b, '{');
	for (i = 0; i < n; i++)
		if (!(named >> i & 1)) {
			buf_putc(b, ' ');
			put_value(s, b, v[i]);
		}
	buf_puts(b, " }");
}

static void
put_bound(const struct slow *s, struct buf *b, enum tn_rvkind kind, const struct bound *v)
{
	int i;

	buf_putc(b, ' ');
	switch (kind) {
	case TN_R_TENSORS:
		buf_putc(b, '(');
		for (i = 0; i < v->n; i++)
			buf_printf(b, " %u", v->run[i]);
		buf_puts(b, " )");
		break;
	case TN_R_ATTR:
	case TN_R_SEQ:
		put_value(s, b, v->value);
		break;
	case TN_R_CAPTURE:
		put_record(s, b, v->record, v->named);
		break;
	default:
		buf_printf(b, "%u", v->class);
	}
}

/* the variable in this word of a match, or -1 */
static int
var_in(const struct tn_rule *r, const int slot[], int word)
{
	int i;

	for (i = 0; i < r->nvar; i++)
		if (slot[i] == word)
			return i;
	return -1;
}

void
slow_add_row(const struct slow *s, const struct tn_rule *r, const int slot[], const tn_id root[], const struct bound var[],
    struct slow_rows *out)
{
	struct buf b = {0};
	int word, v, i;

	for (i = 0; i < r->narrow; i++)
		buf_printf(&b, i + 1 < r->narrow ? "%u " : "%u:", root[i]);
	for (word = 0; (v = var_in(r, slot, word)) >= 0; word++)
		put_bound(s, &b, (enum tn_rvkind)r->var[v].kind, &var[v]);
	vec_push(&out->at, b.at);
}

uint64_t
slow_named_beside(const struct tn_term *t, int var)
{
	uint64_t named = 0;
	int i;

	for (i = 0; t->capture == var && i < t->nbind; i++)
		named |= UINT64_C(1) << t->bind[i].attr;
	for (i = 0; i < t->nkid; i++)
		named |= slow_named_beside(t->kid[i], var);
	return named;
}

void
slow_add(const struct slow *s, const struct tn_rule *r, const int slot[], const uint32_t row[], const tn_id root[],
    const tn_id *(*run)(const void *arg, uint32_t word, int *n), const void *arg, struct slow_rows *out)
{
	struct bound *var = mem_alloc(VARS * sizeof *var);
	const tn_id *at;
	int i;

	for (i = 0; i < r->nvar; i++) {
		uint32_t word = slot[i] >= 0 ? row[1 + slot[i]] : 0;

		var[i] = (struct bound){.class = word, .value = word, .record = word,
		    .named = slow_named_beside(r->arrow[0].from, i)};
		if (slot[i] >= 0 && r->var[i].kind == TN_R_TENSORS) {
			at = run(arg, word, &var[i].n);
			memcpy(var[i].run, at, (size_t)var[i].n * sizeof *at);
		}
	}
	slow_add_row(s, r, slot, root, var, out);
	mem_free(var);
}

static int
in_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
slow_sort(struct slow_rows *r)
{
	uint32_t i, n = 0;

	if (r->at.n)
		qsort(r->at.at, r->at.n, sizeof *r->at.at, in_order);
	for (i = 0; i < r->at.n; i++)
		if (n && strcmp(r->at.at[n - 1], r->at.at[i]) == 0)
			mem_free(r->at.at[i]);
		else
			r->at.at[n++] = r->at.at[i];
	r->at.n = n;
}

void
slow_free(struct slow_rows *r)
{
	uint32_t i;

	for (i = 0; i < r->at.n; i++)
		mem_free(r->at.at[i]);
	vec_free(&r->at);
}
