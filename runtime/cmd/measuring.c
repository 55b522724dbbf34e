/* Measuring on the way; see measuring.h. */
#include <string.h>

#include "base/clock.h"
#include "cmd/cmd.h"
#include "cmd/measuring.h"
#include "cmd/progress.h"

static bool
is_mine(const struct measuring *m, const char *signature)
{
	return m->nshard == 0 || hash_bytes(signature, strlen(signature)) % m->nshard == m->shard;
}

static void
show_progress(const struct measuring *m)
{
	double past = clock_now() - m->start;
	uint32_t done = m->measured + m->refused;

	progress_show("%u operators measured, %u left, about %.0f s", m->measured, m->left, done ? past / done * m->left : 0);
}

/* asked how many there are, or to measure; each signature once */
static bool
measure(void *arg, const char *signature, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[], struct tn_measurement *to)
{
	struct measuring *m = arg;
	struct tn_error e = {0};
	bool is_new;
	uint32_t *state;

	if (!is_mine(m, signature) || interrupted || m->failure.code)
		return false;
	state = map_put(&m->missing, signature, strlen(signature), 0, &is_new);
	if (m->is_counting) {
		m->left += is_new;
		return false;
	}
	if (*state)
		return false;
	*state = 1;
	m->left -= m->left > 0;
	show_progress(m);
	if (!tn_target_measure(m->target, m->ctx, op, attrs, in, nin, out, sizes, to, &e)) {
		if (e.code != TN_E_INPUT)
			m->failure = e;
		m->refused++;
		return false;
	}
	m->measured++;
	return !m->journal || journal_add(m->journal, signature, to, &m->failure);
}

void
measuring_start(struct measuring *m, struct tn_costs *costs)
{
	m->start = clock_now();
	tn_costs_measure(costs, measure, m);
}

bool
measuring_all(struct measuring *m, struct tn_costs *costs, struct tn_tensors *t, const sizes_list *sizes,
    const struct tn_pricing *how, struct tn_error *e)
{
	uint32_t i;
	int pass;

	map_free(&m->missing);
	m->missing = (struct map){0};
	m->left = 0;
	for (pass = 0; pass < 2; pass++) {
		m->is_counting = pass == 0;
		for (i = 0; i < sizes->n; i++)
			tn_priced_free(tn_costs_egraph(costs, t, sizes->at[i], how));
	}
	if (m->failure.code)
		*e = m->failure;
	return !m->failure.code;
}

void
measuring_end(struct measuring *m)
{
	if (m->journal)
		journal_close(m->journal);
	map_free(&m->missing);
}
