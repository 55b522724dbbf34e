/* VGG-19 (Simonyan and Zisserman, 2015) as its ONNX file has it: activations apart, weights of the three
 * linear layers stored transposed, and reshapes where dropout was. */
#include "models/net.h"

/* x w^T */
static struct value
fully(struct net *m, struct value x, int out)
{
	struct value w = net_weight(m, 2, (int[]){out, x.dim[1]});

	return net_matmul(m, x, net_transpose(m, w, (int[]){1, 0}), 0);
}

static struct value
flat(struct net *m, struct value x)
{
	int i, n = 1;

	for (i = 1; i < x.rank; i++)
		n *= x.dim[i];
	return net_reshape(m, x, 2, (int[]){m->batch, n});
}

void
vgg19(struct net *m)
{
	static const struct {
		int convs, out;
	} stage[] = {{2, 64}, {2, 128}, {4, 256}, {4, 512}, {4, 512}};
	struct value x = net_input(m, 4, (int[]){m->batch, 3, 224, 224});
	int i, k;

	for (i = 0; i < (int)(sizeof stage / sizeof *stage); i++) {
		for (k = 0; k < stage[i].convs; k++)
			x = net_unary(m, "relu", net_conv(m, x, (struct conv){.out = stage[i].out, .k = {3, 3}}));
		x = net_pool(m, x, (struct pool){"max-pool2d", 2, 2, true});
	}
	for (i = 0; i < 2; i++)
		x = net_unary(m, "relu", fully(m, flat(m, x), 4096));
	net_output(m, fully(m, flat(m, x), 1000));
}
