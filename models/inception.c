/* Inception-v3 (Szegedy et al., Rethinking the Inception Architecture, 2016) as TASO and TENSAT evaluated
 * it: 94 convolutions, each with its relu. */
#include "models/net.h"

static struct value
conv(struct net *m, struct value x, int out, int kh, int kw)
{
	return net_conv(m, x, (struct conv){.out = out, .k = {kh, kw}, .act = "relu"});
}

static struct value
conv_valid(struct net *m, struct value x, int out, int k, int stride)
{
	return net_conv(m, x, (struct conv){.out = out, .k = {k, k}, .stride = stride, .is_valid = true, .act = "relu"});
}

static struct value
halve(struct net *m, struct value x, const char *op)
{
	return net_pool(m, x, (struct pool){op, 3, 2, true});
}

static struct value
pair(struct net *m, struct value x, struct value y)
{
	return net_concat(m, 2, (struct value[]){x, y});
}

/* 35x35, four branches */
static struct value
block_a(struct net *m, struct value x, int pooled)
{
	struct value a = conv(m, x, 64, 1, 1), b, c, d, ab;

	b = conv(m, conv(m, x, 48, 1, 1), 64, 5, 5);
	c = conv(m, conv(m, conv(m, x, 64, 1, 1), 96, 3, 3), 96, 3, 3);
	d = conv(m, net_pool(m, x, (struct pool){"avg-pool2d", 3, 1, false}), pooled, 1, 1);
	ab = pair(m, a, b);
	return pair(m, ab, pair(m, c, d));
}

/* to 17x17 */
static struct value
block_b(struct net *m, struct value x)
{
	struct value a = conv_valid(m, x, 384, 3, 2), b, ab;

	b = conv_valid(m, conv(m, conv(m, x, 64, 1, 1), 96, 3, 3), 96, 3, 2);
	ab = pair(m, a, b);
	return pair(m, halve(m, x, "avg-pool2d"), ab);
}

/* 17x17, four branches, 7x7 kernels taken apart into 1x7 and 7x1 */
static struct value
block_c(struct net *m, struct value x, int c7)
{
	struct value a = conv(m, x, 192, 1, 1), b, c, d, ab;

	b = conv(m, conv(m, conv(m, x, c7, 1, 1), c7, 1, 7), 192, 7, 1);
	c = conv(m, conv(m, conv(m, x, c7, 1, 1), c7, 7, 1), c7, 1, 7);
	c = conv(m, conv(m, c, c7, 7, 1), 192, 1, 7);
	d = conv(m, net_pool(m, x, (struct pool){"avg-pool2d", 3, 1, false}), 192, 1, 1);
	ab = pair(m, a, b);
	return pair(m, ab, pair(m, c, d));
}

/* to 8x8 */
static struct value
block_d(struct net *m, struct value x)
{
	struct value y[3];

	y[0] = conv_valid(m, conv(m, x, 192, 1, 1), 320, 3, 2);
	y[1] = conv(m, conv(m, conv(m, x, 192, 1, 1), 192, 1, 7), 192, 7, 1);
	y[1] = conv_valid(m, y[1], 192, 3, 2);
	y[2] = halve(m, x, "max-pool2d");
	return net_concat(m, 3, y);
}

/* a 3x3 kernel as 1x3 beside 3x1 */
static struct value
spread(struct net *m, struct value x)
{
	struct value wide = conv(m, x, 384, 1, 3);

	return pair(m, wide, conv(m, x, 384, 3, 1));
}

/* 8x8, four branches */
static struct value
block_e(struct net *m, struct value x)
{
	struct value y[4];

	y[0] = conv(m, x, 320, 1, 1);
	y[1] = spread(m, conv(m, x, 384, 1, 1));
	y[2] = spread(m, conv(m, conv(m, x, 448, 1, 1), 384, 3, 3));
	y[3] = conv(m, net_pool(m, x, (struct pool){"max-pool2d", 3, 1, false}), 192, 1, 1);
	return net_concat(m, 4, y);
}

void
inceptionv3(struct net *m)
{
	static const int a[] = {32, 64, 64}, c[] = {128, 160, 160, 192};
	struct value x = net_input(m, 4, (int[]){m->batch, 3, 299, 299});
	int i;

	x = conv_valid(m, conv_valid(m, x, 32, 3, 2), 32, 3, 1);
	x = halve(m, conv(m, x, 64, 3, 3), "max-pool2d");
	x = halve(m, conv_valid(m, conv_valid(m, x, 80, 1, 1), 192, 3, 1), "max-pool2d");
	for (i = 0; i < 3; i++)
		x = block_a(m, x, a[i]);
	x = block_b(m, x);
	for (i = 0; i < 4; i++)
		x = block_c(m, x, c[i]);
	x = block_d(m, x);
	for (i = 0; i < 2; i++)
		x = block_e(m, x);
	net_output(m, net_pool(m, x, (struct pool){"avg-pool2d", 8, 8, true}));
}
