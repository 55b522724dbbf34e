/*
 * A choice that changes one node at a time: what that brings along and leaves over is found by counting
 * users, so a trial costs what it changes, not what there is.
 */
#ifndef EXTRACT_SWAP_H
#define EXTRACT_SWAP_H

#include "extract/prog.h"

struct swap;

/* From a valid choice; classes it does not need come in with their node of `fallback` (TN_NONE: not at all). */
struct swap *swap_new(const struct tn_problem *, const uint32_t node[], const uint32_t fallback[]);
void swap_free(struct swap *);
int64_t swap_cost(const struct swap *);
/* Classes and children looked at so far. */
uint64_t swap_work(const struct swap *);
/* The node of class c, TN_NONE where the class is not needed now. */
uint32_t swap_node(const struct swap *, uint32_t c);
/* Choose node n in class c, which is needed.  False, and nothing changed: that gives a cycle, or a class without node. */
bool swap_try(struct swap *, uint32_t c, uint32_t n);
/* Take the last successful trial back; once. */
void swap_undo(struct swap *);

/* Single swaps as long as the whole gets cheaper; the new cost.  (local.c) */
int64_t extract_local(const struct tn_problem *, uint32_t node[], const struct prog_limits *);
/* From a choice to the preferred nodes, one at a time, as long as the whole costs no more.  (local.c) */
void extract_home(const struct tn_problem *, uint32_t node[], const struct prog_limits *);

#endif
