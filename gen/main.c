/* tenonc: rule files to C. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "dsl/sexp.h"
#include "gen/gen.h"

enum { DONE, BAD_INPUT, USAGE };

struct options {
	VEC(const char *) file, map;
	const char *out, *dump, *name, *costs, *target;
	bool no_lines, format, check;
};

static const char help[] =
    "usage: tenonc [options] FILE.rules ... -o OUT.c\n"
    "       tenonc [--costs FILE] [--target NAME] [FILE.rules ...] -o OUT.c\n"
    "       tenonc -d ast|typed|plan|tree FILE.rules ...\n"
    "       tenonc --format FILE.rules\n"
    "       tenonc --check FILE.rules ...\n"
    "\n"
    "  -o FILE                    write C here, and a header beside it\n"
    "  -d PHASE                   print what a phase makes: ast, typed, plan, tree\n"
    "  --format                   print the file in canonical form\n"
    "  --check                    do the rules hold? as tenon verify\n"
    "  --name NAME                call the program tn_NAME\n"
    "  --costs FILE               make an optimizer by itself, with this table of measured costs\n"
    "  --target NAME              whose costs they must be, or the device that models all costs\n"
    "  --no-lines                 no #line directives\n"
    "  --file-prefix-map OLD=NEW  replace the beginning of paths in the output\n"
    "  -I DIR                     look for includes here that do not lie beside\n"
    "  -Wno-SLUG                  without this warning\n"
    "  -Werror                    warnings are errors\n"
    "  -h, --help                 print this\n"
    "  --version                  print the version\n";

static int
usage(const char *what, const char *arg)
{
	fprintf(stderr, "tenonc: %s%s%s\ntenonc: try 'tenonc --help'\n", what, arg ? " " : "", arg ? arg : "");
	return USAGE;
}

/* -Wno-SLUG, -Werror; false: there is no such warning */
static bool
warning_option(struct diags *d, const char *arg)
{
	int i;

	if (strcmp(arg, "-Werror") == 0) {
		d->warnings_fail = true;
		return true;
	}
	for (i = 0; i < NSLUG && strncmp(arg, "-Wno-", 5) == 0; i++)
		if (strcmp(slug_text((enum slug)i), arg + 5) == 0) {
			d->is_off[i] = true;
			return true;
		}
	return false;
}

/* -1: go on; else the exit status */
static int
parse(int argc, char **argv, struct options *o, struct rules *r)
{
	struct { const char *name; const char **to; } values[] = {
		{"-o", &o->out}, {"-d", &o->dump}, {"--name", &o->name}, {"-I", &r->include_dir},
		{"--costs", &o->costs}, {"--target", &o->target},
	};
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	size_t k;
	int i;

	for (i = 1; i < argc; i++) {
		const char *arg = argv[i];

		for (k = 0; k < sizeof values / sizeof *values && strcmp(values[k].name, arg) != 0; k++)
			;
		if (k < sizeof values / sizeof *values || strcmp(arg, "--file-prefix-map") == 0) {
			if (++i == argc)
				return usage("a value is wanted after", arg);
			if (k < sizeof values / sizeof *values)
				*values[k].to = argv[i];
			else
				vec_push(&o->map, argv[i]);
		} else if (strcmp(arg, "-h") == 0 || strcmp(arg, "--help") == 0) {
			fputs(help, stdout);
			return DONE;
		} else if (strcmp(arg, "--version") == 0) {
			printf("tenonc %s\n", TN_VERSION);
			return DONE;
		} else if (strcmp(arg, "--no-lines") == 0)
			o->no_lines = true;
		else if (strcmp(arg, "--format") == 0)
			o->format = true;
		else if (strcmp(arg, "--check") == 0)
			o->check = true;
		else if (arg[0] == '-' && arg[1] == 'W') {
			if (!warning_option(&r->diags, arg))
				return usage("unknown warning", arg);
		} else if (arg[0] == '-' && arg[1])
			return usage("unknown option", arg);
		else
			vec_push(&o->file, arg);
	}
	if (!o->file.n && (o->format || o->check || o->dump || !(o->costs || o->target)))
		return usage("which rule file?", NULL);
	if (o->name && (!*o->name || o->name[strspn(o->name, letters)]))
		return usage("a name is of letters, digits and _, not", o->name);
	return -1;
}

/* ---- output ----------------------------------------------------------------------------------------- */

/* does the file hold just this? then it keeps its time */
static bool
is_up_to_date(const char *path, const struct buf *text)
{
	struct stat st;
	char *old;
	FILE *f;
	bool same;

	if (stat(path, &st) != 0 || (size_t)st.st_size != text->n || !(f = fopen(path, "r")))
		return false;
	old = mem_alloc(text->n);
	same = fread(old, 1, text->n, f) == text->n && memcmp(old, text->at ? text->at : "", text->n) == 0;
	fclose(f);
	mem_free(old);
	return same;
}

static int
io_error(const char *path)
{
	fprintf(stderr, "tenonc: %s: %s\n", path, strerror(errno));
	return USAGE;
}

/* through a temporary and a rename, or directly where the path is no regular file */
static int
write_out(const char *path, const struct buf *text)
{
	struct stat st;
	bool direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode), ok;
	size_t len = strlen(path) + 8;
	char *temporary;
	FILE *f;
	int fd;

	if (!direct && is_up_to_date(path, text))
		return DONE;
	temporary = mem_alloc(len);
	snprintf(temporary, len, "%s%s", path, direct ? "" : ".XXXXXX");
	fd = direct ? -1 : mkstemp(temporary);
	f = direct ? fopen(path, "w") : fd < 0 ? NULL : fdopen(fd, "w");
	ok = f && fwrite(text->at ? text->at : "", 1, text->n, f) == text->n;
	if (f && !direct)
		ok &= fchmod(fd, 0644) == 0;
	if (f && fclose(f) != 0)
		ok = false;
	if (ok && !direct)
		ok = rename(temporary, path) == 0;
	if (!ok) {
		io_error(path);
		if (!direct && f)
			unlink(temporary);
	}
	mem_free(temporary);
	return ok ? DONE : USAGE;
}

/* Can what is not measured be modelled?  Rules that describe no device are priced by one of the library's. */
static bool
has_device(const struct rules *r, const char *name)
{
	int i;

	for (i = 0; i < r->text.ndevice; i++)
		if (strcmp(r->text.device[i].name, name) == 0)
			return true;
	if (r->text.ndevice)
		fprintf(stderr, "tenonc: the rules describe no device '%s' that models costs\n", name);
	return r->text.ndevice == 0;
}

/* The target of an optimizer, and its costs, which the caller frees.  A status that is not DONE is said. */
static int
choose_costs(const struct options *o, struct rules *r, struct tn_costs_table **costs, const char **target)
{
	struct tn_error e = {0};

	*target = o->target;
	if (!o->costs)
		return !o->target || has_device(r, o->target) ? DONE : BAD_INPUT;
	*costs = tn_costs_table_read(o->costs, o->target, &e);
	if (!*costs) {
		fprintf(stderr, "tenonc: %s\n", e.msg);
		return e.code == TN_E_INPUT ? BAD_INPUT : USAGE;
	}
	if (!o->target)
		*target = arena_str(&r->arena, (*costs)->identity, strcspn((*costs)->identity, " "));
	return has_device(r, (*costs)->model) ? DONE : BAD_INPUT;
}

/* OUT.c and OUT.h; a path that is no regular file, or a whole program, is the C alone */
static int
write_program(const struct rules *r, const struct options *o, const struct gen_options *g)
{
	size_t len = strlen(o->out);
	bool has_header = !g->target && len > 2 && strcmp(o->out + len - 2, ".c") == 0;
	char *header = mem_alloc(len + 2);
	struct buf c = {0}, h = {0};
	int status;

	memcpy(header, o->out, len + 1);
	if (has_header)
		header[len - 1] = 'h';
	gen_program(r, g, &c, has_header ? &h : NULL);
	status = write_out(o->out, &c);
	if (status == DONE && has_header)
		status = write_out(header, &h);
	buf_free(&c);
	buf_free(&h);
	mem_free(header);
	return status;
}

static int
compile(struct rules *r, const struct options *o)
{
	struct gen_options g = {.name = o->name, .out = o->out, .no_lines = o->no_lines, .nmap = (int)o->map.n, .map = o->map.at,
	    .costs_path = o->costs, .is_builtin = !o->file.n};
	struct tn_costs_table *costs = NULL;
	int status = choose_costs(o, r, &costs, &g.target);

	g.costs = costs;
	if (status == DONE)
		status = write_program(r, o, &g);
	tn_costs_table_free(costs);
	return status;
}

/* What was printed has arrived. */
static int
end_output(void)
{
	return fflush(stdout) == 0 && !ferror(stdout) ? DONE : io_error("standard output");
}

/* ---- phases --------------------------------------------------------------------------------------------- */

/* Become tenon verify: the tenon beside this program, or else in PATH. */
static int
check(const struct rules *r, const struct options *o)
{
	char self[4096], beside[4096 + sizeof "tenon"];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	VEC(const char *) arg = {0};
	char *slash;
	uint32_t i;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	snprintf(beside, sizeof beside, "%.*stenon", slash ? (int)(slash + 1 - self) : 0, self);
	if (r->include_dir)
		setenv("TENON_RULES", r->include_dir, 1);
	vec_push(&arg, "tenon");
	vec_push(&arg, "verify");
	vec_push(&arg, "--");
	for (i = 0; i < o->file.n; i++)
		vec_push(&arg, o->file.at[i]);
	vec_push(&arg, NULL);
	execv(beside, (char **)arg.at);
	execvp("tenon", (char **)arg.at);
	fprintf(stderr, "tenonc: tenon, which checks rules, was not found: %s\n", strerror(errno));
	vec_free(&arg);
	return USAGE;
}

/* -d ast and --format look at one file's text alone */
static int
text_phase(struct rules *r, const struct options *o)
{
	const char *why;
	int file;
	uint32_t i;

	r->diags.sources = &r->sources;
	for (i = 0; i < o->file.n; i++) {
		file = source_open(&r->sources, o->file.at[i], &why);
		if (file < 0) {
			fprintf(stderr, "tenonc: %s: %s\n", o->file.at[i], why);
			return USAGE;
		}
		if (o->format)
			sexp_format(&r->sources, file, &r->diags, stdout);
		else
			sexp_dump(sexp_parse(&r->sources, file, &r->arena, &r->diags), stdout);
	}
	if (!diag_print(&r->diags, stderr, isatty(STDERR_FILENO)))
		return BAD_INPUT;
	return end_output();
}

static int
run(struct rules *r, const struct options *o)
{
	bool ok;

	if (o->format || (o->dump && strcmp(o->dump, "ast") == 0))
		return text_phase(r, o);
	if (!o->dump && !o->out)
		return usage("where to? say -o OUT.c", NULL);
	if (o->dump && strcmp(o->dump, "typed") != 0 && strcmp(o->dump, "plan") != 0 && strcmp(o->dump, "tree") != 0)
		return usage("-d prints ast, typed, plan or tree, not", o->dump);
	ok = rules_load(r, o->file.at, (int)o->file.n);
	diag_print(&r->diags, stderr, isatty(STDERR_FILENO));
	if (r->failed) {
		fprintf(stderr, "tenonc: %s: %s\n", r->failed, r->why);
		return USAGE;
	}
	if (!ok)
		return BAD_INPUT;
	if (!o->dump)
		return compile(r, o);
	if (strcmp(o->dump, "typed") == 0)
		rules_dump(r, stdout);
	else if (strcmp(o->dump, "plan") == 0)
		gen_print_plans(r, stdout);
	else
		gen_print_trees(r, stdout);
	return end_output();
}

static void
out_of_memory(size_t size)
{
	fprintf(stderr, "tenonc: out of memory (%zu bytes wanted)\n", size);
	_exit(USAGE);
}

int
main(int argc, char **argv)
{
	struct options o = {0};
	struct rules r = {0};
	int status;

	tn_on_oom = out_of_memory;
	status = parse(argc, argv, &o, &r);
	if (status < 0)
		status = o.check ? check(&r, &o) : run(&r, &o);
	vec_free(&o.file);
	vec_free(&o.map);
	rules_free(&r);
	return status;
}
