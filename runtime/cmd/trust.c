/* Rules of the user's are checked before a model is changed by them; what was checked once is remembered. */
#include <math.h>

#include "base/buf.h"
#include "base/dtype.h"
#include "base/vec.h"
#include "cmd/cmd.h"
#include "cmd/trust.h"
#include "tenon/compile.h"
#include "tenon/verify.h"

/* ", and in i32 i64 u8 bool" */
static void
put_types(const struct tn_verdict *v, FILE *f)
{
	unsigned i;

	for (i = 0; v->types >> i; i++)
		if (v->types >> i & 1)
			fprintf(f, "%s %s", v->types & ((1u << i) - 1) ? "" : ", and in", dtype_name((enum tn_dtype)i));
}

void
verdict_print(const struct tn_rule *r, const struct tn_verdict *v, FILE *f)
{
	fprintf(f, "%s:%d: %s: ", r->file, r->line, r->name);
	switch (v->kind) {
	case TN_HOLDS:
		fprintf(f, "holds on %u instances (%s)", v->ninstance, v->domain);
		if (v->log2_accept < 0)
			fprintf(f, ", false-accept probability at most 2^%.0f", ceil(v->log2_accept));
		break;
	case TN_TESTED:
		fprintf(f, "tested in double on %u instances: it needs facts of the reals that no exact domain has", v->ninstance);
		break;
	case TN_REFUTED:
		fprintf(f, "refuted\n%s", v->text);
		return;
	case TN_UNCHECKABLE:
		fprintf(f, "not checkable: %s%s", v->text, r->is_trusted ? " (trusted)" : "");
		break;
	case TN_NO_INSTANCE:
		fprintf(f, "no instance: %s", v->text);
		break;
	}
	put_types(v, f);
	if (v->given)
		fprintf(f, ", given %s", v->given);
	if (v->unmet)
		fprintf(f, "; no instance had %s", v->unmet);
	putc('\n', f);
	if (v->nunlike)
		fprintf(f, "    its sides have different shapes, and it does not apply, in %u of %u tries:\n%s", v->nunlike, v->ntry,
		    v->unlike);
}

/* how many of the rules are refuted; those and what could not be checked are said, and those that were not are listed */
static int
check_all(const struct tn_program_text *text, struct buf *unchecked)
{
	struct tn_verify_options how = {.seed = 1};
	int i, refuted = 0;

	for (i = 0; i < text->nrule && !interrupted; i++) {
		const struct tn_rule *r = &text->rule[i];
		struct tn_verdict v = tn_verify_rule(text, r, &how);

		refuted += v.kind == TN_REFUTED;
		if (v.kind == TN_REFUTED || v.kind == TN_NO_INSTANCE || (v.kind == TN_UNCHECKABLE && !r->is_trusted))
			verdict_print(r, &v, stderr);
		if (v.kind == TN_UNCHECKABLE || v.kind == TN_NO_INSTANCE)
			buf_printf(unchecked, "%s%s%s", unchecked->n ? ", " : "", r->name, v.kind == TN_NO_INSTANCE ? " (no instance)" :
			    r->is_trusted ? " (trusted)" : "");
		tn_verdict_free(&v);
	}
	return refuted;
}

bool
trust_rules(const struct rule_options *o, char **unchecked, struct tn_error *e)
{
	VEC(const char *) path = {0};
	struct buf said = {0};
	struct tn_rules *rules;
	uint32_t i;
	int refuted = 0;

	for (i = 0; i < o->rules.n; i++)
		vec_push(&path, o->rules.at[i]);
	for (i = 0; i < o->add_rules.n; i++)
		vec_push(&path, o->add_rules.at[i]);
	*unchecked = NULL;
	if (path.n == 0)
		return true;
	rules = tn_rules_read(path.at, (int)path.n, program_rules_dir(), NULL, e);
	vec_free(&path);
	if (!rules)
		return false;
	*unchecked = tn_rules_known(rules);
	if (!*unchecked) {
		buf_puts(&said, "");
		refuted = check_all(tn_rules_text(rules), &said);
		if (!refuted && !interrupted)
			tn_rules_remember(rules, said.at);
		*unchecked = said.at;
	}
	tn_rules_free(rules);
	if (interrupted)
		return tn_fail(e, TN_E_INTERRUPT, "interrupted while the rules were being checked");
	return refuted == 0 ? true : tn_fail(e, TN_E_INPUT, "%d rule%s not hold; --unsafe-rules uses them all the same", refuted,
	    refuted == 1 ? " does" : "s do");
}
