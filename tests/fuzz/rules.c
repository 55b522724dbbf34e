/* Any bytes as a rule file: read, typed, linted, printed; canonical text parses again.  Nothing but messages comes of it. */
#include <stdlib.h>
#include <string.h>

#include "dsl/rule.h"
#include "tests/fuzz/forms.h"
#include "tests/unit/canonical.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* every form but includes, which would read whatever path the bytes name */
static void
load(const char *text, size_t size)
{
	struct rules r = {0};
	char *out = NULL;
	size_t len;
	FILE *f = open_memstream(&out, &len);

	if (rules_load_text(&r, "input", text, size))
		rules_dump(&r, f);
	diag_print(&r.diags, f, false);
	rules_free(&r);
	fclose(f);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *once, *twice;
	size_t n1, n2;

	memcpy(text, data, size);
	text[size] = '\0';
	once = canonical(text, size, &n1);
	if (once) {
		twice = canonical(once, n1, &n2);
		if (!twice || n1 != n2 || memcmp(once, twice, n1) != 0)
			abort();
		free(twice);
	}
	free(once);
	if (!strstr(text, "include"))
		load(text, size);
	free(text);
	return 0;
}
