/*
 * A network as it is written down: each call puts one operator, and the weights it needs, into a
 * .graph text, and gives back the value it makes.  Weights are not stored but seeded, so the text of a
 * network with half a gigabyte of weights is a few pages.
 *
 *	struct value x = net_input(m, 4, (int[]){1, 3, 224, 224});
 *	x = net_conv(m, x, (struct conv){.out = 64, .k = {7, 7}, .stride = 2, .act = "relu"});
 *	net_output(m, x);
 *
 * Sizes are followed here, for pads and weights need them; reading the text checks them again.
 */
#ifndef MODELS_NET_H
#define MODELS_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* A value by its number in the text; "t12" there, "w12" if a weight, "x1" if an input. */
struct value {
	const char *prefix;
	int number, rank, dim[4];
};

struct net {
	struct buf text;
	int batch;		/* leading extent of the inputs */
	int64_t seed;		/* of the weight before the next */
	int ninput, nweight, nvalue;
};

/* What is not said is 1, for strides and groups, and no activation.  The padding is the smallest,
 * the same on both sides, that gives ceil(extent / stride); none if valid. */
struct conv {
	int out, k[2], stride, groups;
	bool is_valid;
	const char *act;
};

struct pool {
	const char *op;		/* "max-pool2d" or "avg-pool2d" */
	int k, stride;
	bool is_valid;
};

void net_begin(struct net *, const char *name);
void net_end(struct net *);
/* A comment on what follows. */
void net_note(struct net *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct value net_input(struct net *, int rank, const int dim[]);
void net_output(struct net *, struct value);
/* Scaled to the size of what it multiplies; or between two numbers. */
struct value net_weight(struct net *, int rank, const int dim[]);
struct value net_weight_between(struct net *, int rank, const int dim[], double low, double high);

struct value net_unary(struct net *, const char *op, struct value);
struct value net_binary(struct net *, const char *op, struct value, struct value);
/* One number beside a tensor: (mul t1 0.5). */
struct value net_scalar(struct net *, const char *op, struct value, double);
struct value net_matmul(struct net *, struct value, struct value, int batch);
/* x w, and x w + b, for new weights with so many columns */
struct value net_product(struct net *, struct value, int columns);
struct value net_linear(struct net *, struct value, int columns);
struct value net_reshape(struct net *, struct value, int rank, const int dim[]);
struct value net_transpose(struct net *, struct value, const int perm[]);
struct value net_concat(struct net *, int n, const struct value[]);	/* along axis 1 */

struct value net_conv(struct net *, struct value, struct conv);
struct value net_pool(struct net *, struct value, struct pool);
struct value net_batch_norm(struct net *, struct value);
struct value net_layer_norm(struct net *, struct value);
struct value net_softmax(struct net *, struct value);	/* along the last axis */

/* The networks; models.c says which is which. */
void bert(struct net *);
void bert_full(struct net *);
void inceptionv3(struct net *);
void mobilenetv2(struct net *);
void nasneta(struct net *);
void nasrnn(struct net *);
void resnet50(struct net *);
void resnext50(struct net *);
void squeezenet(struct net *);
void vgg19(struct net *);

#endif
