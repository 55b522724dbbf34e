/*
 * Targets: devices on which operators are measured and graphs are run.
 *
 * A plug-in is a shared object targets/NAME.so that exports one table, tn_target_plugin.  It knows how to run one
 * operator on given shapes, and nothing of graphs: memory, order, layouts' reorders and time are the library's.
 */
#ifndef TENON_TARGET_H
#define TENON_TARGET_H

#include "tenon.h"

#define TN_TARGET_ABI 3

/* ---- what a plug-in offers ------------------------------------------------------------------------------ */

/*
 * A tensor as it lies in memory: neighbours along axis i are stride[i] elements apart, 0 where an axis is repeated.
 * An operand may be any view of a buffer; a result is dense, and its layout is one of two.
 */
enum tn_layout { TN_ROW_MAJOR, TN_CHANNELS_LAST /* rank 4: n h w c */ };
struct tn_tensor {
	enum tn_dtype dtype;
	int rank;
	int64_t dim[TN_MAX_RANK], stride[TN_MAX_RANK];
	const void *data;		/* of a constant, in the program's memory; else NULL: it comes when the kernel runs */
};

/* One operator on given shapes.  op NULL: the operand is copied into the result's layout. */
struct tn_job {
	const struct tn_op *op;
	const struct tn_value *const *attr;	/* in the order of its declaration, extents being numbers */
	int nin;
	const struct tn_tensor *in;
	struct tn_tensor out;
	bool adds;			/* one operand more, the last, is of the result's shape and added to it */
	bool rectifies;			/* and then what is below 0 becomes 0 */
};

/* What a plug-in says of a kernel it made. */
struct tn_kernel_facts {
	const char *how;		/* which implementation: "brgconv:avx512_core"; lives as long as the kernel */
	bool is_slow;			/* a fallback that must not be chosen: it is priced as infinite */
	bool in_place;			/* the result may lie where operand 0 lies */
	size_t scratch_bytes;		/* that it wants while it runs */
};

struct tn_target_options {
	int threads;			/* 0: as many as there are processors */
	bool tf32;			/* may products be computed in TF32? */
};

/* Bytes of the last cache that a processor has to itself, and of the last one that there is; 0: there is none. */
struct tn_caches {
	size_t near, last;
};

/*
 * `state` is what open gave.  Calls come from one thread at a time; kernels and memory are given back before close.
 * What returns false or NULL has set *e.
 */
struct tn_target_plugin {
	unsigned abi;			/* TN_TARGET_ABI */
	const char *name;		/* "cpu" */
	/* NULL, TN_E_MISSING: the device or a library is not there, and the message says which in one sentence. */
	void *(*open)(const struct tn_target_options *, struct tn_error *e);
	void (*close)(void *state);
	/* What makes costs comparable: "cpu onednn-2.6.3 nhwc 1-thread avx512 25-17-AMD-EPYC-9354".  Begins with the name. */
	const char *(*identity)(void *state);
	/* The layout of the result; dense[i] is set where operand i, no constant, must lie densely in that layout too. */
	enum tn_layout (*layout)(void *state, const struct tn_job *, bool dense[]);
	/* May `make` be asked to add an operand to such an operator's result?  NULL: to none's. */
	bool (*adds)(void *state, const struct tn_op *);
	/* A kernel for the job, whose constants are packed now; NULL, TN_E_INPUT: there is none for it. */
	void *(*make)(void *state, const struct tn_job *, struct tn_kernel_facts *, struct tn_error *e);
	void (*drop)(void *state, void *kernel);
	/* Enqueue it; in[] is NULL at constants. */
	bool (*run)(void *state, void *kernel, const void *const in[], void *out, void *scratch, struct tn_error *e);
	/* NULL: none that matters. */
	void (*caches)(void *state, struct tn_caches *);
	/* Memory of the device, aligned for its kernels. */
	void *(*alloc)(void *state, size_t bytes, struct tn_error *e);
	void (*release)(void *state, void *);
	bool (*upload)(void *state, void *to, const void *from, size_t bytes, struct tn_error *e);
	bool (*download)(void *state, void *to, const void *from, size_t bytes, struct tn_error *e);
	/* Stamp the moment at which all that was enqueued is done; nanoseconds between two of TN_STAMPS stamps, waiting for both. */
	bool (*stamp)(void *state, int which, struct tn_error *e);
	bool (*elapsed)(void *state, int from, int to, double *ns, struct tn_error *e);
};
enum { TN_STAMPS = 2 };

/* ---- targets (runtime/target) ------------------------------------------------------------------------------ */

struct tn_target;

/* Name of the i-th plug-in that is found, in the order of names, and its file; NULL after the last.  Files are looked for
 * in TENON_TARGETS, beside the program or the library, and where they are installed; the first of a name counts. */
TN_API const char *tn_target_found(int i, const char **path);
TN_API struct tn_target *tn_target_open(const char *name, const struct tn_target_options *, struct tn_error *);
TN_API void tn_target_close(struct tn_target *);
TN_API const char *tn_target_identity(struct tn_target *);

/*
 * What one operator takes on the target, on operands as they lie in memory, symbols at sizes[]: the layout is the one that
 * the target wants, operands that begin with another axis than the first one are constants.  False: it has no kernel.
 */
TN_API bool tn_target_measure(struct tn_target *, struct tn_ctx *, const struct tn_op *, tn_attrs, const struct tn_source in[],
    int nin, tn_type out, const int64_t sizes[], struct tn_measurement *, struct tn_error *);

/* ---- running graphs -------------------------------------------------------------------------------------------- */

/*
 * A graph made ready at given sizes: weight-only parts are folded, operators have kernels, values have places in one
 * block of memory.  The graph must stay.
 */
struct tn_plan;
TN_API struct tn_plan *tn_plan_new(struct tn_target *, const struct tn_graph *, const int64_t sizes[], struct tn_error *);
TN_API void tn_plan_free(struct tn_plan *);

/*
 * Where a step runs: what the target has no kernel for is computed on the host by the reference executor, from data that
 * is brought over and back.  What an operator computes that Tenon does not know is made up: the same numbers each time,
 * whatever its operands are.
 */
enum tn_step_place { TN_ON_TARGET, TN_ON_HOST, TN_MADE_UP };
struct tn_plan_step {
	const char *op;			/* "conv2d"; "conv2d+add+relu"; "reorder"; "Resize" of an opaque one */
	uint32_t node;			/* in tn_plan_graph(); TN_NONE for a reorder */
	uint32_t with[2];		/* the sum and the relu that are computed with it; TN_NONE: there is none */
	enum tn_step_place where;
	const struct tn_job *job;
	struct tn_kernel_facts facts;
	bool is_in_place;
};
TN_API uint32_t tn_plan_steps(const struct tn_plan *);
/* The folded graph, which belongs to the plan. */
TN_API const struct tn_graph *tn_plan_graph(const struct tn_plan *);
TN_API const struct tn_plan_step *tn_plan_step(const struct tn_plan *, uint32_t);
/* Bytes of memory for values, and what they would take each in its own place. */
TN_API size_t tn_plan_bytes(const struct tn_plan *, size_t *apart);

/* Run it on inputs in order of the graph's; one array per output, free with tn_arrays_free. */
TN_API struct tn_array *tn_plan_run(struct tn_plan *, const struct tn_array in[], struct tn_error *);
/*
 * Compare what the plan gave in its last run, on these inputs, with the reference executor on the graph that it was made
 * of; operands of what is made up too.  False: not found out, the error says why.
 */
TN_API bool tn_plan_check(const struct tn_plan *, const struct tn_graph *, const struct tn_array in[],
    const struct tn_array out[], const volatile int *interrupted, struct tn_difference *, struct tn_error *);
/* Nanoseconds of one run on the inputs that lie there since it ran, without moving them in or out; of each of its steps.  What is
 * made up lies there too, and takes none. */
TN_API bool tn_plan_time(struct tn_plan *, double *ns, struct tn_error *);
TN_API bool tn_plan_time_steps(struct tn_plan *, double ns[], struct tn_error *);
/*
 * What costs predict of its steps, and of a run: operators at their prices, those that are computed with another one too, and
 * reorders at that of the transpose that each is.  ns[i] (ns NULL: not wanted) is -1 where nothing is: of what is made up.
 */
TN_API void tn_plan_price(const struct tn_plan *, struct tn_costs *, int64_t ns[], struct tn_bill *);

/* What a plan takes among others that it takes turns with: 10th percentiles of all rounds, and of equal parts of them. */
enum { TN_LAP_PARTS = 4 };
struct tn_lap {
	double ns, part_ns[TN_LAP_PARTS];
};
/* Some rounds, at most 100, in which each of the plans, which ran before, runs once; not 0 in *interrupted (NULL: never):
 * give up, TN_E_INTERRUPT. */
TN_API bool tn_plans_race(struct tn_plan *const[], uint32_t n, const volatile int *interrupted, struct tn_lap lap[],
    uint32_t *rounds, struct tn_error *);
/* What a takes as a share of what b takes in the same race; *noise (NULL allowed): how far the share of a part is from it. */
TN_API double tn_lap_ratio(const struct tn_lap *a, const struct tn_lap *b, double *noise);
/* Is a faster than b by more than the noise, and by more than 5 %?  Else they tie. */
TN_API bool tn_lap_beats(const struct tn_lap *a, const struct tn_lap *b);

/* ---- self-test ---------------------------------------------------------------------------------------------------- */

/* Random uses of an operator on a target beside the reference executor, until one differs. */
struct tn_selftest {
	const char *op;
	uint32_t on_target, on_host;	/* uses that were compared, by where the operator ran */
	bool differs;
	char where[256];		/* output, element, both values */
	struct tn_graph *graph;		/* the use that differs or did not run, which the caller frees; or NULL */
};
/*
 * Draw, from the seed, until the operator ran on the target in so many uses.  One without a definition, or of more than
 * six operands, is not drawn.  False: a use did not run, and the error says why.
 */
TN_API bool tn_target_selftest(struct tn_target *, struct tn_ctx *, const struct tn_program *, unsigned op, uint32_t uses,
    uint64_t seed, struct tn_selftest *, struct tn_error *);

#endif
