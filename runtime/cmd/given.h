/*
 * Inputs that are given, for comparing values: --input NAME=NUMBER, the same everywhere, or NAME=FILE.npy.
 * The others are drawn at random.
 */
#ifndef CMD_GIVEN_H
#define CMD_GIVEN_H

#include "base/buf.h"
#include "cmd/option.h"
#include "tenon/tenon.h"

/* A row for a command's option table. */
#define INPUT_OPTION(list) {0, "input", "NAME=VALUE", "compare on this: a number, or a .npy file", OPT_LIST, &(list)}

struct given {
	uint32_t n;			/* inputs of the graph */
	struct tn_array *file;		/* per input; v NULL: not from a file */
	const char **number;		/* per input; NULL: no number */
	struct buf at;			/* sizes that the files have, as --at says them */
};

/* False: error; free it all the same. */
bool given_read(struct given *, const struct tn_graph *, const strings *input, struct tn_error *);
/* Add the files' sizes to those asked for, if none are. */
void given_sizes(const struct given *, strings *at);
/* An array per input at these sizes, v NULL: random; NULL and error.  Free with given_done(). */
struct tn_array *given_arrays(const struct given *, const struct tn_graph *, const int64_t sizes[], struct tn_error *);
void given_done(const struct given *, struct tn_array *);
/* The same, those that are not given drawn from the seed: normal numbers, small whole ones.  Free with given_done(). */
struct tn_array *given_draw(const struct given *, const struct tn_graph *, const int64_t sizes[], uint64_t seed,
    struct tn_error *);
void given_free(struct given *);

#endif
