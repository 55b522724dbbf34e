/*
 * Rule files as typed rules, and which of them were verified before.
 *
 * What was verified is remembered in the cache, under a name made of the text of all the files: other text, or another
 * version of the checker, is another name.  The file has what is to be said of the rules each time.
 */
#include "base/map.h"
#include "base/mem.h"
#include "gen/compile.h"
#include "gen/seal.h"
#include "tenon/compile.h"

struct tn_rules {
	struct rules r;
};

struct tn_rules *
tn_rules_read(const char *const path[], int npath, const char *include_dir, void *diag, struct tn_error *e)
{
	struct tn_rules *rules = mem_alloc(sizeof *rules);

	rules->r.include_dir = include_dir;
	if (read_rules(&rules->r, path, npath, diag, e))
		return rules;
	tn_rules_free(rules);
	return NULL;
}

const struct tn_program_text *
tn_rules_text(const struct tn_rules *rules)
{
	return &rules->r.text;
}

void
tn_rules_free(struct tn_rules *rules)
{
	rules_free(&rules->r);
	mem_free(rules);
}

/* the file that is there if the rules were verified; NULL: there is no cache */
static const char *
mark_path(const struct tn_rules *rules, struct arena *a, uint64_t key[2])
{
	const struct sources *s = &rules->r.sources;
	struct tn_error unused;
	const char *dir;
	int i;

	key[0] = key[1] = 0;
	if (!cache_dir(a, &dir, &unused))
		return NULL;
	for (i = 0; i < s->n; i++) {
		uint64_t mixed[2] = {key[0], hash_bytes(s->at[i].text, s->at[i].size)};

		key[0] = hash_bytes(mixed, sizeof mixed);
		key[1] += mixed[1] * (uint64_t)(2 * i + 1);
	}
	return arena_printf(a, "%s/%016llx%016llx-%s.verified", dir, (unsigned long long)key[0], (unsigned long long)key[1],
	    TN_VERSION);
}

char *
tn_rules_known(const struct tn_rules *rules)
{
	struct arena a = {0};
	struct buf said = {0};
	uint64_t key[2];
	const char *path = mark_path(rules, &a, key);

	if (!path || !seal_read(path, key, &said))
		buf_free(&said);
	arena_free(&a);
	return said.at;
}

void
tn_rules_remember(const struct tn_rules *rules, const char *said)
{
	struct arena a = {0};
	struct buf text = {0};
	uint64_t key[2];
	const char *path = mark_path(rules, &a, key);

	buf_puts(&text, said);
	if (path)
		seal_write(path, key, &text);
	buf_free(&text);
	arena_free(&a);
}
