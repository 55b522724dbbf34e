/*
 * A target whose times are written down: kernels compute nothing, and its clock stands still but for them.
 *
 * SCRIPT names a file of lines `OPERATOR NS NS …`, as "matmul 1200 1300": what one run after the other takes, and from the first
 * again.  "matmul:relu" is one with that activation.  What has no line has no kernel.
 *
 * Lines of their own: "!copy NS" is what bringing data over or back takes; "!reorder NS …" what reorders take, nothing without
 * it, and "!images 1" lets images lie with their channels last, so that there are some; "!dies N" is the run of a kernel, from the
 * first on, in which the device fails, and "!interrupts N" the one in which Ctrl-C is pressed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stand-in/clock.h"

enum { MOST = 128, LINE = 1024 };

/* A kernel: the times of its line, and which comes next. */
struct kernel {
	double ns[MOST];
	int n, next;
};

static double images, dies, interrupts, runs;

static bool
fail(struct tn_error *e, enum tn_code code, const char *what, const char *name)
{
	if (e) {
		e->code = code;
		snprintf(e->msg, sizeof e->msg, what, name);
	}
	return false;
}

/* the rest of the script's line that begins with the name and a blank */
static bool
find_line(const char *name, char line[LINE])
{
	FILE *f = fopen(getenv("SCRIPT"), "r");
	size_t n = strlen(name);
	bool found = false;

	while (f && !found && fgets(line, LINE, f))
		found = strncmp(line, name, n) == 0 && line[n] == ' ';
	if (f)
		fclose(f);
	if (found)
		memmove(line, line + n, strlen(line + n) + 1);
	return found;
}

/* the number on the script's line of this name; 0: there is none */
static double
number(const char *name)
{
	char line[LINE];

	return find_line(name, line) ? strtod(line, NULL) : 0;
}

static void *
open_target(const struct tn_target_options *o, struct tn_error *e)
{
	(void)o;
	if (getenv("SCRIPT")) {
		copy = number("!copy");
		images = number("!images");
		dies = number("!dies");
		interrupts = number("!interrupts");
		return &now;
	}
	fail(e, TN_E_MISSING, "there is no %s", "SCRIPT");
	return NULL;
}

static void
close_target(void *state)
{
	(void)state;
}

static const char *
identity(void *state)
{
	(void)state;
	return "scripted clock";
}

static enum tn_layout
layout(void *state, const struct tn_job *job, bool dense[])
{
	int i;

	(void)state;
	if (!images || job->out.rank != 4)
		return TN_ROW_MAJOR;
	for (i = 0; i < job->nin; i++)
		dense[i] = job->in[i].rank == 4;
	return TN_CHANNELS_LAST;
}

/* "matmul", "matmul:relu" */
static void
name_of(const struct tn_job *job, char name[256])
{
	int i, n = snprintf(name, 256, "%s", job->op ? job->op->name : "!reorder");

	for (i = 0; job->op && i < job->op->nattr; i++)
		if (job->op->attr[i].enums && job->attr[i]->u.i)
			n += snprintf(name + n, 256 - (size_t)n, ":%s", job->op->attr[i].enums->value[job->attr[i]->u.i]);
}

static void *
make(void *state, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct kernel *k = calloc(1, sizeof *k);
	char name[256], line[LINE] = "", *at = line, *end;

	(void)state;
	*facts = (struct tn_kernel_facts){.how = "scripted"};
	name_of(job, name);
	if (!find_line(name, line) && job->op) {
		fail(e, TN_E_INPUT, "the script has no line for '%s'", name);
		free(k);
		return NULL;
	}
	while (k->n < MOST && (k->ns[k->n] = strtod(at, &end), end != at)) {
		k->n++;
		at = end;
	}
	return k;
}

static void
drop(void *state, void *kernel)
{
	(void)state;
	free(kernel);
}

static bool
run(void *state, void *kernel, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct kernel *k = kernel;

	(void)state, (void)in, (void)out, (void)scratch;
	runs++;
	if (runs == interrupts)
		raise(SIGINT);
	if (k->n)
		now += k->ns[k->next++ % k->n];
	return runs != dies || fail(e, TN_E_IO, "%s is lost", "the device");
}

extern TN_API const struct tn_target_plugin tn_target_plugin;
const struct tn_target_plugin tn_target_plugin = {
	TN_TARGET_ABI, "scripted", open_target, close_target, identity, layout, NULL, make, drop, run, NULL, take, give, upload,
	upload, stamp, elapsed,
};
