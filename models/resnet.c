/*
 * ResNet-50 (He et al., Deep Residual Learning, 2016) and ResNeXt-50 with 32 groups (Xie et al.,
 * Aggregated Residual Transformations, 2017), as TASO and TENSAT evaluated them: without batch
 * normalisation and classifier, ResNet without its stem, and with a relu on the shortcut.
 */
#include "models/net.h"

enum { STAGES = 4 };
static const int blocks[STAGES] = {3, 4, 6, 3};

/* what a stage's first block has instead of its input where that has another size */
static struct value
shortcut(struct net *m, struct value x, int out, int stride)
{
	if (stride == 1 && x.dim[1] == out)
		return x;
	return net_conv(m, x, (struct conv){.out = out, .k = {1, 1}, .stride = stride, .act = "relu"});
}

/* 1x1, 3x3 with the stride and the groups, 1x1; plus the input */
static struct value
block(struct net *m, struct value x, int width, int out, int stride, int groups)
{
	struct value y = net_conv(m, x, (struct conv){.out = width, .k = {1, 1}, .act = "relu"});

	y = net_conv(m, y, (struct conv){.out = width, .k = {3, 3}, .stride = stride, .groups = groups, .act = "relu"});
	y = net_conv(m, y, (struct conv){.out = out, .k = {1, 1}});
	return net_unary(m, "relu", net_binary(m, "add", shortcut(m, x, out, stride), y));
}

/* four stages, each with twice the channels and, after the first, half the extents */
static struct value
stages(struct net *m, struct value x, int width, int widening, int groups)
{
	int i, k;

	for (i = 0; i < STAGES; i++, width *= 2) {
		net_note(m, "stage %d", i + 1);
		for (k = 0; k < blocks[i]; k++)
			x = block(m, x, width, widening * width, i > 0 && k == 0 ? 2 : 1, groups);
	}
	return x;
}

void
resnet50(struct net *m)
{
	net_output(m, stages(m, net_input(m, 4, (int[]){m->batch, 64, 56, 56}), 64, 4, 1));
}

void
resnext50(struct net *m)
{
	struct value x = net_input(m, 4, (int[]){m->batch, 3, 224, 224});

	x = net_conv(m, x, (struct conv){.out = 64, .k = {7, 7}, .stride = 2, .act = "relu"});
	x = net_pool(m, x, (struct pool){"max-pool2d", 3, 2, false});
	net_output(m, stages(m, x, 128, 2, 32));
}
