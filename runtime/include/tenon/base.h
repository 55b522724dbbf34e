/*
 * Integer handles, errors and library-wide facts that every other header uses.
 *
 * Handles index pools owned by one struct tn_ctx (ctx.h); handles of two contexts do not mix.
 * Nothing in the library prints or exits; out of memory ends the process through tn_on_oom.
 * A context and all made from it belong to one thread at a time.
 */
#ifndef TENON_BASE_H
#define TENON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_API __attribute__((visibility("default")))
#define TN_PRINTF(f, a) __attribute__((format(printf, f, a)))

#define TN_MAX_RANK 8		/* axes of a tensor; a tensor with more stays opaque */
#define TN_MAX_OPERANDS 32767	/* of a node, and children of an e-node */
#define TN_NONE UINT32_MAX	/* no node, class, value, record or type */

typedef uint32_t tn_id;		/* e-node, and e-class named by the node it was born with */
typedef uint32_t tn_val;	/* interned attribute value */
typedef uint32_t tn_attrs;	/* interned record of attribute values, one per attribute; 0 is empty */
typedef uint32_t tn_type;	/* interned tensor type */
typedef int64_t tn_dim;		/* an extent: a number, or a handle of a symbolic expression (ctx.h) */

/* Kinds of failure; each has one exit status of the programs (exit.def). */
enum tn_code {
	TN_OK,
	TN_E_INPUT,		/* the user's file or model is wrong: exit 1 */
	TN_E_IO,		/* usage or the operating system: exit 2 */
	TN_E_MISSING,		/* a device or library is not there: exit 3 */
	TN_E_DEFECT,		/* our own fault, or a failed verification: exit 4 */
	TN_E_INTERRUPT,		/* stopped by the user: exit 130 */
};

/* What went wrong, for people.  Filled only by calls that return false or NULL. */
struct tn_error {
	enum tn_code code;
	char msg[512];
};

/* Set *e (NULL allowed) and return false, so that a caller may write `return tn_fail(...)`. */
TN_API bool tn_fail(struct tn_error *e, enum tn_code, const char *fmt, ...) TN_PRINTF(3, 4);

/* Called once, with the size asked for, before the process ends for want of memory. */
extern TN_API void (*tn_on_oom)(size_t size_bytes);

#endif
