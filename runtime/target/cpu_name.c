/* Which processor this is: tables of costs measured on two that have the same instructions are not to be mixed. */
#include <stdio.h>
#include <string.h>

#include "target/cpu.h"

/* where the value of the line "KEY : VALUE" begins, if the key is one that tells processors apart; or NULL */
static char *
value_of(char *line)
{
	static const char *const keys[] = {"cpu family", "model", "model name", "CPU implementer", "CPU part"};
	size_t i, n;

	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		n = strlen(keys[i]);
		if (strncmp(line, keys[i], n) == 0 && line[n += strspn(line + n, " \t")] == ':')
			return line + n + 1 + strspn(line + n + 1, " \t");
	}
	return NULL;
}

void
cpu_name(char *text, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[512], *c;
	size_t n = 0;

	snprintf(text, size, "unknown");
	while (f && fgets(line, sizeof line, f) && *line != '\n')		/* the first processor's lines */
		if ((c = value_of(line)) && n < size)
			n += (size_t)snprintf(text + n, size - n, "%s%.*s", n ? "-" : "", (int)strcspn(c, "\n"), c);
	if (f)
		fclose(f);
	for (c = text; *c; c++)
		if (*c == ' ' || *c == '\t')
			*c = '-';
}
