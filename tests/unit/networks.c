/* Each network has the operators and sizes of its publication, in any batch; a seed decides its weights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/tenon.h"
#include "tests/unit/weights.h"

static const struct network {
	const char *name;
	int weights;
	int64_t elements;	/* of the weights */
	int last[4];		/* extents of the last output, the first without the batch */
	int noutput;
	const char *ops;	/* in order of the program's operators */
} networks[] = {
	{"nasrnn", 81, 80 * 512 * 512 + 512, {1, 512}, 1, "add 55 mul 20 relu 10 sigmoid 25 tanh 40 matmul 80"},
	{"bert", 32, 32 * 1024 * 1024, {64, 1024}, 9, "relu 1 matmul 48 transpose 32 reshape 32"},
	{"resnext50", 53, 22911680, {1, 2048, 7, 7}, 1, "add 16 relu 16 conv2d 53 max-pool2d 1"},
	{"resnet50", 52, 23445504, {1, 2048, 7, 7}, 1, "add 16 relu 16 conv2d 52"},
	{"nasneta", 217, 39838528, {1, 5120, 7, 7}, 1, "add 90 conv2d 217 max-pool2d 7 avg-pool2d 51 concat 18"},
	{"squeezenet", 26, 1231552, {1, 1000}, 1, "relu 26 conv2d 26 max-pool2d 3 avg-pool2d 1 concat 8 reshape 1"},
	{"vgg19", 19, 143652544, {1, 1000}, 1, "relu 18 matmul 3 conv2d 16 max-pool2d 5 transpose 3 reshape 3"},
	{"inceptionv3", 94, 21751136, {1, 2048, 1, 1}, 1, "conv2d 94 max-pool2d 5 avg-pool2d 9 concat 30"},
	{"mobilenetv2", 54 + 4 * 53, 3539136, {1, 1000}, 1, "add 10 relu 36 conv2d 54 avg-pool2d 1 batch-norm 53 reshape 1"},
	{"bert-full", 12 * 16, 85054464, {64, 768}, 1,
	    "add 36 mul 24 div 24 erf 12 matmul 96 softmax 12 layer-norm 24 transpose 60 reshape 48"},
};

enum { NETWORKS = sizeof networks / sizeof *networks };

static int nbad;

static void
bad(const char *name, const char *what, const char *got)
{
	printf("%s: %s: %s\n", name, what, got);
	nbad++;
}

static void
check_operators(const struct network *n, const struct tn_graph *g)
{
	char got[512] = "", *to = got;
	int i, count;
	uint32_t k;

	for (i = TN_CORE; i < g->program->nop; i++) {
		for (k = 0, count = 0; k < g->nnode; k++)
			count += g->node[k].op == i;
		if (count)
			to += sprintf(to, "%s%s %d", to == got ? "" : " ", g->program->op[i].name, count);
	}
	if (strcmp(got, n->ops) != 0)
		bad(n->name, n->ops, got);
}

static void
check_weights(const struct network *n, const struct tn_graph *g)
{
	const struct tn_shape *s;
	int64_t all = 0, size;
	int count = 0, k;
	char got[64];
	uint32_t i;

	for (i = 0; i < g->ninput; i++) {
		s = tn_type_get(g->ctx, g->input[i].type);
		if (*g->input[i].name != 'w')
			continue;
		for (k = 0, size = 1; k < s->rank; k++)
			size *= s->dim[k];
		all += size;
		count++;
	}
	snprintf(got, sizeof got, "%d weights, %lld elements", count, (long long)all);
	if (count != n->weights || all != n->elements)
		bad(n->name, "weights", got);
}

static void
check_outputs(const struct network *n, const struct tn_graph *g, int batch)
{
	const struct tn_shape *s = tn_type_get(g->ctx, g->node[g->output[g->noutput - 1].node].type);
	int from = s->rank > 1 && n->last[0] != 1 && batch > 1, k;	/* sequences have an axis in front */
	bool same = (int)g->noutput == n->noutput && s->dim[0] == (from || n->last[0] == 1 ? batch : n->last[0]);
	char got[128];

	for (k = 1; k < 4 && n->last[k]; k++)
		same &= from + k < s->rank && s->dim[from + k] == n->last[k];
	same &= s->rank == from + k;
	tn_type_print(g->ctx, g->node[g->output[g->noutput - 1].node].type, got, sizeof got);
	if (!same)
		bad(n->name, "last output", got);
}

static void
check(const struct network *n, int batch)
{
	struct tn_error e = {0};
	char *text = tn_network_text(n->name, 0, (uint64_t)batch, &e);
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_graph *g;

	weights_to_inputs(text);
	g = tn_graph_parse(ctx, &tn_builtin, n->name, text, strlen(text), &e);
	if (g) {
		check_operators(n, g);
		check_outputs(n, g, batch);
		if (batch == 1)
			check_weights(n, g);
	} else
		bad(n->name, "reading", e.msg);
	tn_graph_free(g);
	tn_ctx_free(ctx);
	free(text);
}

/* the same text again for one seed, another for another */
static void
check_seeds(const char *name)
{
	char *a = tn_network_text(name, 1, 1, NULL), *b = tn_network_text(name, 1, 1, NULL), *c = tn_network_text(name, 2, 1, NULL);

	if (strcmp(a, b) != 0 || strcmp(a, c) == 0)
		bad(name, "seeds", "do not decide");
	free(a);
	free(b);
	free(c);
}

static void
check_refusals(void)
{
	struct tn_error e;

	if (tn_network_text("squeezenets", 0, 1, &e) || tn_network_text("bert", 0, 0, &e) || tn_network_text("bert", 0, 4097, &e) ||
	    tn_network_text("bert", UINT64_MAX, 1, &e))
		bad("networks", "refusals", "something was made");
}

int
main(void)
{
	int i;

	for (i = 0; i < NETWORKS; i++) {
		if (!tn_network_name(i, NULL) || strcmp(tn_network_name(i, NULL), networks[i].name) != 0)
			bad(networks[i].name, "order", "another");
		check(&networks[i], 1);
		check(&networks[i], 3);
		check_seeds(networks[i].name);
	}
	if (tn_network_name(NETWORKS, NULL))
		bad("networks", "count", "more of them");
	check_refusals();
	return nbad > 0;
}
