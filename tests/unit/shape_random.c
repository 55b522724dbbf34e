/* Compiled shape functions and the tree walker say the same for random uses of every operator. */
#include <stdio.h>
#include <string.h>

#include "tensor/random_op.h"
#include "tests/oracle/program.h"
#include "tests/oracle/use.h"

#define TRIES 4000

static int failures;

static void
report(struct tn_ctx *c, const struct tn_infer *walked, bool walk, const struct tn_infer *compiled, bool code)
{
	char text[200];

	failures++;
	printf("%s: walked %d, compiled %d\n", walked->op->name, walk, code);
	use_print(c, walked->op, walked->attrs, walked->nin, walked->in);
	if (walk && code) {
		tn_type_print(c, walked->out, text, sizeof text);
		printf("\twalked %s\n", text);
		tn_type_print(c, compiled->out, text, sizeof text);
		printf("\tcompiled %s\n", text);
	}
}

/* Number of tries that both accept. */
static int
try_op(const struct tn_op *op, struct random_op *r)
{
	int accepted = 0;

	for (int i = 0; i < TRIES && failures < 5; i++) {
		tn_type in[2][MAX_IN];
		struct tn_infer walked, compiled;
		int nin;
		tn_attrs attrs = random_op(r, op, in[0], &nin);
		bool walk, code;

		memcpy(in[1], in[0], sizeof in[0]);
		walked = (struct tn_infer){.ctx = r->ctx, .op = op, .attrs = attrs, .nin = nin, .in = in[0],
			.keep_unknown = i & 1};
		compiled = walked;
		compiled.in = in[1];
		walk = tn_infer_walk(&walked);
		code = op->shape(&compiled);
		if (walk != code || (walk && walked.out != compiled.out))
			report(r->ctx, &walked, walk, &compiled, code);
		accepted += walk && code;
	}
	return accepted;
}

int
main(int argc, char **argv)
{
	const struct tn_program *p = program_of(argc, argv);

	if (!p)
		return 1;
	for (int i = 0; i < p->nop; i++) {
		const struct tn_op *op = &p->op[i];
		struct random_op r = {.ctx = tn_ctx_new(), .rng = {(uint64_t)i}, .nsym = i % 2 ? 3 : 1, .scale = 4};
		int accepted;

		if (i != TN_FILL && i < TN_CORE) {
			tn_ctx_free(r.ctx);
			continue;
		}
		if (!op->shape) {
			printf("%s: no compiled shape function\n", op->name);
			failures++;
		} else if ((accepted = try_op(op, &r)) == 0) {
			printf("%s: no use of it was accepted\n", op->name);
			failures++;
		}
		tn_ctx_free(r.ctx);
	}
	return failures != 0;
}
