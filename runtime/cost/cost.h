/*
 * What the parts of costs share: work counted with operands as they lie in memory, what an operator takes
 * along that its operand was made by, modelled devices, and tables of measurements.
 */
#ifndef COST_COST_H
#define COST_COST_H

#include "tenon/tenon.h"

/* ---- work.c ------------------------------------------------------------------------------------------- */

/* tn_op_work with bytes of what is stored; false: not known at these sizes. */
bool op_work(struct tn_ctx *, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], double *flops, double *bytes);

/* ---- view.c ------------------------------------------------------------------------------------------- */

/* Are the result's elements the operand's in its order, so that nothing moves? */
bool view_is_free(const struct tn_op *);
/* Are they every `step`-th of the operand's along an axis, from `from` on? */
struct view_slice {
	int axis;
	tn_dim from;
	int64_t step;
};
bool view_slices(struct tn_ctx *, const struct tn_op *, tn_attrs, struct view_slice *);
/* Do they lie together in the operand, so that the result is a place in it?  (A slice of one image's channels.) */
bool view_is_part(struct tn_ctx *, const struct tn_op *, tn_attrs, tn_type from, tn_type out, const int64_t sizes[]);
/*
 * Does `user` read its operand i from the source of `maker` (of these attributes, type and source type)?
 * Then *s says how: an operator that works element by element on several operands repeats them itself, a
 * product of matrices swaps the last two axes itself.
 */
bool view_is_taken(struct tn_ctx *, const struct tn_op *user, int i, const struct tn_op *maker, tn_attrs, tn_type type,
    tn_type from, struct tn_source *s);

/* Is operand i nowhere where it is one number everywhere?  Others need it in memory. */
bool view_takes_number(const struct tn_op *user, int i);
/* Operand i of the graph's node as it lies in memory, and the node that it is read of. */
uint32_t view_operand(const struct tn_graph *, uint32_t node, int i, struct tn_source *);

/* ---- device.c ----------------------------------------------------------------------------------------- */

struct device {
	double launch_ns, peak_gflops, bandwidth_gbs;
	bool has_parts;			/* a part that lies together is a place in its operand, and costs nothing */
};
/* The program's device of this name; false: it has none. */
bool device_find(const struct tn_program *, const char *name, struct device *, struct tn_error *);
/* Nanoseconds of the operator; false: not known at these sizes. */
bool device_price(const struct device *, struct tn_ctx *, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[], double *ns);

/* ---- table.c ------------------------------------------------------------------------------------------ */

struct table;
/* A table without lines. */
struct table *table_new(const char *identity, const char *model);
/* The file's table, of a target whose name begins its identity, if `target` is not NULL.  NULL and error. */
struct table *table_read(const char *path, const char *target, struct tn_error *);
/* One that is data, which must stay. */
struct table *table_of(const struct tn_costs_table *);
void table_free(struct table *);
const char *table_identity(const struct table *);
/* The modelled device for what the table lacks, and by how much its prices are multiplied. */
const char *table_model(const struct table *, double *scale);
/* False: it has no line with the signature. */
bool table_find(const struct table *, const char *signature, int64_t *ns, bool *is_new);
/* False: it has one already.  is_new: it is told that the line was measured since the table was read. */
bool table_put(struct table *, const char *signature, const struct tn_measurement *, bool is_new);
/* A line of the file's form, which it cuts apart; NULL, or what is wrong with it. */
const char *table_put_text(struct table *, char *line);
const char *table_line(const struct table *, uint32_t i, struct tn_measurement *);
/* What the model says of a line, for the scale. */
void table_note_model(struct table *, const char *signature, double modelled_ns);
/* The median ratio of what was measured to what is modelled, over the lines that are noted; as read without any. */
double table_scale(const struct table *);
void table_write(const struct table *, FILE *);

/* ---- costs.c ------------------------------------------------------------------------------------------ */

/* Where a price comes from: a model, a line that the table had, one that was measured since. */
enum price_source { PRICE_MODELLED, PRICE_MEASURED, PRICE_MEASURED_NOW };
/* The price of one operator. */
int64_t costs_price(struct tn_costs *, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], enum price_source *);

#endif
