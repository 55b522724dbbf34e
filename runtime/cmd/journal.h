/*
 * A table of costs that grows line by line, so that a profiler that is killed loses nothing it finished.
 *
 * New lines go to FILE.part at once; at the end the whole table is written to FILE.  Who holds FILE.part's lock is
 * the one that writes the table; a lock ends with its process, however that ends.
 */
#ifndef CMD_JOURNAL_H
#define CMD_JOURNAL_H

#include "tenon/tenon.h"

struct journal;
/*
 * The table in the file, or a new one, with what an earlier profiler left in FILE.part; *costs is freed by the caller.
 * NULL and error: another profiler works on it, it is of another identity, or a line is wrong.
 */
struct journal *journal_open(const char *path, struct tn_ctx *, const struct tn_program *, const char *identity,
    const char *device, struct tn_costs **costs, struct tn_error *);
/* A line, safe on disk when it returns as far as this process may die. */
bool journal_add(struct journal *, const char *signature, const struct tn_measurement *, struct tn_error *);
/* The table, with what others put into its file meanwhile, to that file; then FILE.part is gone. */
bool journal_finish(struct journal *, struct tn_costs *, struct tn_error *);
/* The lock alone, for who writes a table at once; NULL and error.  What is in FILE.part stays there. */
struct journal *journal_lock(const char *path, struct tn_error *);
/* Give up the lock; lines that were added stay in FILE.part. */
void journal_close(struct journal *);

#endif
