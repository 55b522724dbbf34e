/*
 * Two transformers.  `bert` is what TASO and TENSAT evaluated under that name: products of one input by
 * three weights, attention without scale, softmax or transposed keys, whose result nothing uses, and no
 * feed-forward part.  `bert-full` is the encoder of Devlin et al. (BERT, 2019), base size.
 */
#include "models/net.h"

#include <math.h>

enum { TOKENS = 64, HEADS = 16, HEAD = 64, BLOCKS = 8 };
enum { FULL_HEADS = 12, FULL_BLOCKS = 12, FULL_INNER = 3072 };

/*
 * Heads before tokens, so that each is a matrix of its own: [64 1024] is [64 16 64] is [16 64 64].
 * Sequences are independent: more than one of them have an axis in front, which all operators share.
 */
static struct value
split_heads(struct net *m, struct value x, int heads)
{
	if (m->batch == 1)
		return net_transpose(m, net_reshape(m, x, 3, (int[]){TOKENS, heads, HEAD}), (int[]){1, 0, 2});
	return net_transpose(m, net_reshape(m, x, 4, (int[]){m->batch, TOKENS, heads, HEAD}), (int[]){0, 2, 1, 3});
}

static struct value
merge_heads(struct net *m, struct value x, int heads)
{
	if (m->batch == 1)
		return net_reshape(m, net_transpose(m, x, (int[]){1, 0, 2}), 2, (int[]){TOKENS, heads * HEAD});
	return net_reshape(m, net_transpose(m, x, (int[]){0, 2, 1, 3}), 3, (int[]){m->batch, TOKENS, heads * HEAD});
}

static struct value
input(struct net *m, int width)
{
	return m->batch == 1 ? net_input(m, 2, (int[]){TOKENS, width}) : net_input(m, 3, (int[]){m->batch, TOKENS, width});
}

/* axes that the matrices of all heads share */
static int
shared(const struct net *m)
{
	return m->batch == 1 ? 1 : 2;
}

void
bert(struct net *m)
{
	enum { WIDTH = HEADS * HEAD };
	struct value t = net_unary(m, "relu", input(m, WIDTH)), q, k, v;
	int i;

	for (i = 0; i < BLOCKS; i++) {
		net_note(m, "block %d", i + 1);
		q = net_product(m, t, WIDTH);
		k = net_product(m, t, WIDTH);
		v = net_product(m, t, WIDTH);
		q = split_heads(m, q, HEADS);
		k = split_heads(m, k, HEADS);
		v = split_heads(m, v, HEADS);
		v = net_matmul(m, net_matmul(m, q, k, shared(m)), v, shared(m));
		net_output(m, merge_heads(m, v, HEADS));
		t = net_product(m, t, WIDTH);
	}
	net_output(m, t);
}

/* softmax(q k^T / sqrt 64) v */
static struct value
attention(struct net *m, struct value x)
{
	const int width = FULL_HEADS * HEAD;
	struct value q = net_linear(m, x, width), k = net_linear(m, x, width), v = net_linear(m, x, width), logits;

	q = split_heads(m, q, FULL_HEADS);
	k = net_transpose(m, split_heads(m, k, FULL_HEADS), m->batch == 1 ? (int[]){0, 2, 1} : (int[]){0, 1, 3, 2});
	v = split_heads(m, v, FULL_HEADS);
	logits = net_scalar(m, "div", net_matmul(m, q, k, shared(m)), sqrt(HEAD));
	v = net_matmul(m, net_softmax(m, logits), v, shared(m));
	return net_linear(m, merge_heads(m, v, FULL_HEADS), width);
}

/* x/2 (1 + erf(x/sqrt 2)), as exporters write it */
static struct value
gelu(struct net *m, struct value x)
{
	struct value phi = net_scalar(m, "add", net_unary(m, "erf", net_scalar(m, "div", x, sqrt(2))), 1);

	return net_scalar(m, "mul", net_binary(m, "mul", x, phi), 0.5);
}

void
bert_full(struct net *m)
{
	enum { WIDTH = FULL_HEADS * HEAD };
	struct value x = input(m, WIDTH), inner;
	int i;

	for (i = 0; i < FULL_BLOCKS; i++) {
		net_note(m, "block %d", i + 1);
		x = net_layer_norm(m, net_binary(m, "add", attention(m, x), x));
		inner = gelu(m, net_linear(m, x, FULL_INNER));
		x = net_layer_norm(m, net_binary(m, "add", net_linear(m, inner, WIDTH), x));
	}
	net_output(m, x);
}
