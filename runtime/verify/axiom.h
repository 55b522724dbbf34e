/* Axioms applied to the sides of an instance. */
#ifndef VERIFY_AXIOM_H
#define VERIFY_AXIOM_H

#include "base/buf.h"
#include "verify/instance.h"

struct axiom {
	const struct tn_rule *rule;
	bool is_tried;			/* applied to the instance at hand */
	bool is_used;			/* an instance held because of it */
};

struct axioms {
	bool is_found;
	VEC(struct axiom) rule;
};

/* Those of the program that can be used. */
void axioms_find(struct axioms *, const struct tn_program_text *);
/* Both sides of every arrow become what the axioms make of them; false: none applied. */
bool axioms_apply(struct axioms *, struct instance *);
/* What was applied last was needed. */
void axioms_note(struct axioms *);
/* "tanh-odd, log-exp"; malloc'ed, or NULL if none was needed. */
char *axioms_text(const struct axioms *);

#endif
