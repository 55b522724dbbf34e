/* Sizes of the processor's caches, as the kernel tells them; sysconf's are of all processors of a socket together. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "target/cpu.h"

/* a machine whose caches nobody tells */
enum { NEAR = 1 << 20, LAST = 32 << 20 };

/* the word in a file of the first processor's cache `index`; false: there is none */
static bool
read_word(int index, const char *file, char word[32])
{
	char path[96];
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, file);
	f = fopen(path, "r");
	ok = f && fscanf(f, "%31s", word) == 1;
	if (f)
		fclose(f);
	return ok;
}

/* "1024K" */
static size_t
read_size(int index)
{
	char word[32], unit = 0;
	size_t n = 0;

	if (!read_word(index, "size", word) || sscanf(word, "%zu%c", &n, &unit) < 1 || n > SIZE_MAX >> 20)
		return 0;
	return unit == 'K' ? n << 10 : unit == 'M' ? n << 20 : n;
}

void
cpu_caches(struct tn_caches *c)
{
	char type[32];
	size_t size;
	int i;

	*c = (struct tn_caches){0};
	/* they come from the nearest on */
	for (i = 0; read_word(i, "type", type); i++) {
		size = read_size(i);
		if (strcmp(type, "Instruction") == 0 || size <= c->last)
			continue;
		c->near = c->last;
		c->last = size;
	}
	if (!c->near)
		*c = (struct tn_caches){NEAR, LAST};
}
