/*
 * Finding and opening targets.
 *
 * Plug-ins are NAME.so in the folders of TENON_TARGETS (with ':' between them), else in targets/ beside the program or the
 * library, or where they are installed, lib/tenon/targets beside the program's folder or tenon/targets in the library's.  They
 * are loaded locally, all their symbols bound at once: a library that lacks one is told when the target is opened.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "target/target.h"

struct found {
	char *name, *path;
};

typedef VEC(struct found) found_list;

/* ---- looking ------------------------------------------------------------------------------------------------ */

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct found *)a)->name, ((const struct found *)b)->name);
}

static char *
text(const char *from, size_t n)
{
	char *to = mem_alloc(n + 1);

	memcpy(to, from, n);
	return to;
}

/* plug-ins of the folder whose names are new */
static void
look_in(const char *folder, found_list *list)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	struct found f;
	size_t n;
	uint32_t i;

	while (d && (entry = readdir(d))) {
		n = strlen(entry->d_name);
		if (n < 4 || strcmp(entry->d_name + n - 3, ".so") != 0)
			continue;
		f.name = text(entry->d_name, n - 3);
		for (i = 0; i < list->n && strcmp(list->at[i].name, f.name) != 0; i++)
			;
		if (i < list->n) {
			mem_free(f.name);
			continue;
		}
		f.path = mem_alloc(strlen(folder) + n + 2);
		sprintf(f.path, "%s/%s", folder, entry->d_name);
		vec_push(list, f);
	}
	if (d)
		closedir(d);
}

/* the folders that the variable names */
static void
look_in_list(const char *folders, found_list *list)
{
	char folder[4096];
	size_t n;

	for (; *folders; folders += n, folders += *folders == ':') {
		n = strcspn(folders, ":");
		if (n && n < sizeof folder) {
			snprintf(folder, sizeof folder, "%.*s", (int)n, folders);
			look_in(folder, list);
		}
	}
}

/* in a folder named from that of the file */
static void
look_beside(const char *file, const char *tail, found_list *list)
{
	const char *slash = strrchr(file, '/');
	char folder[4096 + 32];

	if (!slash || slash - file >= 4096)
		return;
	snprintf(folder, sizeof folder, "%.*s/%s", (int)(slash - file), file, tail);
	look_in(folder, list);
}

/* beside the program, and beside the library, which other programs may load from elsewhere */
static void
look_around(found_list *list)
{
	static const char inside;	/* an address in the library, or in the program where it is part of it */
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	Dl_info library;

	self[n > 0 ? n : 0] = '\0';
	look_beside(self, "targets", list);
	look_beside(self, "../lib/tenon/targets", list);
	if (dladdr(&inside, &library) && library.dli_fname) {
		look_beside(library.dli_fname, "targets", list);
		look_beside(library.dli_fname, "tenon/targets", list);
	}
}

/* found once, kept until the process ends */
static const found_list *
all_found(void)
{
	static found_list list;
	static bool is_known;
	const char *folders = getenv("TENON_TARGETS");

	if (is_known)
		return &list;
	is_known = true;
	if (folders)
		look_in_list(folders, &list);
	else
		look_around(&list);
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, by_name);
	return &list;
}

const char *
tn_target_found(int i, const char **path)
{
	const found_list *list = all_found();

	if (i < 0 || (uint32_t)i >= list->n)
		return NULL;
	if (path)
		*path = list->at[i].path;
	return list->at[i].name;
}

/* ---- opening ------------------------------------------------------------------------------------------------ */

/* does the file hold all that it says is to be loaded? */
static bool
is_whole(FILE *f)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) part;
	long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	bool ok = size >= (long)sizeof head && fseek(f, 0, SEEK_SET) == 0 && fread(&head, sizeof head, 1, f) == 1 &&
	    memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_phentsize == sizeof part && head.e_phoff <= (size_t)size &&
	    fseek(f, (long)head.e_phoff, SEEK_SET) == 0;
	int i;

	for (i = 0; ok && i < head.e_phnum; i++)
		ok = fread(&part, sizeof part, 1, f) == 1 && part.p_offset <= (size_t)size &&
		    part.p_filesz <= (size_t)size - part.p_offset;
	return ok;
}

/* The loader takes a file's word for what is in it, and faults where the file ends before. */
static bool
check_file(const char *name, const char *path, struct tn_error *e)
{
	FILE *f = fopen(path, "rb");
	bool ok = f && is_whole(f);

	if (!ok)
		tn_fail(e, TN_E_MISSING, "target '%s' cannot be loaded: %s: %s", name, path, f ? "this is no whole library" : strerror(errno));
	if (f)
		fclose(f);
	return ok;
}

static bool
load(struct tn_target *t, const char *name, const char *path, struct tn_error *e)
{
	if (!check_file(name, path, e))
		return false;
	t->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!t->library)
		return tn_fail(e, TN_E_MISSING, "target '%s' cannot be loaded: %s", name, dlerror());
	t->plugin = dlsym(t->library, "tn_target_plugin");
	if (!t->plugin)
		return tn_fail(e, TN_E_MISSING, "%s is no target: it has no tn_target_plugin", path);
	if (t->plugin->abi != TN_TARGET_ABI)
		return tn_fail(e, TN_E_MISSING, "%s was built for another version of Tenon: its ABI is %u, not %u", path, t->plugin->abi,
		    TN_TARGET_ABI);
	return true;
}

struct tn_target *
tn_target_open(const char *name, const struct tn_target_options *options, struct tn_error *e)
{
	struct tn_target *t = mem_alloc(sizeof *t);
	const char *found, *path;
	int i;

	for (i = 0; (found = tn_target_found(i, &path)) && strcmp(found, name) != 0; i++)
		;
	if (!found)
		tn_fail(e, TN_E_MISSING, "there is no target '%s' here; 'tenon targets' lists those that are", name);
	else if (load(t, name, path, e) && (t->state = t->plugin->open(options, e)))
		return t;
	tn_target_close(t);
	return NULL;
}

void
tn_target_close(struct tn_target *t)
{
	if (!t)
		return;
	if (t->state)
		t->plugin->close(t->state);
	/* the library stays loaded: runtimes below it keep threads */
	mem_free(t);
}

const char *
tn_target_identity(struct tn_target *t)
{
	return t->plugin->identity(t->state);
}
