/* Source files; see source.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "dsl/source.h"

static int
add(struct sources *s, struct source file)
{
	if (s->n == s->cap) {
		int cap = s->cap ? 2 * s->cap : 8;

		s->at = mem_resize(s->at, (size_t)s->cap * sizeof *s->at, (size_t)cap * sizeof *s->at);
		s->cap = cap;
	}
	s->at[s->n] = file;
	return s->n++;
}

/* the whole of an open file into the arena; NULL with *why */
static char *
slurp(struct arena *a, FILE *f, size_t *size, const char **why)
{
	struct stat st;
	char *text;

	if (fstat(fileno(f), &st) != 0) {
		*why = strerror(errno);
		return NULL;
	}
	if (S_ISDIR(st.st_mode)) {
		*why = "is a directory";
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		*why = "is not a regular file";
		return NULL;
	}
	if (st.st_size > SOURCE_LIMIT) {
		*why = "is larger than 1 GiB";
		return NULL;
	}
	text = arena_alloc(a, (size_t)st.st_size + 1);
	*size = fread(text, 1, (size_t)st.st_size, f);
	if (ferror(f)) {
		*why = strerror(errno);
		return NULL;
	}
	return text;
}

int
source_open(struct sources *s, const char *path, const char **why)
{
	struct source file = {.path = path};
	FILE *f;
	int i;

	for (i = 0; i < s->n; i++)
		if (strcmp(s->at[i].path, path) == 0)
			return i;
	f = fopen(path, "rb");
	if (!f) {
		*why = strerror(errno);
		return -1;
	}
	file.text = slurp(&s->arena, f, &file.size, why);
	fclose(f);
	if (!file.text)
		return -1;
	file.path = arena_str(&s->arena, path, strlen(path));
	return add(s, file);
}

int
source_text(struct sources *s, const char *path, const char *text, size_t size)
{
	return add(s, (struct source){path, text, size});
}

const char *
source_line(const struct source *f, size_t offset, size_t *len)
{
	const char *start, *end;

	if (offset > f->size)
		offset = f->size;
	for (start = f->text + offset; start > f->text && start[-1] != '\n'; start--)
		;
	end = memchr(start, '\n', f->size - (size_t)(start - f->text));
	*len = (size_t)((end ? end : f->text + f->size) - start);
	return start;
}

void
source_place(const struct source *f, size_t offset, int *line, int *col)
{
	const char *p = f->text, *end, *nl;

	if (offset > f->size)
		offset = f->size;
	end = f->text + offset;
	*line = 1;
	while ((nl = memchr(p, '\n', (size_t)(end - p)))) {
		++*line;
		p = nl + 1;
	}
	*col = (int)(end - p) + 1;
}

void
sources_free(struct sources *s)
{
	arena_free(&s->arena);
	mem_free(s->at);
	*s = (struct sources){0};
}
