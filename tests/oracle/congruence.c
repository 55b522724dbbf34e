/* Congruence by comparing all pairs: see congruence.h. */
#include "tests/oracle/congruence.h"

#include <limits.h>

int
congruence_add(struct congruence *c, int op, int attrs, const int kid[], int nkid)
{
	int n = c->n++, i;

	c->term[n].op = op;
	c->term[n].attrs = attrs;
	c->term[n].nkid = nkid;
	for (i = 0; i < nkid; i++)
		c->term[n].kid[i] = kid[i];
	c->class[n] = n;
	return n;
}

void
congruence_union(struct congruence *c, int a, int b)
{
	int from = c->class[b], to = c->class[a], i;

	for (i = 0; i < c->n; i++)
		if (c->class[i] == from)
			c->class[i] = to;
}

bool
congruence_same_node(const struct congruence *c, int a, int b)
{
	int i;

	if (c->term[a].op != c->term[b].op || c->term[a].attrs != c->term[b].attrs || c->term[a].nkid != c->term[b].nkid)
		return false;
	for (i = 0; i < c->term[a].nkid; i++)
		if (c->class[c->term[a].kid[i]] != c->class[c->term[b].kid[i]])
			return false;
	return true;
}

void
congruence_close(struct congruence *c)
{
	bool changed = true;
	int a, b;

	while (changed) {
		changed = false;
		for (a = 0; a < c->n; a++)
			for (b = 0; b < a; b++)
				if (c->class[a] != c->class[b] && congruence_same_node(c, a, b)) {
					congruence_union(c, a, b);
					changed = true;
				}
	}
}

int
congruence_nodes(const struct congruence *c)
{
	int a, b, n = 0;

	for (a = 0; a < c->n; a++) {
		for (b = 0; b < a && !congruence_same_node(c, a, b); b++)
			;
		n += b == a;
	}
	return n;
}

int
congruence_classes(const struct congruence *c)
{
	int a, b, n = 0;

	for (a = 0; a < c->n; a++) {
		for (b = 0; b < a && c->class[a] != c->class[b]; b++)
			;
		n += b == a;
	}
	return n;
}

void
congruence_heights(const struct congruence *c, int height[])
{
	bool changed = true;
	int a, b, i, h;

	for (a = 0; a < c->n; a++)
		height[a] = INT_MAX;
	while (changed) {
		changed = false;
		for (a = 0; a < c->n; a++) {
			for (i = h = 0; i < c->term[a].nkid && h < INT_MAX; i++)
				h = height[c->term[a].kid[i]] > h ? height[c->term[a].kid[i]] : h;
			if (h == INT_MAX)
				continue;
			for (b = 0; b < c->n; b++)
				if (c->class[b] == c->class[a] && height[b] > h + 1) {
					height[b] = h + 1;
					changed = true;
				}
		}
	}
}
