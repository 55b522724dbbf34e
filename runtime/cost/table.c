/*
 * A table of measurements, as text:
 *
 *	tenon-costs 1
 *	identity cpu onednn-2.6.3 nhwc 1-thread avx512 25-17-AMD-EPYC-9354
 *	model cpu 1.25
 *	relu f32 [1 8 6 6] -> f32 [1 8 6 6]<TAB>1200<TAB>0.03<TAB>100
 *
 * One file is of one identity: target, library, layout, threads.  `model` names the modelled device for what
 * was not measured, and how many times as long as it things take there.  Then signatures with nanoseconds,
 * relative spread and samples, in the order of their bytes.  A kernel that must not be chosen has TN_SLOWEST_NS.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "cost/cost.h"

struct row {
	const char *signature;
	struct tn_measurement m;
	bool is_new;			/* measured since the table was read */
	double modelled;		/* nanoseconds by the model, unscaled; 0: not asked for */
};

struct table {
	struct buf text;		/* the file, cut into strings */
	struct arena added;		/* what came later */
	const char *identity, *model;
	double scale;
	VEC(struct row) row;
};

/* The file being read, line by line. */
struct lines {
	const char *path;
	char *next;			/* NULL: no more */
	unsigned number;
	struct tn_error *error;
};

static bool
fail(const struct lines *l, const char *what)
{
	return tn_fail(l->error, TN_E_INPUT, "%s:%u: %s", l->path, l->number, what);
}

/* the next line without its end; NULL: there is none */
static char *
next_line(struct lines *l)
{
	char *line = l->next, *end;

	l->number++;
	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	l->next = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return line;
}

/* ---- head ------------------------------------------------------------------------------------------------- */

/* what follows the word at the beginning of the line; NULL: it begins otherwise */
static char *
after_word(char *line, const char *word)
{
	size_t n = strlen(word);

	return line && strncmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

static bool
read_identity(struct table *t, struct lines *l, const char *target)
{
	size_t n;

	t->identity = after_word(next_line(l), "identity");
	n = t->identity ? strcspn(t->identity, " ") : 0;
	if (n == 0)
		return fail(l, "'identity TARGET …' is wanted here");
	if (target && (strlen(target) != n || memcmp(target, t->identity, n) != 0))
		return tn_fail(l->error, TN_E_INPUT, "%s:%u: these costs are of '%s', not of target '%s'", l->path, l->number,
		    t->identity, target);
	return true;
}

static bool
read_model(struct table *t, struct lines *l)
{
	char *at = after_word(next_line(l), "model"), *space = at ? strchr(at, ' ') : NULL, *end;

	if (!space)
		return fail(l, "'model DEVICE SCALE' is wanted here");
	*space = '\0';
	t->model = at;
	t->scale = strtod(space + 1, &end);
	return (end != space + 1 && !*end && t->scale > 0 && t->scale <= 1e6) || fail(l, "the scale is no number above 0");
}

static bool
read_head(struct table *t, struct lines *l, const char *target)
{
	char *first = next_line(l);

	if (!first || strcmp(first, "tenon-costs 1") != 0)
		return fail(l, "this is no table of costs: 'tenon-costs 1' is wanted here");
	return read_identity(t, l, target) && read_model(t, l);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

/* the field up to the next tab, which it ends; NULL: there is no tab */
static char *
cut_field(char **at)
{
	char *field = *at, *tab = strchr(field, '\t');

	if (!tab)
		return NULL;
	*tab = '\0';
	*at = tab + 1;
	return field;
}

/* a whole number from least on */
static bool
read_count(const char *text, int64_t least, int64_t *out)
{
	char *end;

	errno = 0;
	if (*text < '0' || *text > '9')
		return false;
	*out = strtoll(text, &end, 10);
	return !errno && !*end && *out >= least && *out <= INT64_C(1000000000000000);
}

/* the line, which it cuts apart, as a row; NULL, or what is wrong with it */
static const char *
parse_row(char *line, struct row *row)
{
	char *signature = cut_field(&line), *ns = signature ? cut_field(&line) : NULL, *spread = ns ? cut_field(&line) : NULL, *end;

	if (!spread || strchr(line, '\t'))
		return "a line is: signature, nanoseconds, spread, samples, with tabs between them";
	*row = (struct row){.signature = signature};
	if (!*signature)
		return "the signature is empty";
	if (!read_count(ns, 0, &row->m.ns))
		return "nanoseconds are a whole number";
	row->m.spread = strtod(spread, &end);
	if (end == spread || *end || !isfinite(row->m.spread) || row->m.spread < 0)
		return "the spread is a number, at least 0";
	return read_count(line, 1, &row->m.samples) ? NULL : "samples are a whole number, at least 1";
}

static bool
read_row(struct table *t, struct lines *l, char *line)
{
	struct row row;
	const char *wrong = parse_row(line, &row);

	if (wrong)
		return fail(l, wrong);
	if (t->row.n && strcmp(t->row.at[t->row.n - 1].signature, row.signature) >= 0)
		return fail(l, "signatures must stand in order, each once");
	vec_push(&t->row, row);
	return true;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* up to the first zero, which no text has: a device may have no end */
static bool
read_text(FILE *f, struct buf *b)
{
	char part[1 << 14];
	size_t n;

	while ((n = fread(part, 1, sizeof part, f)) > 0) {
		buf_put(b, part, n);
		if (memchr(part, '\0', n))
			break;
	}
	return !ferror(f);
}

static bool
read_file(const char *path, struct buf *b, struct tn_error *e)
{
	FILE *f = fopen(path, "rb");
	bool ok;

	if (!f)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	ok = read_text(f, b) || tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	fclose(f);
	buf_putc(b, '\0');
	return ok && (strlen(b->at) == b->n - 1 || tn_fail(e, TN_E_INPUT, "%s: this is no text", path));
}

struct table *
table_read(const char *path, const char *target, struct tn_error *e)
{
	struct table *t = mem_alloc(sizeof *t);
	struct lines l = {.path = path, .error = e};
	char *line;
	bool ok = read_file(path, &t->text, e);

	l.next = t->text.at;
	ok = ok && read_head(t, &l, target);
	while (ok && (line = next_line(&l)))
		ok = read_row(t, &l, line);
	if (ok)
		return t;
	table_free(t);
	return NULL;
}

void
table_free(struct table *t)
{
	if (!t)
		return;
	buf_free(&t->text);
	arena_free(&t->added);
	vec_free(&t->row);
	mem_free(t);
}

const char *
table_identity(const struct table *t)
{
	return t->identity;
}

const char *
table_model(const struct table *t, double *scale)
{
	*scale = t->scale;
	return t->model;
}

/* where the signature's line is, or would be */
static uint32_t
place_of(const struct table *t, const char *signature, bool *is_there)
{
	uint32_t low = 0, high = t->row.n, middle;
	int order;

	*is_there = false;
	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(t->row.at[middle].signature, signature);
		if (order == 0) {
			*is_there = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
table_find(const struct table *t, const char *signature, int64_t *ns, bool *is_new)
{
	bool is_there;
	uint32_t i = place_of(t, signature, &is_there);

	if (is_there) {
		*ns = t->row.at[i].m.ns;
		*is_new = t->row.at[i].is_new;
	}
	return is_there;
}

/* ---- tables as data ---------------------------------------------------------------------------------------------- */

struct table *
table_of(const struct tn_costs_table *given)
{
	struct table *t = mem_alloc(sizeof *t);
	uint32_t i;

	t->identity = given->identity;
	t->model = given->model;
	t->scale = given->scale;
	for (i = 0; i < given->nline; i++)
		vec_push(&t->row, ((struct row){.signature = given->line[i].signature, .m = given->line[i].m}));
	return t;
}

/* what tn_costs_table_read gives, with what it lies in */
struct read_table {
	struct tn_costs_table table;	/* first */
	struct table *from;
	struct tn_costs_line *line;
};

struct tn_costs_table *
tn_costs_table_read(const char *path, const char *target, struct tn_error *e)
{
	struct table *from = table_read(path, target, e);
	struct read_table *t;
	uint32_t i;

	if (!from)
		return NULL;
	t = mem_alloc(sizeof *t);
	t->from = from;
	t->line = mem_alloc(((size_t)from->row.n + 1) * sizeof *t->line);
	for (i = 0; i < from->row.n; i++)
		t->line[i] = (struct tn_costs_line){from->row.at[i].signature, from->row.at[i].m};
	t->table = (struct tn_costs_table){from->identity, from->model, from->scale, from->row.n, t->line};
	return &t->table;
}

void
tn_costs_table_free(struct tn_costs_table *table)
{
	struct read_table *t = (struct read_table *)table;

	if (!t)
		return;
	table_free(t->from);
	mem_free(t->line);
	mem_free(t);
}

/* ---- tables that grow ------------------------------------------------------------------------------------------- */

struct table *
table_new(const char *identity, const char *model)
{
	struct table *t = mem_alloc(sizeof *t);

	t->identity = arena_str(&t->added, identity, strlen(identity));
	t->model = arena_str(&t->added, model, strlen(model));
	t->scale = 1;
	return t;
}

bool
table_put(struct table *t, const char *signature, const struct tn_measurement *m, bool is_new)
{
	bool is_there;
	uint32_t i = place_of(t, signature, &is_there);
	struct row row = {.signature = arena_str(&t->added, signature, strlen(signature)), .m = *m, .is_new = is_new};

	if (is_there)
		return false;
	vec_push(&t->row, row);
	memmove(&t->row.at[i + 1], &t->row.at[i], (size_t)(t->row.n - 1 - i) * sizeof row);
	t->row.at[i] = row;
	return true;
}

const char *
table_put_text(struct table *t, char *line)
{
	struct row row;
	const char *wrong = parse_row(line, &row);

	if (!wrong)
		table_put(t, row.signature, &row.m, false);
	return wrong;
}

const char *
table_line(const struct table *t, uint32_t i, struct tn_measurement *m)
{
	if (i >= t->row.n)
		return NULL;
	*m = t->row.at[i].m;
	return t->row.at[i].signature;
}

void
table_note_model(struct table *t, const char *signature, double modelled_ns)
{
	bool is_there;
	uint32_t i = place_of(t, signature, &is_there);

	if (is_there)
		t->row.at[i].modelled = modelled_ns;
}

/* what must never be chosen says nothing */
double
table_scale(const struct table *t)
{
	double *ratio = mem_alloc(((size_t)t->row.n + 1) * sizeof *ratio), scale = t->scale;
	uint32_t i, n = 0;

	for (i = 0; i < t->row.n; i++)
		if (t->row.at[i].modelled > 0 && t->row.at[i].m.ns > 0 && t->row.at[i].m.ns < TN_SLOWEST_NS)
			ratio[n++] = (double)t->row.at[i].m.ns / t->row.at[i].modelled;
	if (n) {
		qsort(ratio, n, sizeof *ratio, num_by_value);
		scale = ratio[n / 2];
	}
	mem_free(ratio);
	return scale > 1e6 ? 1e6 : scale < 1e-6 ? 1e-6 : scale;
}

void
table_write(const struct table *t, FILE *f)
{
	uint32_t i;

	fprintf(f, "tenon-costs 1\nidentity %s\nmodel %s %.4g\n", t->identity, t->model, table_scale(t));
	for (i = 0; i < t->row.n; i++)
		fprintf(f, "%s\t%" PRId64 "\t%.3g\t%" PRId64 "\n", t->row.at[i].signature, t->row.at[i].m.ns, t->row.at[i].m.spread,
		    t->row.at[i].m.samples);
}
