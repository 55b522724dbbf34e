/* Any bytes as a rule file for tenonc --format: canonical text parses again, to itself. */
#include "tests/fuzz/forms.h"
#include "tests/unit/canonical.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text, *once, *twice;
	size_t n1, n2;

	if (size > LONGEST)
		return -1;
	text = malloc(size + 1);
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
	free(text);
	return 0;
}
