/* Where the patterns of a rule stood in an e-graph when the rule was applied. */
#ifndef EXPLAIN_SPOT_H
#define EXPLAIN_SPOT_H

#include "base/vec.h"
#include "egraph/proof.h"
#include "tenon/tenon.h"

/* What an operand of a pattern's node is. */
enum operand_kind {
	OPERAND_NODE,		/* another node of the pattern */
	OPERAND_LEAF,		/* an id */
	OPERAND_NUMBER,		/* an id whose class holds one value everywhere */
};
struct operand {
	uint8_t kind;		/* enum operand_kind */
	uint32_t at;
};

/* An operator of a pattern: the e-node, and its operands. */
struct spot_node {
	tn_id enode;
	uint32_t operand;	/* the first, in spot.operand */
};

/* One way in which all patterns of a rule stood there. */
struct spot {
	VEC(struct spot_node) node;
	VEC(struct operand) operand;
	VEC(uint32_t) root;	/* of each pattern: its node */
};

/*
 * Every way in which the rule of the union could match, with its substitution, as the e-graph was before union `before`;
 * attributes are not looked at.  try() may take it: true ends the search, and is returned.
 */
bool spot_find(const struct proof *, struct tn_tensors *, const struct tn_rule_code *, const struct tn_op *, uint32_t u,
    uint32_t before, bool (*try)(void *arg, const struct spot *), void *arg);

#endif
