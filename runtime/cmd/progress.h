/* What a command is doing now: one line on a terminal, which the next one takes the place of. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include "tenon/base.h"

/* Nothing where standard error is no terminal. */
void progress_show(const char *fmt, ...) TN_PRINTF(1, 2);
/* Take the line away: before anything else is printed. */
void progress_end(void);

#endif
