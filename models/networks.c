/* Which networks there are, and their text. */
#include <string.h>

#include "models/net.h"
#include "tenon/tenon.h"

enum { MOST_WEIGHTS = 4096 };		/* seeds apart from one seed to the next */

static const struct {
	const char *name, *what;
	void (*build)(struct net *);
} network[] = {
	{"nasrnn", "recurrent cell found by search, 5 steps of width 512", nasrnn},
	{"bert", "8 blocks of attention without softmax, as published optimizers measured it", bert},
	{"resnext50", "image classifier with 32 groups, no batch normalisation", resnext50},
	{"resnet50", "image classifier, no stem and no batch normalisation", resnet50},
	{"nasneta", "cells found by search, with separable convolutions", nasneta},
	{"squeezenet", "SqueezeNet 1.1, activations apart", squeezenet},
	{"vgg19", "image classifier, activations apart, three linear layers", vgg19},
	{"inceptionv3", "branches of convolutions, each with its relu", inceptionv3},
	{"mobilenetv2", "inverted residuals with batch normalisation", mobilenetv2},
	{"bert-full", "the encoder of BERT base: 12 layers of attention and feed-forward", bert_full},
};

enum { NETWORKS = sizeof network / sizeof *network };

const char *
tn_network_name(int i, const char **what)
{
	if (i < 0 || i >= NETWORKS)
		return NULL;
	if (what)
		*what = network[i].what;
	return network[i].name;
}

char *
tn_network_text(const char *name, uint64_t seed, uint64_t batch, struct tn_error *e)
{
	struct net m = {.batch = (int)batch, .seed = (int64_t)seed * MOST_WEIGHTS};
	int i;

	if (batch < 1 || batch > 4096) {
		tn_fail(e, TN_E_IO, "a batch is 1 to 4096");
		return NULL;
	}
	if (seed > UINT32_MAX) {
		tn_fail(e, TN_E_IO, "a seed is at most %u", UINT32_MAX);
		return NULL;
	}
	for (i = 0; i < NETWORKS && strcmp(network[i].name, name) != 0; i++)
		;
	if (i == NETWORKS) {
		tn_fail(e, TN_E_IO, "there is no network '%.80s'", name);
		return NULL;
	}
	net_begin(&m, name);
	network[i].build(&m);
	net_end(&m);
	return m.text.at;
}
