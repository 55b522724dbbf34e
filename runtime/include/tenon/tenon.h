/*
 * Tenon's stages, from a model to a cheaper equal one.  Each reads its left neighbour's result.
 *
 *	tn_onnx_open -> tn_tensors_new -> tn_saturate -> tn_extract -> tn_tensors_graph -> tn_onnx_write
 */
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include "graph.h"
#include "table.h"

/* "0.1.0" */
TN_API const char *tn_version(void);
/* The operators and rules compiled in from rules/. */
extern TN_API const struct tn_program tn_builtin;

/* ---- graph <-> e-graph (runtime/tensor) -------------------------------------------------------- */

/* An e-graph over tensors: classes carry type, constancy and the one value of uniform tensors. */
struct tn_tensors;
/* All nodes of the graph, which must stay until it is freed; with_proof: unions remember their rules. */
TN_API struct tn_tensors *tn_tensors_new(struct tn_ctx *, const struct tn_program *, const struct tn_graph *, bool with_proof);
TN_API void tn_tensors_free(struct tn_tensors *);
/* Its e-graph, and what rules search it with; both belong to it. */
TN_API struct tn_egraph *tn_tensors_egraph(struct tn_tensors *);
TN_API struct tn_search *tn_tensors_search(struct tn_tensors *);
/* The graph it was made of. */
TN_API const struct tn_graph *tn_tensors_source(const struct tn_tensors *);
/* Class of each graph node; outputs are the roots. */
TN_API const tn_id *tn_tensors_classes(const struct tn_tensors *);
/* The class's type; does no graph input feed it? */
TN_API tn_type tn_tensors_type(const struct tn_tensors *, tn_id class);
TN_API bool tn_tensors_is_constant(const struct tn_tensors *, tn_id class);
/* The one FLOAT value that it holds everywhere, known now; or TN_NONE. */
TN_API tn_val tn_tensors_uniform(const struct tn_tensors *, tn_id class);
/* The class of a number everywhere in a tensor of this type. */
TN_API tn_id tn_tensors_fill(struct tn_tensors *, double, tn_type);
/* The graph of a choice (node per class, TN_NONE unused).  Nodes of the original keep their origin.  node_of[] (NULL
 * allowed, tn_nids() + 1 of them) says which node a class became, or TN_NONE. */
TN_API struct tn_graph *tn_tensors_graph(const struct tn_tensors *, const struct tn_graph *original,
    const tn_id choice[], uint32_t node_of[], struct tn_error *);

struct tn_fold {
	size_t growth_bytes;		/* so much may the graph's weights grow */
	bool no_values;			/* what is folded has no data: enough to price the graph by, and computes nothing */
	double time_s;			/* 0: no limit; what has no value by then stays an operator */
	const volatile int *interrupted;	/* set by a signal handler; may be NULL */
	bool *left;			/* a byte a node: set for weight-only operators that stay; NULL: not asked */
};

/* Evaluate weight-only nodes into weights, or fills where they hold one value, and drop what no output needs;
 * how many operators are gone.  *is_late (NULL allowed): there was no time for all. */
TN_API uint32_t tn_graph_fold(struct tn_graph *, const struct tn_fold *, bool *is_late);
/* Which weight-only operators that would leave: one byte a node, caller frees; NULL where the graph cannot be copied. */
TN_API bool *tn_graph_unfolded(const struct tn_graph *, size_t growth_bytes);

/* ---- networks of the literature (models/) -------------------------------------------------------- */

/* Name of the i-th, and in a few words what it is; NULL after the last. */
TN_API const char *tn_network_name(int i, const char **what);
/* A network as .graph text, malloc'ed: its weights follow from the seed, its inputs' leading extent is the batch. */
TN_API char *tn_network_text(const char *name, uint64_t seed, uint64_t batch, struct tn_error *);

/* ---- saturation (runtime/saturate) --------------------------------------------------------------- */

enum tn_stop { TN_STOP_SATURATED, TN_STOP_ITERATIONS, TN_STOP_NODES, TN_STOP_TIME, TN_STOP_INTERRUPT, TN_STOP_DEFECT };
enum tn_scheduler { TN_SIMPLE, TN_BACKOFF };

/* What keeps cycles out of the e-graph: nothing, so that extraction must; or the newest node of each is
 * excluded after each iteration, and what would close one is not added, as far as the last snapshot tells
 * (efficient), or as the e-graph is before each application (vanilla). */
enum tn_filter { TN_FILTER_NONE, TN_FILTER_EFFICIENT, TN_FILTER_VANILLA };

struct tn_limits {
	uint32_t iterations;		/* of tidying, and then of all rules; 0: none */
	size_t nodes;			/* canonical e-nodes, tested inside apply; 0: none */
	double time_s;			/* 0: none */
	enum tn_scheduler scheduler;
	uint32_t match_limit, ban_length;	/* back-off; 0: 1000 and 5 */
	bool no_delta;
	uint32_t multi_iterations;	/* multi-pattern rules take part in the first so many iterations after normalisation */
	enum tn_filter cycles;
	uint64_t max_applies;		/* bisecting a wrong result; 0: none */
	const volatile int *interrupted;	/* set by a signal handler; may be NULL */
	const bool *rule_on;		/* per rule, or NULL: all but those that are off by default */
};

struct tn_iteration {
	size_t nodes, classes;
	uint64_t matches, applied;
	double search_s, apply_s, rebuild_s;
};

struct tn_rule_stat {
	uint64_t matches, applied;
	uint64_t refused_shape, refused_cycle, refused_limit;	/* the other matches, by what stood against them */
	uint32_t bans;
	double search_s, apply_s;
};

struct tn_report {
	enum tn_stop stop;
	const char *defect;			/* TN_STOP_DEFECT: which invariant */
	uint32_t niteration;
	struct tn_iteration *iteration;
	struct tn_rule_stat *rule;		/* per rule of the program */
	size_t bytes;
	size_t excluded;			/* e-nodes left out by the cycle filter */
};

/* Run rules on g until nothing changes or a limit holds.  `(phase normalise)` rules go to their fixpoint first. */
TN_API struct tn_report *tn_saturate(struct tn_egraph *, struct tn_search *, const struct tn_program *, const struct tn_limits *,
    void (*progress)(void *, const struct tn_report *), void *arg);
TN_API void tn_report_free(struct tn_report *);

/* Terms of a file, each a root: (op TERM …), a number, or a name, which is a TN_INPUT of its own. */
struct tn_terms {
	uint32_t nroot, nname;
	tn_id *root;			/* in the order of the file */
	const char **name;		/* of inputs by their index; owned by the context */
};
/* Add the terms to an e-graph of scalars without analysis.  False: the file is wrong (error says where);
 * nothing is left to free then, but part of the terms may have been added. */
TN_API bool tn_terms_read(struct tn_egraph *, struct tn_search *, struct tn_ctx *, const struct tn_program *,
    const char *path, struct tn_terms *, struct tn_error *);
TN_API void tn_terms_free(struct tn_terms *);

/* ---- extraction (runtime/extract) -------------------------------------------------------------------- */

enum tn_method { TN_TREE, TN_DAG, TN_ILP, TN_ILP_PLAIN, TN_BRUTE };
/* How TN_ILP_PLAIN keeps solutions acyclic: by places of classes in an order, or by rows once a cycle is there. */
enum tn_cycles { TN_REAL_ORDER, TN_WHOLE_ORDER, TN_LAZY };

/* What is extracted from: plain arrays, so that any e-graph can be given. */
struct tn_problem {
	uint32_t nclass, nnode, nroot;
	const uint32_t *first;		/* nodes of class c: first[c] … first[c + 1] - 1 */
	const uint32_t *kid_first;	/* children of node n: kid[kid_first[n]] … */
	const uint32_t *kid;		/* classes */
	const int64_t *cost;		/* of a node, at least 0; TN_COST_NEVER: not to be chosen */
	const uint32_t *root;
	const uint32_t *prefer;		/* node per class preferred among equal totals, or TN_NONE; NULL */
};
#define TN_COST_NEVER INT64_MAX

struct tn_extract_options {
	enum tn_method method;
	double time_s;			/* 0: no limit */
	size_t memory;			/* bytes for sets of classes; steps that need more rest; 0: a gibibyte */
	uint64_t seed;
	enum tn_cycles cycles;		/* TN_ILP_PLAIN */
	const char *reduce;		/* reductions left out, "-inline,-override"; NULL: none */
	const char *cuts;		/* the same of cuts */
	const volatile int *interrupted;	/* set by a signal handler; may be NULL */
	void (*progress)(void *arg, int64_t cost, int64_t bound);	/* as they get better; may be NULL */
	void *arg;
};

/* How it went.  What a step took away is counted over all rounds; inlining may add nodes. */
struct tn_extract_step {
	const char *name;
	int64_t classes, nodes, edges;
	double seconds;
};
struct tn_extract_size {
	uint32_t classes, nodes, components, largest;	/* largest: nodes of the largest component */
	uint64_t edges;
};
struct tn_extract_report {
	int64_t tree, dag, local;	/* costs by greed and after local search; -1: not tried */
	struct tn_extract_size before, after;	/* as given, and after the reductions */
	uint32_t nround, nstep;		/* of the reductions */
	struct tn_extract_step step[16];
	uint32_t nequal;		/* components not solved because an equal one was */
	uint64_t programs, relaxations, branches, out;	/* of solving; out: nodes and classes that bounds decided */
	uint32_t ncut;
	struct tn_extract_cut {
		const char *name;
		uint64_t n;
	} cut[8];
	double greedy_s, reduce_s, solve_s;
};

struct tn_choice {
	uint32_t *node;			/* per class; TN_NONE: not needed */
	int64_t cost;			/* summed over distinct chosen classes by code that knows no solver */
	int64_t bound;			/* proven lower bound; equal to cost: proven optimal */
	bool is_proven, is_interrupted;
	struct tn_extract_report report;
};

/* The cheapest acyclic choice that covers the roots.  NULL: there is none, or the problem or the options are
 * wrong (error says so). */
TN_API struct tn_choice *tn_extract(const struct tn_problem *, const struct tn_extract_options *, struct tn_error *);
TN_API void tn_choice_free(struct tn_choice *);
/* log2 of the number of choices, one node in each class that the roots reach: no fewer than there are graphs; -INFINITY: none. */
TN_API double tn_problem_log2_choices(const struct tn_problem *);

/* Write the program that the reductions leave, for another solver, as text in the LP format of CPLEX or in MPS.  Its least
 * value is the least cost.  False: as for tn_extract. */
enum tn_format { TN_LP, TN_MPS };
TN_API bool tn_extract_write(const struct tn_problem *, const struct tn_extract_options *, enum tn_format, FILE *,
    struct tn_error *);
/*
 * Read what a solver found for that program, written with the same options: lines of `name value`, or as cbc writes
 * them.  node[] (per class) is then a valid choice, checked on the e-graph, of *cost; it can be tn_problem.prefer.
 */
TN_API bool tn_extract_read(const struct tn_problem *, const struct tn_extract_options *, const char *path, uint32_t node[],
    int64_t *cost, struct tn_error *);

/* An e-graph from a file, as an extraction problem. */
struct tn_egraph_file {
	struct tn_problem problem;
	const char *const *class_name;	/* as the file calls them */
	const char *const *node_name, *const *node_op;
	const char *units;		/* how costs are counted: "in units of 1e-06" */
	bool is_rounded;		/* costs are the nearest multiples of the unit */
};
/*
 * Read JSON of the egraph-serialize format, plain or gzipped; "-" is standard input.  Costs become
 * multiples of a unit: "auto" (decimals where they are such, else powers of two), "exact" (a power of two),
 * or a number.  NULL: not such a file, and the error says where.
 */
TN_API struct tn_egraph_file *tn_egraph_file_read(const char *path, const char *unit, struct tn_error *);
TN_API void tn_egraph_file_free(struct tn_egraph_file *);
/* A cost in the file's own numbers. */
TN_API void tn_egraph_file_cost(const struct tn_egraph_file *, int64_t cost, char out[64]);
/* How a node's operator is called: cut to size, returns the full length. */
struct tn_problem_text {
	void *arg;
	size_t (*op)(void *arg, uint32_t node, char *out, size_t size);
};
/* Write what tn_egraph_file_read reads as the same problem; nodes and classes are named by their numbers. */
TN_API void tn_problem_write(const struct tn_problem *, const struct tn_problem_text *, FILE *);

/* ---- cost (runtime/cost) ------------------------------------------------------------------------------- */

struct tn_costs;			/* a modelled device, or a table of measurements with one for what it lacks */
TN_API struct tn_costs *tn_costs_device(struct tn_ctx *, const struct tn_program *, const char *device, struct tn_error *);
/*
 * A table of measurements (tenon-costs in tenon(1)).  target NULL: of any; else the table must be of that one.
 * NULL: it is not, or a line is wrong, and the error says which.
 */
TN_API struct tn_costs *tn_costs_read(struct tn_ctx *, const struct tn_program *, const char *path, const char *target,
    struct tn_error *);
/* A table that is data in memory, and stays there. */
TN_API struct tn_costs *tn_costs_of(struct tn_ctx *, const struct tn_program *, const struct tn_costs_table *, struct tn_error *);
/* A table without lines, of this identity; what it lacks is modelled as the device. */
TN_API struct tn_costs *tn_costs_new(struct tn_ctx *, const struct tn_program *, const char *identity, const char *device,
    struct tn_error *);
TN_API void tn_costs_free(struct tn_costs *);
TN_API const char *tn_costs_label(const struct tn_costs *);	/* "modelled t4", or the table's identity */
TN_API const char *tn_costs_model(const struct tn_costs *);	/* for what is not measured: "t4", "cpu times 1.25" */

/* An operand as it lies in memory. */
struct tn_source {
	tn_type type;		/* what the operator is given */
	tn_type stored;		/* what is read: 1 at axes that the operator repeats itself; TN_NONE: a number, which is nowhere */
	bool is_transposed;	/* stored with the last two axes swapped, as products of matrices take it */
};
/* Measures an operator that the table lacks; true: *m becomes its line. */
typedef bool tn_measure_fn(void *arg, const char *signature, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[], struct tn_measurement *m);
/* Ask it wherever a line is missing; NULL: no more. */
TN_API void tn_costs_measure(struct tn_costs *, tn_measure_fn *, void *arg);
/* From now on what is not measured is modelled at the scale that tn_costs_write would give the model. */
TN_API void tn_costs_rescale(struct tn_costs *);
/* Add a line; false: there is one of the signature.  Its text is copied. */
TN_API bool tn_costs_put(struct tn_costs *, const char *signature, const struct tn_measurement *);
/* Add a line as it stands in a file, which is cut apart, unless there is one of the signature; NULL, or what is wrong with it. */
TN_API const char *tn_costs_put_text(struct tn_costs *, char *line);
/* Line i, in order of signatures; NULL after the last. */
TN_API const char *tn_costs_line(const struct tn_costs *, uint32_t i, struct tn_measurement *);
/* Write the table.  Its model's scale is the median ratio of what was measured to what is modelled, over the lines that were
 * asked for; without any it stays as it was. */
TN_API void tn_costs_write(const struct tn_costs *, FILE *);

/* Price in nanoseconds of one operator, symbols at sizes[]; TN_COST_NEVER: not known there. */
TN_API int64_t tn_costs_op(struct tn_costs *, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[]);

/* What a table knows the operator by, cut to size; the full length, 0 where it is not known at these sizes. */
TN_API size_t tn_costs_signature(struct tn_ctx *, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[], char *text, size_t size);

struct tn_bill {
	int64_t ns;		/* TN_COST_NEVER: an operator has no price at these sizes */
	uint32_t operators;	/* that run: declared and opaque ones, less those that their users take along */
	uint32_t measured, measured_now, modelled;	/* of those that cost something: by a line that was there, one made since */
};
struct tn_bill_lines {
	void (*tell)(void *arg, uint32_t node, const char *signature, int64_t ns, bool is_measured);
	void *arg;
};
/* What the graph's outputs cost, and line by line if `each` is not NULL.  Weight-only parts count: fold them before. */
TN_API void tn_costs_graph(struct tn_costs *, const struct tn_graph *, const int64_t sizes[], const struct tn_bill_lines *each,
    struct tn_bill *);

/* The extraction problem of a rebuilt e-graph: outputs of its graph as roots, whose own nodes are preferred. */
struct tn_pricing {
	bool (*can_choose)(void *arg, tn_id enode);	/* NULL: any; constant parts are folded, so any may stand there */
	void *arg;
	const bool *is_made;	/* per class id: constant, and all the same made anew each time, at its price; NULL: none */
	bool with_views;	/* users may read what their operands are made of; a choice may then be cyclic as a graph */
};
struct tn_priced;
/* All arguments must stay until it is freed. */
TN_API struct tn_priced *tn_costs_egraph(struct tn_costs *, struct tn_tensors *, const int64_t sizes[],
    const struct tn_pricing *);
TN_API void tn_priced_free(struct tn_priced *);
TN_API const struct tn_problem *tn_priced_problem(const struct tn_priced *);
/* The e-node of a problem node; one may have several. */
TN_API tn_id tn_priced_node(const struct tn_priced *, uint32_t node);
/* The choice as e-node per e-class id (tn_nids of them), for tn_tensors_graph; caller frees. */
TN_API tn_id *tn_priced_choice(const struct tn_priced *, const struct tn_choice *);

/* Floating-point operations and bytes moved, counted from def. */
TN_API bool tn_op_work(struct tn_ctx *, const struct tn_op *, tn_attrs, const tn_type in[], int nin, tn_type out,
    const int64_t sizes[], double *flops, double *bytes);

/* ---- reference executor and comparison (runtime/ref) ------------------------------------------------------ */

/* Values of graph inputs: arrays in order of graph inputs, dims numbers that fit the input types. */
typedef bool tn_opaque_fn(void *arg, const struct tn_graph *, uint32_t opaque, const struct tn_array in[],
    struct tn_array out[], struct tn_error *);
struct tn_exec {
	const struct tn_array *input;
	const int64_t *sizes;			/* of symbols */
	tn_opaque_fn *opaque;			/* evaluates opaque operators; NULL: they get seeded random results of their types */
	void *arg;
	uint64_t seed;
	void (*progress)(void *, uint32_t done, uint32_t all);
	const volatile int *interrupted;
};
/* The elements that one tensor may have at these sizes. */
#define TN_MOST_ELEMENTS (INT64_C(1) << 30)
/* One array per graph output, malloc'ed; free with tn_arrays_free.  v is NULL and rank -1 where a type
 * tells no shape or its elements are no numbers.  NULL: interrupted, a shape check does not hold at these sizes, or
 * a tensor is too large, as the error says. */
TN_API struct tn_array *tn_execute(const struct tn_graph *, const struct tn_exec *, struct tn_error *);
TN_API void tn_arrays_free(struct tn_array *, uint32_t n);

struct tn_difference {
	bool differs;
	char where[256];	/* output, element, both values */
	double worst;		/* largest |a-b| as a share of what is allowed: at most 1 is equal */
	/* graphs: elements that were compared, of one size; those that were NaN in both on every input that was tried */
	uint64_t elements, never;
};
/* |a-b| <= 1e-5*max|a| + 1e-4*|a|, NaN equal to NaN, integers exact; shapes and dtypes equal.  Where weights are
 * stored in f16 or bf16, folding rounds: 8 and 16 units of theirs in place of 1e-5 and 1e-4.  The name, as
 * "output y", goes into the report. */
TN_API void tn_arrays_compare(const struct tn_array *a, const struct tn_array *b, const char *name,
    struct tn_difference *);
/* How far apart elements may be: |a-b| <= of_most*max(most, max|a|) + of_a*|a|. */
struct tn_slack {
	double of_most, of_a, most;
};
/* The same with slack of one's own; whole numbers stay exact. */
TN_API void tn_arrays_compare_within(const struct tn_array *a, const struct tn_array *b, const char *name,
    const struct tn_slack *, struct tn_difference *);
/*
 * Do both graphs compute the same outputs on `seeds` random inputs at these sizes?  Inputs and outputs
 * must bear the same names.  What both compute is computed once, or not at all where it decides nothing.
 * The first inputs are normal numbers, then positive ones; where all that comes of one is NaN, so that nothing
 * was compared, more are drawn: within 1, above 1, negative.  Opaque operators must be the same ones, by
 * tn_graph_describe and origin, on equal operands.  Where
 * half of time_s (0: no limit) does not do for all of it, changed regions are compared by themselves, on
 * random values at their borders.  False: not found out, the error says why.
 */
TN_API bool tn_graphs_compare(const struct tn_graph *, const struct tn_graph *, int seeds, const int64_t sizes[],
    double time_s, struct tn_difference *, struct tn_error *);
struct tn_comparing {
	int seeds;				/* at least 1 */
	const int64_t *sizes;			/* of symbols */
	double time_s;				/* 0: no limit */
	const struct tn_array *given;		/* by input of the first graph, v NULL: random; NULL: all are */
	const volatile int *interrupted;	/* not 0: give up, TN_E_INTERRUPT; or NULL */
};
/* The same with some inputs given, or to be given up. */
TN_API bool tn_graphs_compare_on(const struct tn_graph *, const struct tn_graph *, const struct tn_comparing *,
    struct tn_difference *, struct tn_error *);
/* Are they the same, node by node, whatever their order? */
TN_API bool tn_graphs_same(const struct tn_graph *, const struct tn_graph *);

/* NumPy's .npy files, for inputs that are given; elements are stored in the array's type.  v is malloc'ed. */
TN_API bool tn_npy_read(const char *path, struct tn_array *, struct tn_error *);
TN_API bool tn_npy_write(const char *path, const struct tn_array *, struct tn_error *);

/* ---- ONNX (runtime/onnx) --------------------------------------------------------------------------------------- */

struct tn_onnx;				/* an opened model: the mapped file and what was read of it */
struct tn_onnx_options {
	int nshape;			/* --shape NAME=a,b,c: narrow an input */
	const char *const *shape;
	bool fold_overridable;		/* initializers that are also graph inputs count as constants */
};
TN_API struct tn_onnx *tn_onnx_open(struct tn_ctx *, const struct tn_program *, const char *path,
    const struct tn_onnx_options *, struct tn_error *);
TN_API void tn_onnx_close(struct tn_onnx *);
/* The model as a graph; valid until closed. */
TN_API const struct tn_graph *tn_onnx_graph(const struct tn_onnx *);
/*
 * The forms that files have.  What Tenon has as one operator and an opset as several (a convolution with its
 * activation, hard-swish before opset 14) is written as several, and is to be priced and compared so.
 * x NULL: as tn_onnx_export writes.
 *
 * legal	the graph as it is written: a new one that borrows its weights.  at[] (NULL allowed): its node for each of g's.
 *		NULL and error.
 * take_apart	join each e-node that is written as several to its parts; false: that contradicts something.
 * can_write	is the e-node written as one operator?  (LayerNormalization came with opset 17.)
 */
TN_API struct tn_graph *tn_onnx_legal(const struct tn_onnx *x, const struct tn_graph *g, uint32_t at[], struct tn_error *);
TN_API bool tn_onnx_take_apart(const struct tn_onnx *x, struct tn_tensors *);
TN_API bool tn_onnx_can_write(const struct tn_onnx *x, struct tn_tensors *, tn_id enode);
/* Write graph g (derived from the opened one) over the original's frame: what no rule changed comes out as it was. */
TN_API bool tn_onnx_write(const struct tn_onnx *, const struct tn_graph *g, const char *path, struct tn_error *);
/* Write a graph that came from nowhere (tenon model). */
TN_API bool tn_onnx_export(const struct tn_graph *, const char *path, struct tn_error *);

#endif
