/* Source files; see source.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "dsl/source.h"

/* Of each rule and operator the line is asked for: counted from the beginning that would take the square of a file. */
static const uint32_t *
count_lines(struct arena *a, const char *text, size_t size)
{
	uint32_t *lines = arena_news(a, size / SOURCE_BLOCK + 1, uint32_t), n = 0;
	const char *p = text, *nl;
	size_t block = 1;

	for (; (nl = memchr(p, '\n', size - (size_t)(p - text))); p = nl + 1, n++)
		for (; block <= (size_t)(nl - text) / SOURCE_BLOCK; block++)
			lines[block] = n;
	for (; block <= size / SOURCE_BLOCK; block++)
		lines[block] = n;
	return lines;
}

static int
add(struct sources *s, struct source file)
{
	file.lines = count_lines(&s->arena, file.text, file.size);
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
	struct buf all = {0};
	char part[1 << 14], *text = NULL;
	size_t n;

	while ((n = fread(part, 1, sizeof part, f)) > 0 && all.n <= SOURCE_LIMIT)
		buf_put(&all, part, n);
	if (ferror(f))
		*why = strerror(errno);
	else if (all.n > SOURCE_LIMIT)
		*why = "larger than 1 GiB";
	else {
		text = arena_str(a, all.at, all.n);
		*size = all.n;
	}
	buf_free(&all);
	return text;
}

/* the file that has been read under this or another name, or -1 */
static int
same_file(const struct sources *s, const struct stat *st)
{
	int i;

	for (i = 0; i < s->n; i++)
		if (s->at[i].inode == st->st_ino && s->at[i].device == st->st_dev && s->at[i].inode)
			return i;
	return -1;
}

int
source_open(struct sources *s, const char *path, const char **why)
{
	struct source file = {0};
	FILE *f = fopen(path, "rb");
	struct stat st;
	int i = -1;

	if (!f || fstat(fileno(f), &st) != 0)
		*why = strerror(errno);
	else if ((i = same_file(s, &st)) < 0) {
		file.device = st.st_dev;
		file.inode = st.st_ino;
		file.text = slurp(&s->arena, f, &file.size, why);
	}
	if (f)
		fclose(f);
	if (!file.text)
		return i;
	file.path = arena_str(&s->arena, path, strlen(path));
	return add(s, file);
}

int
source_text(struct sources *s, const char *path, const char *text, size_t size)
{
	return add(s, (struct source){.path = path, .text = text, .size = size});
}

const char *
source_line(const struct source *f, size_t offset, size_t *len)
{
	const char *start, *end;

	if (offset > f->size)
		offset = f->size;
	start = memrchr(f->text, '\n', offset);
	start = start ? start + 1 : f->text;
	end = memchr(start, '\n', f->size - (size_t)(start - f->text));
	*len = (size_t)((end ? end : f->text + f->size) - start);
	return start;
}

void
source_place(const struct source *f, size_t offset, int *line, int *col)
{
	size_t block, len;
	const char *p, *end;

	if (offset > f->size)
		offset = f->size;
	block = offset / SOURCE_BLOCK;
	*line = 1 + (int)f->lines[block];
	end = f->text + offset;
	for (p = f->text + block * SOURCE_BLOCK; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		++*line;
	*col = (int)(end - source_line(f, offset, &len)) + 1;
}

void
sources_free(struct sources *s)
{
	arena_free(&s->arena);
	mem_free(s->at);
	*s = (struct sources){0};
}
