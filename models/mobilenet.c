/* MobileNet-v2 (Sandler et al., 2018) as TENSAT's file has it: batch normalisation apart, relu for relu6. */
#include "models/net.h"

static struct value
conv_norm(struct net *m, struct value x, struct conv c)
{
	return net_batch_norm(m, net_conv(m, x, c));
}

static struct value
conv_relu(struct net *m, struct value x, struct conv c)
{
	return net_unary(m, "relu", conv_norm(m, x, c));
}

/* widen, filter each channel, narrow; plus the input where the sizes are the same */
static struct value
inverted(struct net *m, struct value x, int widening, int out, int stride)
{
	int inner = widening * x.dim[1];
	struct value y = conv_relu(m, x, (struct conv){.out = inner, .k = {1, 1}});

	y = conv_relu(m, y, (struct conv){.out = inner, .k = {3, 3}, .stride = stride, .groups = inner});
	y = conv_norm(m, y, (struct conv){.out = out, .k = {1, 1}});
	return stride == 1 && x.dim[1] == out ? net_binary(m, "add", x, y) : y;
}

void
mobilenetv2(struct net *m)
{
	static const struct {
		int out, blocks, stride;
	} stage[] = {{24, 2, 2}, {32, 3, 2}, {64, 4, 2}, {96, 3, 1}, {160, 3, 2}, {320, 1, 1}};
	struct value x = net_input(m, 4, (int[]){m->batch, 3, 224, 224});
	int i, k;

	x = conv_relu(m, x, (struct conv){.out = 32, .k = {3, 3}, .stride = 2});
	x = inverted(m, x, 1, 16, 1);
	for (i = 0; i < (int)(sizeof stage / sizeof *stage); i++)
		for (k = 0; k < stage[i].blocks; k++)
			x = inverted(m, x, 6, stage[i].out, k == 0 ? stage[i].stride : 1);
	x = conv_relu(m, x, (struct conv){.out = 1280, .k = {1, 1}});
	x = net_pool(m, x, (struct pool){"avg-pool2d", 7, 1, true});
	x = net_conv(m, x, (struct conv){.out = 1000, .k = {1, 1}});
	net_output(m, net_reshape(m, x, 2, (int[]){m->batch, 1000}));
}
