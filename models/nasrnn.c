/*
 * NasRNN: the recurrent cell that neural architecture search found (Zoph and Le, Neural Architecture
 * Search with Reinforcement Learning, 2017), unrolled for five steps with weights of their own.
 */
#include "models/net.h"

enum { HIDDEN = 512, STEPS = 5, COMBS = 8 };

/* x U + s V with new weights */
static struct value
combine(struct net *m, struct value x, struct value s)
{
	struct value xu = net_product(m, x, HIDDEN);

	return net_binary(m, "add", xu, net_product(m, s, HIDDEN));
}

/* op(f(a), g(b)) */
static struct value
join(struct net *m, const char *op, const char *f, struct value a, const char *g, struct value b)
{
	struct value fa = net_unary(m, f, a);

	return net_binary(m, op, fa, net_unary(m, g, b));
}

static struct value
step(struct net *m, struct value x, struct value s)
{
	struct value c[COMBS], m0, m1, m2, m3, m4, m5;
	int i;

	for (i = 0; i < COMBS; i++)
		c[i] = combine(m, x, s);
	m0 = join(m, "add", "relu", c[0], "sigmoid", c[3]);
	m1 = join(m, "add", "sigmoid", c[1], "tanh", c[2]);
	m2 = join(m, "mul", "sigmoid", c[4], "tanh", c[5]);
	m3 = join(m, "mul", "sigmoid", c[6], "relu", c[7]);
	m4 = join(m, "add", "sigmoid", m1, "tanh", m2);
	m5 = join(m, "mul", "tanh", m0, "tanh", m3);
	return net_unary(m, "tanh", join(m, "mul", "tanh", m4, "tanh", m5));
}

void
nasrnn(struct net *m)
{
	const int dim[] = {m->batch, HIDDEN};
	struct value x[STEPS], s;
	int i;

	for (i = 0; i < STEPS; i++)
		x[i] = net_input(m, 2, dim);
	s = net_weight(m, 2, dim);
	for (i = 0; i < STEPS; i++) {
		net_note(m, "step %d", i + 1);
		s = step(m, x[i], s);
	}
	net_output(m, s);
}
