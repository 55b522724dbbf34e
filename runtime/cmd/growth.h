/* What commands say of a saturation run. */
#ifndef CMD_GROWTH_H
#define CMD_GROWTH_H

#include "cmd/cmd.h"

const char *stop_text(enum tn_stop);
/* efficient, vanilla, none */
bool cycles_named(const char *, enum tn_filter *, struct tn_error *);
/* One line an iteration; one line a rule that matched. */
void growth_iterations(const struct tn_report *, FILE *);
void growth_rules(const struct tn_program *, const struct tn_report *, FILE *);
/* {"name": …, "matches": …, "applied": …, …} */
void json_rule(FILE *, const char *name, const struct tn_rule_stat *);
void json_string(FILE *, const char *);

#endif
