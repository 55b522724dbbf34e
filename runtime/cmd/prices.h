/* Tables of costs as commands read them. */
#ifndef CMD_PRICES_H
#define CMD_PRICES_H

#include "tenon/tenon.h"

/* The program that describes devices: rules of the user's own may have none. */
const struct tn_program *prices_program(const struct tn_program *);
/* A modelled device for what a table lacks: the one that is asked for (NULL: the target's own, else any). */
const char *prices_device(const struct tn_program *, const char *device, const char *target);
/* The table in the file, which must be of this identity.  NULL and error. */
struct tn_costs *prices_read(struct tn_ctx *, const struct tn_program *, const char *path, const char *identity,
    struct tn_error *);

/* Lines that the one table lacks of the other. */
void prices_add(struct tn_costs *, const struct tn_costs *from);

#endif
