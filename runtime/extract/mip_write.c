/* Mixed 0-1 programs as text for other solvers. */
#include <inttypes.h>

#include "base/mem.h"
#include "extract/mip.h"

enum { TERMS_A_LINE = 8 };	/* readers of the LP format do with lines of 255 characters */

static const char *
name(const struct mip *m, uint32_t col, char out[16])
{
	const struct mip_col *c = &m->col.at[col];

	if (c->letter == 'f')
		return m->id;
	snprintf(out, 16, "%c%" PRIu32, c->letter, c->number);
	return out;
}

/* " + 3 x7"; every few terms a new line */
static void
put_term(const struct mip *m, uint32_t col, int64_t coef, uint32_t at, FILE *f)
{
	char text[16];

	if (at && at % TERMS_A_LINE == 0)
		fprintf(f, "\n  ");
	fprintf(f, " %c ", coef < 0 ? '-' : '+');
	if (coef != 1 && coef != -1)
		fprintf(f, "%" PRId64 " ", coef < 0 ? -coef : coef);
	fprintf(f, "%s", name(m, col, text));
}

static void
put_columns(const struct mip *m, const char *title, bool is_binary, FILE *f)
{
	char text[16];
	uint32_t i, n = 0;

	for (i = 0; i < m->col.n; i++) {
		const struct mip_col *c = &m->col.at[i];

		if (!c->is_whole || (c->letter == 'x') != is_binary)
			continue;
		if (n % TERMS_A_LINE == 0)
			fprintf(f, "%s", n ? "\n" : title);
		fprintf(f, " %s", name(m, i, text));
		n++;
	}
	if (n)
		fprintf(f, "\n");
}

void
mip_write_lp(const struct mip *m, FILE *f)
{
	static const char *const sense[] = {[LP_LE] = "<=", [LP_GE] = ">=", [LP_EQ] = "="};
	char text[16];
	uint32_t i, k, n = 0;

	fprintf(f, "\\ %u columns, %u rows; x: a node is chosen, t: place of a class in an order\nMinimize\n cost:", m->col.n, m->row.n);
	for (i = 0; i < m->col.n; i++)
		if (m->col.at[i].cost || m->col.at[i].letter == 'f')
			put_term(m, i, m->col.at[i].cost, n++, f);
	fprintf(f, "\nSubject To\n");
	for (i = 0; i < m->row.n; i++) {
		const struct mip_row *r = &m->row.at[i];

		fprintf(f, " r%" PRIu32 ":", i);
		for (k = 0; k < r->n; k++)
			put_term(m, m->term.at[r->from + k].col, m->term.at[r->from + k].coef, k, f);
		fprintf(f, " %s %" PRId64 "\n", sense[r->sense], r->right);
	}
	fprintf(f, "Bounds\n");
	for (i = 0; i < m->col.n; i++)
		if (m->col.at[i].letter != 'x' || m->col.at[i].upper == 0)
			fprintf(f, " 0 <= %s <= %.15g\n", name(m, i, text), m->col.at[i].upper);
	put_columns(m, "Binaries\n", true, f);
	put_columns(m, "Generals\n", false, f);
	fprintf(f, "End\n");
}

/* ---- MPS ------------------------------------------------------------------------------------------------- */

/* The terms by column: of column c those at[c] … at[c + 1] - 1 in row[] and coef[]. */
struct columns {
	uint32_t *at, *row;
	int64_t *coef;
};

static void
columns_make(struct columns *s, const struct mip *m)
{
	uint32_t i, k, to;

	s->at = mem_alloc(((size_t)m->col.n + 2) * sizeof *s->at);
	s->row = mem_alloc(m->term.n * sizeof *s->row);
	s->coef = mem_alloc(m->term.n * sizeof *s->coef);
	for (i = 0; i < m->term.n; i++)
		s->at[m->term.at[i].col + 2]++;
	for (i = 2; i < m->col.n + 2; i++)
		s->at[i] += s->at[i - 1];
	for (i = 0; i < m->row.n; i++)
		for (k = m->row.at[i].from; k < m->row.at[i].from + m->row.at[i].n; k++) {
			to = s->at[m->term.at[k].col + 1]++;
			s->row[to] = i;
			s->coef[to] = m->term.at[k].coef;
		}
}

static void
columns_free(struct columns *s)
{
	mem_free(s->at);
	mem_free(s->row);
	mem_free(s->coef);
}

/* the columns that are whole, or those that are not */
static void
put_mps_columns(const struct mip *m, const struct columns *s, bool is_whole, FILE *f)
{
	char text[16];
	uint32_t i, k;

	for (i = 0; i < m->col.n; i++) {
		if (m->col.at[i].is_whole != is_whole)
			continue;
		name(m, i, text);
		if (m->col.at[i].cost || s->at[i] == s->at[i + 1])
			fprintf(f, "    %-8s  %-8s  %" PRId64 "\n", name(m, i, text), "cost", m->col.at[i].cost);
		for (k = s->at[i]; k < s->at[i + 1]; k++)
			fprintf(f, "    %-8s  r%-7" PRIu32 "  %" PRId64 "\n", name(m, i, text), s->row[k], s->coef[k]);
	}
}

void
mip_write_mps(const struct mip *m, FILE *f)
{
	static const char sense[] = {[LP_LE] = 'L', [LP_GE] = 'G', [LP_EQ] = 'E'};
	struct columns s;
	char text[16];
	uint32_t i;

	columns_make(&s, m);
	fprintf(f, "* %u columns, %u rows; x: a node is chosen, t: place of a class in an order\n", m->col.n, m->row.n);
	fprintf(f, "NAME          tenon\nROWS\n N  cost\n");
	for (i = 0; i < m->row.n; i++)
		fprintf(f, " %c  r%" PRIu32 "\n", sense[m->row.at[i].sense], i);
	fprintf(f, "COLUMNS\n    MARKER    'MARKER'  'INTORG'\n");
	put_mps_columns(m, &s, true, f);
	fprintf(f, "    MARKER    'MARKER'  'INTEND'\n");
	put_mps_columns(m, &s, false, f);
	fprintf(f, "RHS\n");
	for (i = 0; i < m->row.n; i++)
		if (m->row.at[i].right)
			fprintf(f, "    %-8s  r%-7" PRIu32 "  %" PRId64 "\n", "rhs", i, m->row.at[i].right);
	fprintf(f, "BOUNDS\n");
	for (i = 0; i < m->col.n; i++)
		fprintf(f, " UP %-8s  %-8s  %.15g\n", "limit", name(m, i, text), m->col.at[i].upper);
	fprintf(f, "ENDATA\n");
	columns_free(&s);
}
