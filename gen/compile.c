/*
 * Rules to a loaded program: generate, compile with the system's C compiler, keep, dlopen.
 *
 * The cache's key is the generated text, which holds the rules and the ABI, and what compiles it.
 * A file is written to a temporary and renamed, so that two runs at once do not meet half a file.
 */
#include "tenon/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "gen/gen.h"

/* the folder, made if it is not there */
static bool
cache_dir(struct arena *a, const char **dir, struct tn_error *e)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *base;

	if (!(xdg && *xdg) && !(home && *home))
		return tn_fail(e, TN_E_IO, "no place for compiled rules: neither XDG_CACHE_HOME nor HOME is set");
	base = xdg && *xdg ? xdg : arena_printf(a, "%s/.cache", home);
	mkdir(base, 0777);
	*dir = arena_printf(a, "%s/tenon", base);
	if (mkdir(*dir, 0777) != 0 && errno != EEXIST)
		return tn_fail(e, TN_E_IO, "%s: %s", *dir, strerror(errno));
	return true;
}

/* the folder that holds tenon/match.h */
static const char *
include_folder(struct arena *a)
{
	static const char *const tail[] = {"../runtime/include", "../../runtime/include", "../include"};
	const char *given = getenv("TENON_INCLUDE"), *dir;
	char self[4096], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	size_t i;

	if (given && *given)
		return given;
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	for (i = 0; slash && i < sizeof tail / sizeof *tail; i++) {
		dir = arena_printf(a, "%.*s/%s", (int)(slash - self), self, tail[i]);
		if (access(arena_printf(a, "%s/tenon/match.h", dir), R_OK) == 0)
			return dir;
	}
	return "/usr/local/include";
}

/* run the compiler, without a shell; its messages go where ours go */
static bool
run_compiler(const char *cc, const char *include, const char *in, const char *out, struct tn_error *e)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return tn_fail(e, TN_E_IO, "fork: %s", strerror(errno));
	if (pid == 0) {
		execlp(cc, cc, "-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-I", include, "-o", out, in, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return tn_fail(e, TN_E_IO, "%s: %s", cc, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return tn_fail(e, TN_E_MISSING, "rules are compiled with the C compiler '%s', which is not there; CC names another", cc);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return tn_fail(e, TN_E_DEFECT, "the C compiler refuses what was generated from the rules");
	return true;
}

static bool
write_file(const char *path, const struct buf *text, struct tn_error *e)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(text->at, 1, text->n, f) == text->n;

	if (f && fclose(f) != 0)
		ok = false;
	return ok ? true : tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
}

/* the shared object for the text: from the cache, or compiled into it */
static bool
build(struct arena *a, const struct buf *text, const char **object, struct tn_error *e)
{
	const char *cc = getenv("CC"), *include = include_folder(a), *dir = NULL, *source, *temporary;
	uint64_t key = hash_bytes(text->at, text->n);
	bool ok;

	cc = cc && *cc ? cc : "cc";
	key ^= hash_bytes(include, strlen(include)) * 3 ^ hash_bytes(cc, strlen(cc)) * 5;
	if (!cache_dir(a, &dir, e))
		return false;
	*object = arena_printf(a, "%s/%016llx-%zx.so", dir, (unsigned long long)key, text->n);
	if (access(*object, R_OK) == 0)
		return true;
	source = arena_printf(a, "%s/%ld.c", dir, (long)getpid());
	temporary = arena_printf(a, "%s/%ld.so", dir, (long)getpid());
	ok = write_file(source, text, e) && run_compiler(cc, include, source, temporary, e);
	if (ok && rename(temporary, *object) != 0)
		ok = tn_fail(e, TN_E_IO, "%s: %s", *object, strerror(errno));
	unlink(source);
	return ok;
}

static const struct tn_program *
load(const char *object, struct tn_error *e)
{
	void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
	const struct tn_program *program = handle ? dlsym(handle, "tn_rules") : NULL;

	if (!program) {
		tn_fail(e, TN_E_DEFECT, "compiled rules do not load: %s", dlerror());
		return NULL;
	}
	if (program->abi != TN_MATCH_ABI) {
		tn_fail(e, TN_E_DEFECT, "compiled rules are for ABI %u, not %u", program->abi, TN_MATCH_ABI);
		return NULL;
	}
	return program;
}

const struct tn_program *
tn_program_load(const char *const path[], int npath, const char *include_dir, void *diag, struct tn_error *e)
{
	struct gen_options options = {.name = "rules", .out = "rules.c", .no_lines = true};
	struct rules rules = {.include_dir = include_dir};
	const struct tn_program *program = NULL;
	struct buf text = {0};
	struct arena a = {0};
	const char *object;
	bool ok = rules_load(&rules, path, npath);

	if (diag)
		diag_print(&rules.diags, diag, false);
	if (!ok && rules.failed)
		tn_fail(e, TN_E_IO, "%s: %s", rules.failed, rules.why);
	else if (!ok)
		tn_fail(e, TN_E_INPUT, "the rules are wrong");
	if (ok) {
		gen_program(&rules, &options, &text, NULL);
		program = build(&a, &text, &object, e) ? load(object, e) : NULL;
	}
	buf_free(&text);
	arena_free(&a);
	rules_free(&rules);
	return program;
}
