/* What an e-graph over tensors knows of a class, which is the analysis' data; records of core operators. */
#ifndef TENSOR_DATA_H
#define TENSOR_DATA_H

#include "tenon/match.h"

struct tensor_data {
	tn_type type;		/* of rank -1 where nothing is known */
	tn_val uniform;		/* FLOAT value that it holds everywhere, or TN_NONE */
	bool is_constant;	/* no graph input and no opaque operator feeds it */
};

/* The record of a fill: the number, as an element of the type holds it, everywhere in a tensor whose shape is known. */
tn_attrs fill_attrs(struct tn_ctx *, double, tn_type);

/* The number in such a record. */
static inline double
fill_of(const struct tn_ctx *c, tn_attrs attrs)
{
	return tn_val_get(c, tn_attrs_get(c, attrs, NULL)[0])->u.f;
}

/* The record {int i} of a core operator. */
tn_attrs number_attrs(struct tn_ctx *, int64_t i);
/* What an attribute is where it is left out; TN_NONE: it must be given. */
tn_val attr_default(struct tn_ctx *, const struct tn_attr_decl *);

#endif
