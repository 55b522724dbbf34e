/* Writing JSON; see json.h. */
#include <math.h>
#include <stdlib.h>

#include "egraph/json.h"

void
json_put_string(FILE *f, const char *s)
{
	unsigned char c;

	fputc('"', f);
	for (; *s; s++) {
		c = (unsigned char)*s;
		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < ' ')
			fprintf(f, "\\u%04x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

void
json_put_cost(FILE *f, double cost)
{
	char text[32];
	int digits = 15;

	if (!isfinite(cost)) {
		fprintf(f, "1e300");
		return;
	}
	do
		snprintf(text, sizeof text, "%.*g", digits++, cost);
	while (digits <= 17 && strtod(text, NULL) != cost);
	fprintf(f, "%s", text);
}
