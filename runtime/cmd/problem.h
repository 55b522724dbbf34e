/* An extraction problem as a file. */
#ifndef CMD_PROBLEM_H
#define CMD_PROBLEM_H

#include "tenon/tenon.h"

/* As JSON that tenon extract reads: "conv2d :stride [1 1]" are the operators, nanoseconds the costs. */
void problem_write(const struct tn_priced *, struct tn_tensors *, FILE *);

#endif
