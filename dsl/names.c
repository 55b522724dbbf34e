/* The nearest spelling: for hints. */
#include <string.h>

#include "dsl/check.h"

enum { LONGEST = 64 };

static int
least(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* edits (insert, delete, replace, swap neighbours) from one name to the other */
static int
distance(const char *a, const char *b)
{
	int n = (int)strlen(a), m = (int)strlen(b), i, j, d[3][LONGEST + 1];

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (j = 0; j <= m; j++)
		d[0][j] = j;
	for (i = 1; i <= n; i++) {
		int *now = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= m; j++) {
			now[j] = least(up[j] + 1, now[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < now[j])
				now[j] = up2[j - 2] + 1;
		}
	}
	return d[n % 3][m];
}

const char *
nearest_name(const char *name, const char *const names[], int n)
{
	int best = (int)strlen(name) / 3 + 1, i, d;
	const char *near = NULL;

	for (i = 0; i < n; i++) {
		d = distance(name, names[i]);
		if (d <= best && d < (int)strlen(name)) {
			if (d == best && near)
				continue;
			best = d;
			near = names[i];
		}
	}
	return near;
}
