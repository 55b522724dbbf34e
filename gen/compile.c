/*
 * Rules to a loaded program: generate, compile with the system's C compiler, keep, dlopen.
 *
 * The cache's key is all that goes in: the generated text, the headers, the compiler.
 * A file is sealed, written to a temporary and renamed, so that neither two runs at once nor one after a crash meet half a file.
 */
#include "tenon/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "gen/compile.h"
#include "gen/gen.h"
#include "gen/seal.h"

bool
cache_dir(struct arena *a, const char **dir, struct tn_error *e)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *base;

	if (!(xdg && *xdg) && !(home && *home))
		return tn_fail(e, TN_E_IO, "no place for compiled rules: neither XDG_CACHE_HOME nor HOME is set");
	base = xdg && *xdg ? xdg : arena_printf(a, "%s/.cache", home);
	mkdir(base, 0700);
	*dir = arena_printf(a, "%s/tenon", base);
	if (mkdir(*dir, 0700) != 0 && errno != EEXIST)
		return tn_fail(e, TN_E_IO, "%s: %s", *dir, strerror(errno));
	return true;
}

/* the folder that holds tenon/match.h */
static const char *
include_folder(struct arena *a)
{
	static const char *const tail[] = {"../runtime/include", "../../runtime/include", "../../../runtime/include", "../include"};
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

/* In the child: run the compiler, which may be several words ("ccache gcc"), with its messages in `log`. */
static _Noreturn void
exec_compiler(struct arena *a, const char *cc, const char *include, const char *in, const char *out, const char *log)
{
	static const char *const flags[] = {"-std=c11", "-O3", "-fPIC", "-shared", "-ffp-contract=off"};
	VEC(const char *) arg = {0};
	char *words = arena_str(a, cc, strlen(cc)), *save, *word;
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	size_t i;

	for (word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		vec_push(&arg, word);
	for (i = 0; i < sizeof flags / sizeof *flags; i++)
		vec_push(&arg, flags[i]);
	vec_push(&arg, "-I");
	vec_push(&arg, include);
	vec_push(&arg, "-o");
	vec_push(&arg, out);
	vec_push(&arg, in);
	vec_push(&arg, NULL);
	if (fd >= 0) {
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
	}
	execvp(arg.at[0], (char **)arg.at);
	_exit(127);
}

/* The first line of what the compiler said. */
static const char *
first_line(struct arena *a, const char *log)
{
	char line[256] = "";
	FILE *f = fopen(log, "r");

	if (f) {
		if (!fgets(line, sizeof line, f))
			line[0] = '\0';
		fclose(f);
	}
	return arena_str(a, line, strcspn(line, "\n"));
}

static bool
run_compiler(struct arena *a, const char *cc, const char *include, const char *in, const char *out, const char *log,
    struct tn_error *e)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return tn_fail(e, TN_E_IO, "fork: %s", strerror(errno));
	if (pid == 0)
		exec_compiler(a, cc, include, in, out, log);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return tn_fail(e, TN_E_IO, "%s: %s", cc, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return tn_fail(e, TN_E_MISSING, "rules are compiled with the C compiler '%s', which is not there; CC names another", cc);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return tn_fail(e, TN_E_DEFECT, "the C compiler '%s' refuses what was generated from the rules: %s", cc, first_line(a, log));
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

static bool
read_file(const char *path, struct buf *text)
{
	FILE *f = fopen(path, "rb");
	bool ok = f && buf_read(text, f);

	if (f)
		fclose(f);
	return ok;
}

/* The bytes of the headers that generated code is compiled against: other ones, another object. */
static uint64_t
hash_headers(struct arena *a, const char *include)
{
	static const char *const name[] = {"base.h", "op.h", "ctx.h", "egraph.h", "eval.h", "infer.h", "match.h"};
	struct buf text = {0};
	uint64_t hash;
	size_t i;
	FILE *f;

	for (i = 0; i < sizeof name / sizeof *name; i++) {
		f = fopen(arena_printf(a, "%s/tenon/%s", include, name[i]), "r");
		if (!f)
			continue;
		buf_read(&text, f);
		fclose(f);
	}
	hash = hash_bytes(text.at, text.n);
	buf_free(&text);
	return hash;
}

/* The shared object for the text: from the cache, or compiled into it. */
static bool
build(struct arena *a, const struct buf *text, const char **object, struct tn_error *e)
{
	const char *cc = getenv("CC"), *include = include_folder(a), *dir = NULL, *source, *temporary, *log;
	struct buf compiled = {0};
	uint64_t key[2];
	bool ok;

	cc = cc && *cc && cc[strspn(cc, " ")] ? cc : "cc";
	if (!cache_dir(a, &dir, e))
		return false;
	key[0] = hash_bytes(text->at, text->n);
	key[1] = hash_headers(a, include) ^ hash_bytes(cc, strlen(cc));
	*object = arena_printf(a, "%s/%016llx%016llx-%zx.so", dir, (unsigned long long)key[0], (unsigned long long)key[1], text->n);
	ok = seal_read(*object, key, &compiled);
	buf_free(&compiled);
	if (ok)
		return true;
	source = arena_printf(a, "%s/%ld.c", dir, (long)getpid());
	temporary = arena_printf(a, "%s/%ld.so", dir, (long)getpid());
	log = arena_printf(a, "%s/%ld.log", dir, (long)getpid());
	ok = write_file(source, text, e) && run_compiler(a, cc, include, source, temporary, log, e);
	if (ok && !(read_file(temporary, &compiled) && seal_write(*object, key, &compiled)))
		ok = tn_fail(e, TN_E_IO, "%s: %s", *object, strerror(errno));
	buf_free(&compiled);
	unlink(source);
	unlink(log);
	unlink(temporary);
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

bool
read_rules(struct rules *rules, const char *const path[], int npath, void *diag, struct tn_error *e)
{
	bool ok = rules_load(rules, path, npath);

	if (diag)
		diag_print(&rules->diags, diag, false);
	if (!ok && rules->failed)
		return tn_fail(e, TN_E_IO, "%s: %s", rules->failed, rules->why);
	return ok ? true : tn_fail(e, TN_E_INPUT, "the rules are wrong");
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

	if (read_rules(&rules, path, npath, diag, e)) {
		gen_program(&rules, &options, &text, NULL);
		program = build(&a, &text, &object, e) ? load(object, e) : NULL;
	}
	buf_free(&text);
	arena_free(&a);
	rules_free(&rules);
	return program;
}
