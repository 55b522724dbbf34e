/*
 * The slow, obvious e-graph: a table of terms and a class number for each; equality is closed by comparing
 * every pair until nothing changes.  What egraph/ does is held against it.
 */
#ifndef ORACLE_CONGRUENCE_H
#define ORACLE_CONGRUENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { CONGRUENCE_TERMS = 400, CONGRUENCE_KIDS = 5 };

struct congruence {
	int n;
	struct {
		int op, attrs, nkid, kid[CONGRUENCE_KIDS];
	} term[CONGRUENCE_TERMS];
	int class[CONGRUENCE_TERMS];
};

/* A term of its own, also if an equal one is there. */
int congruence_add(struct congruence *, int op, int attrs, const int kid[], int nkid);
void congruence_union(struct congruence *, int a, int b);
void congruence_close(struct congruence *);
/* The rest after congruence_close.  Terms with equal children are one node. */
bool congruence_same_node(const struct congruence *, int a, int b);
int congruence_nodes(const struct congruence *);
int congruence_classes(const struct congruence *);
/* Per term the least height of a term in its class. */
void congruence_heights(const struct congruence *, int height[]);

#endif
