/* tenon verify: does each rule of the files hold? */
#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/dtype.h"
#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/trust.h"
#include "tenon/compile.h"

static uint64_t instances, seed = 1;
static const char *json_path;
static bool verbose;
static strings only;

static const struct option_row rows[] = {
	{0, "instances", "N", "check each rule on at least N instances (8)", OPT_COUNT, &instances},
	{0, "seed", "N", "draw other instances (1)", OPT_COUNT, &seed},
	{0, "only", "GLOB", "only rules whose name matches", OPT_LIST, &only},
	{0, "json", "FILE", "write the verdicts as JSON", OPT_TEXT, &json_path},
	{'v', "verbose", NULL, "print a line for each rule, those that hold too", OPT_FLAG, &verbose},
	{0},
};

static const struct command_line line = {"verify", "RULES…", "Check rules against the definitions of their operators.", rows};

/* what the verdicts come to */
struct tally {
	uint32_t kind[TN_NO_INSTANCE + 1], nrule;
	double seconds, log2_accept;
	FILE *json, *people;
};

enum { INSTANCES_MOST = 1000000 };

static const char *const word[] = {
	[TN_HOLDS] = "holds", [TN_TESTED] = "tested", [TN_REFUTED] = "refuted", [TN_UNCHECKABLE] = "not checkable",
	[TN_NO_INSTANCE] = "no instance",
};

/* "types": ["i32", "i64"] */
static void
write_types(FILE *f, uint32_t types)
{
	unsigned i;

	fputs(", \"types\": [", f);
	for (i = 0; types >> i; i++)
		if (types >> i & 1)
			fprintf(f, "%s\"%s\"", types & ((1u << i) - 1) ? ", " : "", dtype_name((enum tn_dtype)i));
	putc(']', f);
}

/* ", name: text", if there is one */
static void
put_text(FILE *f, const char *name, const char *text)
{
	if (!text)
		return;
	fprintf(f, ", \"%s\": ", name);
	json_string(f, text);
}

static void
write_verdict(struct tally *t, const struct tn_rule *r, const struct tn_verdict *v)
{
	fputs(t->nrule > 1 ? ",\n {\"rule\": " : "\n {\"rule\": ", t->json);
	json_string(t->json, r->name);
	fputs(", \"file\": ", t->json);
	json_string(t->json, r->file);
	fprintf(t->json, ", \"line\": %d, \"verdict\": \"%s\", \"instances\": %u, \"trusted\": %s", r->line, word[v->kind], v->ninstance,
	    r->is_trusted ? "true" : "false");
	if (v->kind == TN_HOLDS && v->log2_accept < 0)
		fprintf(t->json, ", \"log2_false_accept\": %.1f", v->log2_accept);
	put_text(t->json, "domain", v->domain);
	if (v->types)
		write_types(t->json, v->types);
	put_text(t->json, "given", v->given);
	put_text(t->json, "text", v->text);
	put_text(t->json, "unmet", v->unmet);
	put_text(t->json, "covered", v->covered);
	put_text(t->json, "joint", v->joint);
	put_text(t->json, "apart", v->apart);
	if (v->nunlike) {
		fprintf(t->json, ", \"tries\": %u, \"unlike\": %u, \"unlike_shapes\": ", v->ntry, v->nunlike);
		json_string(t->json, v->unlike);
	}
	putc('}', t->json);
}

/* is there a rule to be checked, or nothing that says which? */
static bool
is_any_chosen(const struct tn_program_text *text)
{
	int i;

	for (i = 0; i < text->nrule && !globs_match(&only, text->rule[i].name); i++)
		;
	return i < text->nrule || only.n == 0;
}

static void
verify_one(struct tally *t, const struct tn_program_text *text, const struct tn_rule *r)
{
	struct tn_verify_options o = {.instances = (uint32_t)instances, .seed = seed};
	double start = clock_now();
	struct tn_verdict v = tn_verify_rule(text, r, &o);
	bool is_quiet = v.kind <= TN_TESTED || (v.kind == TN_UNCHECKABLE && r->is_trusted);

	t->seconds += clock_now() - start;
	t->nrule++;
	t->kind[v.kind]++;
	if (v.kind == TN_HOLDS && v.log2_accept < 0 && (t->log2_accept == 0 || v.log2_accept > t->log2_accept))
		t->log2_accept = v.log2_accept;
	if (verbose || !is_quiet || v.unmet || v.nunlike)
		verdict_print(r, &v, t->people);
	if (verbose && v.covered)
		fputs(v.covered, t->people);
	if (verbose && v.joint)
		fputs(v.joint, t->people);
	if (t->json)
		write_verdict(t, r, &v);
	tn_verdict_free(&v);
}

/* refuted rules and those without an instance are wrong; the others are told */
static int
summary(const struct tally *t)
{
	FILE *f = t->people;

	fprintf(f, "%u rules: %u hold", t->nrule, t->kind[TN_HOLDS]);
	if (t->log2_accept < 0)
		fprintf(f, " (false-accept probability at most 2^%.0f each)", ceil(t->log2_accept));
	fprintf(f, ", %u tested in double, %u refuted, %u not checkable, %u without instance; %.0f ms a rule\n", t->kind[TN_TESTED],
	    t->kind[TN_REFUTED], t->kind[TN_UNCHECKABLE], t->kind[TN_NO_INSTANCE], t->nrule ? 1e3 * t->seconds / t->nrule : 0.0);
	return t->kind[TN_REFUTED] || t->kind[TN_NO_INSTANCE] ? EXIT_INPUT : EXIT_DONE;
}

int
cmd_verify(int argc, char **argv)
{
	const struct tn_program_text *text;
	struct tn_rules *rules;
	struct tally t = {.people = stdout};
	struct operands paths;
	struct tn_error e;
	char *temporary = NULL;
	int status = options_parse(&line, argc, argv, &paths), i;

	if (status >= 0)
		return status;
	if (!paths.n)
		return usage_error("verify", "which rules? name their files");
	if (instances > INSTANCES_MOST)
		return usage_error("verify", "'--instances': %d at most, not %" PRIu64, INSTANCES_MOST, instances);
	for (i = 0; i < (int)paths.n; i++)
		if ((status = check_outputs("verify", paths.at[i], (const char *const[]){json_path}, 1)) >= 0)
			return status;
	t.people = report_stream((const char *const[]){json_path}, 1);
	rules = tn_rules_read((const char *const *)paths.at, (int)paths.n, program_rules_dir(), stderr, &e);
	if (!rules)
		return fail(&e);
	text = tn_rules_text(rules);
	if (!is_any_chosen(text)) {
		tn_rules_free(rules);
		return usage_error("verify", "no rule's name matches --only");
	}
	t.json = json_path ? output_open(json_path, &temporary, &e) : NULL;
	if (json_path && !t.json) {
		tn_rules_free(rules);
		return fail(&e);
	}
	if (t.json)
		fputs("[", t.json);
	catch_interrupts();
	for (i = 0; i < text->nrule && !interrupted; i++)
		if (globs_match(&only, text->rule[i].name))
			verify_one(&t, text, &text->rule[i]);
	status = interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
	if (t.json) {
		fputs("\n]\n", t.json);
		if (!output_close(t.json, json_path, temporary, &e))
			status = fail(&e);
	}
	i = summary(&t);
	tn_rules_free(rules);
	return status ? status : i;
}
