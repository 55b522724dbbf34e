/* Uses of operators: see use.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/execute.h"
#include "tests/oracle/use.h"

struct tn_array
use_array(const struct tn_ctx *c, tn_type type)
{
	struct tn_array a;
	struct tn_error e;

	if (array_make(c, type, NULL, &a, &e))
		return a;
	printf("%s\n", e.msg);
	exit(1);
}

static void
print_attrs(const struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs)
{
	char text[400];
	int i, n;

	for (i = 0; i < op->nattr; i++) {
		tn_val_print(c, op->attr[i].enums, tn_attrs_get(c, attrs, &n)[i], text, sizeof text);
		printf("\t%s %s\n", op->attr[i].name, text);
	}
}

void
use_print(const struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, int nin, const tn_type in[])
{
	char text[400];
	int i;

	for (i = 0; i < nin; i++) {
		tn_type_print(c, in[i], text, sizeof text);
		printf("\toperand %s\n", text);
	}
	print_attrs(c, op, attrs);
}

void
use_print_eval(const struct tn_eval *ev)
{
	int i, k;

	for (i = 0; i < ev->nin; i++) {
		printf("\toperand");
		for (k = 0; k < ev->in[i].rank; k++)
			printf(" %lld", (long long)ev->in[i].dim[k]);
		printf("\n");
	}
	print_attrs(ev->ctx, ev->op, ev->attrs);
}
