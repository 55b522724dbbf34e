/*
 * NasNet-A (Zoph et al., Learning Transferable Architectures, 2018) as TASO and TENSAT evaluated it:
 * three stages of five normal cells and a reduction.
 */
#include "models/net.h"

enum { STAGES = 3, CELLS = 5, BRANCHES = 5 };

/* a 1x1 convolution to the cell's width */
static struct value
squeeze(struct net *m, struct value x, int width)
{
	return net_conv(m, x, (struct conv){.out = width, .k = {1, 1}, .act = "relu"});
}

/* a separable convolution: every channel by itself, then across channels */
static struct value
separable(struct net *m, struct value x, int k, int stride)
{
	int width = x.dim[1];

	x = net_conv(m, x, (struct conv){.out = width, .k = {k, k}, .stride = stride, .groups = width});
	return net_conv(m, x, (struct conv){.out = width, .k = {1, 1}});
}

static struct value
average(struct net *m, struct value x, int stride)
{
	return net_pool(m, x, (struct pool){"avg-pool2d", 3, stride, false});
}

static struct value
largest(struct net *m, struct value x)
{
	return net_pool(m, x, (struct pool){"max-pool2d", 3, 2, false});
}

static struct value
add(struct net *m, struct value x, struct value y)
{
	return net_binary(m, "add", x, y);
}

static struct value
normal(struct net *m, struct value prev, struct value cur, int width)
{
	struct value y[BRANCHES], a, b;

	cur = squeeze(m, cur, width);
	prev = squeeze(m, prev, width);
	y[0] = add(m, separable(m, cur, 3, 1), cur);
	a = separable(m, prev, 3, 1);
	b = separable(m, cur, 3, 1);
	y[1] = add(m, a, b);
	y[2] = add(m, average(m, cur, 1), prev);
	a = average(m, prev, 1);
	b = average(m, prev, 1);
	y[3] = add(m, a, b);
	a = separable(m, prev, 3, 1);
	b = separable(m, prev, 3, 1);
	y[4] = add(m, a, b);
	return net_concat(m, BRANCHES, y);
}

static struct value
reduction(struct net *m, struct value prev, struct value cur, int width)
{
	struct value y[BRANCHES], a, b;

	cur = squeeze(m, cur, width);
	prev = squeeze(m, prev, width);
	a = separable(m, prev, 7, 2);
	b = separable(m, cur, 5, 2);
	y[0] = add(m, a, b);
	a = largest(m, cur);
	b = separable(m, prev, 7, 2);
	y[1] = add(m, a, b);
	a = average(m, cur, 2);
	b = separable(m, prev, 5, 2);
	y[2] = add(m, a, b);
	a = largest(m, cur);
	b = separable(m, y[0], 3, 1);
	y[3] = add(m, a, b);
	y[4] = add(m, average(m, y[0], 1), y[1]);
	return net_concat(m, BRANCHES, y);
}

void
nasneta(struct net *m)
{
	struct value x = net_input(m, 4, (int[]){m->batch, 3, 224, 224}), prev, cur, next;
	int stage, i, width = 128;

	x = net_conv(m, x, (struct conv){.out = 64, .k = {7, 7}, .stride = 2, .act = "relu"});
	x = largest(m, x);
	for (stage = 0; stage < STAGES; stage++) {
		net_note(m, "stage %d", stage + 1);
		prev = cur = x;
		for (i = 0; i < CELLS; i++, prev = cur, cur = next)
			next = normal(m, prev, cur, width);
		width *= 2;
		net_note(m, "reduction");
		x = reduction(m, prev, cur, width);
	}
	net_output(m, x);
}
