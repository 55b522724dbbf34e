/* Verdicts on rules, for people and before rules are used. */
#ifndef CMD_TRUST_H
#define CMD_TRUST_H

#include <stdio.h>

#include "cmd/program.h"
#include "tenon/verify.h"

/* "linear.rules:12: conv-scale-in: holds on 12 instances (prime fields), …" */
void verdict_print(const struct tn_rule *, const struct tn_verdict *, FILE *);
/*
 * Do the user's rules hold, as far as can be checked?  False: one is refuted (it is said on standard error), or the files
 * cannot be read.  *unchecked: those of which nothing is known, "drop, fuse (trusted)", or empty; free with mem_free.
 */
bool trust_rules(const struct rule_options *, char **unchecked, struct tn_error *);

#endif
