/* How an extraction went, for people: what each reduction took away, and what it took to solve the rest. */
#ifndef CMD_STEPS_H
#define CMD_STEPS_H

#include <stdio.h>

#include "tenon/tenon.h"

void steps_print(const struct tn_extract_report *, FILE *);

#endif
