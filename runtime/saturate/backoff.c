/*
 * Back-off: a rule with more than 1000 * 2^n matches in an iteration is banned for 5 * 2^n iterations, this
 * one being the first of them, n how often it was banned before; its matches are dropped.  Multi-pattern rules,
 * which take part in few iterations, are not banned.
 */
#include "saturate/run.h"

enum { MATCH_LIMIT = 1000, BAN_LENGTH = 5, MAX_BANS = 32 };

static uint64_t
scaled(uint32_t given, uint32_t otherwise, uint32_t bans)
{
	return (uint64_t)(given ? given : otherwise) << (bans < MAX_BANS ? bans : MAX_BANS);
}

void
backoff_ban(struct run *r)
{
	struct tn_rule_stat *stat;
	uint64_t length;
	uint32_t now;
	int i;

	for (i = 0; i < r->program->nrule; i++) {
		stat = &r->report->rule[i];
		if (!r->rule[i].is_wanted || r->program->rule[i].join ||
		    matches_count(&r->matches[i]) <= scaled(r->limits->match_limit, MATCH_LIMIT, stat->bans))
			continue;
		length = scaled(r->limits->ban_length, BAN_LENGTH, stat->bans);
		now = r->report->niteration - 1;
		r->rule[i].banned_until = length < UINT32_MAX - now ? now + (uint32_t)length : UINT32_MAX;
		stat->bans++;
		r->rule[i].is_wanted = false;
		matches_reset(&r->matches[i]);
	}
}

bool
backoff_is_banned(const struct run *r, int rule)
{
	return r->rule[rule].banned_until > r->report->niteration;
}

/* Nothing changes any more: let the rule with the shortest ban try at once, and the others as much sooner. */
bool
backoff_shorten(struct run *r)
{
	uint32_t now = r->report->niteration - 1, least = UINT32_MAX;
	bool has_any = false;
	int i;

	for (i = 0; i < r->program->nrule; i++)
		if (r->rule[i].banned_until > now) {
			least = r->rule[i].banned_until - now < least ? r->rule[i].banned_until - now : least;
			has_any = true;
		}
	for (i = 0; i < r->program->nrule; i++)
		if (r->rule[i].banned_until > now)
			r->rule[i].banned_until -= least;
	return has_any;
}
