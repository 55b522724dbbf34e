/* Choosing the program and switching its rules; see program.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/program.h"
#include "tenon/compile.h"

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

/* Paths of the standard rules: DIR/standard names their files, one a line, in the order in which they are built in.  The
   caller frees each. */
static bool
standard_paths(const char *dir, strings *paths, struct tn_error *e)
{
	char *line = NULL, *list = mem_alloc(strlen(dir) + sizeof "/standard"), *path;
	size_t room = 0;
	ssize_t n;
	FILE *f;

	sprintf(list, "%s/standard", dir);
	f = fopen(list, "r");
	if (!f)
		tn_fail(e, TN_E_IO, "%s: %s", list, strerror(errno));
	while (f && (n = getline(&line, &room, f)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		path = mem_alloc(strlen(dir) + strlen(line) + 2);
		sprintf(path, "%s/%s", dir, line);
		vec_push(paths, path);
	}
	free(line);
	mem_free(list);
	if (f)
		fclose(f);
	return f != NULL;
}

const struct tn_program *
program_choose(const struct rule_options *o, struct tn_error *e)
{
	const struct tn_program *program = NULL;
	const char *dir = program_rules_dir();
	strings paths = {0};
	uint32_t i, nown = 0;

	if (!o->rules.n && !o->add_rules.n)
		return &tn_builtin;
	if (!o->rules.n && !dir) {
		tn_fail(e, TN_E_IO, "the standard rules were not found; TENON_RULES names their folder");
		return NULL;
	}
	if (o->rules.n || standard_paths(dir, &paths, e)) {
		nown = o->rules.n ? 0 : paths.n;
		for (i = 0; i < o->rules.n; i++)
			vec_push(&paths, o->rules.at[i]);
		for (i = 0; i < o->add_rules.n; i++)
			vec_push(&paths, o->add_rules.at[i]);
		program = tn_program_load(paths.at, (int)paths.n, dir, stderr, e);
	}
	for (i = 0; i < nown; i++)
		mem_free((char *)paths.at[i]);
	vec_free(&paths);
	return program;
}

/* Where it fails behind a star the star takes one more character: the last one will do, as it can take what others could. */
static bool
glob_matches(const char *glob, const char *name)
{
	const char *star = NULL, *taken = NULL;

	while (*name || *glob == '*') {
		if (*glob == '*') {
			star = glob++;
			taken = name;
		} else if (*glob && (*glob == '?' || *glob == *name)) {
			glob++;
			name++;
		} else if (star) {
			glob = star + 1;
			name = ++taken;
		} else {
			return false;
		}
	}
	return !*glob;
}

bool
globs_match(const strings *globs, const char *name)
{
	uint32_t i;

	for (i = 0; i < globs->n && !glob_matches(globs->at[i], name); i++)
		;
	return i < globs->n || globs->n == 0;
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
