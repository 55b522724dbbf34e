/* Any bytes as a rule file: read, typed, linted, planned, generated.  Nothing but messages and text comes of it. */
#include "gen/gen.h"
#include "tests/fuzz/forms.h"

/* all that tenonc makes of typed rules: -d typed, plan and tree, and the program */
static void
generate(const struct rules *r, FILE *f)
{
	struct gen_options options = {.name = "rules", .out = "rules.c"};
	struct buf c = {0}, header = {0};

	rules_dump(r, f);
	gen_print_plans(r, f);
	gen_print_trees(r, f);
	gen_program(r, &options, &c, &header);
	buf_free(&c);
	buf_free(&header);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rules r = {0};
	char *text, *out = NULL;
	size_t len;
	FILE *f;

	if (size > LONGEST)
		return -1;
	text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	/* every form but includes, which would read whatever path the bytes name */
	if (!strstr(text, "include")) {
		f = open_memstream(&out, &len);
		if (rules_load_text(&r, "input", text, size))
			generate(&r, f);
		diag_print(&r.diags, f, false);
		rules_free(&r);
		fclose(f);
		free(out);
	}
	free(text);
	return 0;
}
