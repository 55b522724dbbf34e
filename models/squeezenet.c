/* SqueezeNet 1.1 (Iandola et al., 2016) as its ONNX file has it, activations apart. */
#include "models/net.h"

static struct value
conv_relu(struct net *m, struct value x, struct conv c)
{
	return net_unary(m, "relu", net_conv(m, x, c));
}

static struct value
halve(struct net *m, struct value x)
{
	return net_pool(m, x, (struct pool){"max-pool2d", 3, 2, true});
}

/* squeeze to few channels, then expand them twice, by 1x1 and by 3x3 */
static struct value
fire(struct net *m, struct value x, int squeeze, int expand)
{
	struct value y[2];

	x = conv_relu(m, x, (struct conv){.out = squeeze, .k = {1, 1}});
	y[0] = conv_relu(m, x, (struct conv){.out = expand, .k = {1, 1}});
	y[1] = conv_relu(m, x, (struct conv){.out = expand, .k = {3, 3}});
	return net_concat(m, 2, y);
}

void
squeezenet(struct net *m)
{
	struct value x = net_input(m, 4, (int[]){m->batch, 3, 224, 224});
	int i;

	x = halve(m, conv_relu(m, x, (struct conv){.out = 64, .k = {3, 3}, .stride = 2, .is_valid = true}));
	for (i = 0; i < 2; i++)
		x = fire(m, x, 16, 64);
	x = halve(m, x);
	for (i = 0; i < 2; i++)
		x = fire(m, x, 32, 128);
	x = halve(m, x);
	for (i = 0; i < 2; i++)
		x = fire(m, x, 48, 192);
	for (i = 0; i < 2; i++)
		x = fire(m, x, 64, 256);
	x = conv_relu(m, x, (struct conv){.out = 1000, .k = {1, 1}});
	x = net_pool(m, x, (struct pool){"avg-pool2d", 13, 13, true});
	net_output(m, net_reshape(m, x, 2, (int[]){m->batch, 1000}));
}
