/* Choosing the program and switching its rules; see program.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/program.h"
#include "tenon/compile.h"

/* files of the standard rules, in the order in which they are built in */
static const char *const standard[] = {
	"tensor.rules", "targets.rules", "arith.rules", "activation.rules", "linear.rules", "norm.rules", "geometry.rules",
	"order.rules", "algebra.rules", "join.rules", "siblings.rules",
};

const char *
program_rules_dir(void)
{
	static char dir[4096 + 64];
	const char *tail[] = {"../rules", "../../rules", "../share/tenon/rules"};
	char *given = getenv("TENON_RULES"), self[4096], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	struct stat st;
	size_t i;

	if (given)
		return given;
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	for (i = 0; slash && i < sizeof tail / sizeof *tail; i++) {
		snprintf(dir, sizeof dir, "%.*s/%s", (int)(slash - self), self, tail[i]);
		if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode))
			return dir;
	}
	return NULL;
}

const struct tn_program *
program_choose(const struct rule_options *o, struct tn_error *e)
{
	const struct tn_program *program;
	const char *dir = program_rules_dir();
	strings paths = {0};
	uint32_t i;
	char *path;

	if (!o->rules.n && !o->add_rules.n)
		return &tn_builtin;
	if (!o->rules.n && !dir) {
		tn_fail(e, TN_E_IO, "the standard rules were not found; TENON_RULES names their folder");
		return NULL;
	}
	for (i = 0; !o->rules.n && i < sizeof standard / sizeof *standard; i++) {
		path = mem_alloc(strlen(dir) + strlen(standard[i]) + 2);
		sprintf(path, "%s/%s", dir, standard[i]);
		vec_push(&paths, path);
	}
	for (i = 0; i < o->rules.n; i++)
		vec_push(&paths, o->rules.at[i]);
	for (i = 0; i < o->add_rules.n; i++)
		vec_push(&paths, o->add_rules.at[i]);
	program = tn_program_load(paths.at, (int)paths.n, dir, stderr, e);
	for (i = 0; !o->rules.n && i < sizeof standard / sizeof *standard; i++)
		mem_free((char *)paths.at[i]);
	vec_free(&paths);
	return program;
}

/* set on[] to `value` for the rules that match one of the globs; false, said, for one that matches none */
static bool
set_matching(const struct tn_program *p, const strings *globs, bool on[], bool value, struct tn_error *e)
{
	uint32_t i;
	int r;
	bool any;

	for (i = 0; i < globs->n; i++) {
		any = false;
		for (r = 0; r < p->nrule; r++)
			if (glob_matches(globs->at[i], p->rule[r].name)) {
				on[r] = value;
				any = true;
			}
		if (!any)
			return tn_fail(e, TN_E_IO, "no rule is called '%s'", globs->at[i]);
	}
	return true;
}

bool *
program_switches(const struct tn_program *p, const struct rule_options *o, struct tn_error *e)
{
	bool *on = mem_alloc((size_t)p->nrule + 1);
	int r;

	for (r = 0; r < p->nrule; r++)
		on[r] = !o->none && !o->only.n && !p->rule[r].is_off && !p->rule[r].is_axiom;
	if (set_matching(p, &o->only, on, true, e) && set_matching(p, &o->enable, on, true, e) &&
	    set_matching(p, &o->disable, on, false, e))
		return on;
	mem_free(on);
	return NULL;
}
