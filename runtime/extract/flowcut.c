/*
 * Flow cuts.  One child stands for each node; class c sends x of each of its nodes on to the class of that child, or to
 * the sink if the node has none.  A choice sends 1 from every class it holds down to a leaf.  Where x sends less than
 * y_A from A, the source side S of a least cut has A in it, and what leaves S is
 *
 *	sum over C in S of x of C's nodes whose one child is outside S  <  y_A
 *
 * The row of S and A counts only those of them that need no class of S at all, so it is broken as
 * well, by as much or more.  Both the smallest and the largest source side are tried: the first gives short rows.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "extract/maxflow.h"
#include "extract/separate.h"

#define UNIT 0x1p30	/* capacities are whole numbers of 1 / UNIT */
#define ZERO 1e-7
#define NOISE 0.2

enum { CREEP = 1024 };	/* added to each arc, so that among equal cuts the one of fewer arcs is least */

struct net {
	struct relax *r;
	struct flow flow;
	uint32_t *vertex;	/* of a class, or TN_NONE */
	uint32_t *class;	/* of a vertex */
	uint32_t nvertex;
	double *weight;		/* of a class: the child with the least stands for a node */
	bool *in, *reached;
	uint32_t *set;
};

/* a first guess at what a class costs with all below it, children shared or not */
static void
weigh_dear(const struct relax *r, double weight[])
{
	const struct prog *p = r->p;
	uint32_t sweep, c, n, k;

	for (c = 0; c < p->nclass; c++)
		weight[c] = 0;
	for (sweep = 0; sweep < 8; sweep++)
		for (c = p->nclass; c-- > 0; ) {
			double least = INFINITY;

			for (n = 0; n < p->class[c].nnode; n++) {
				const struct prog_node *node = &p->class[c].node[n];
				double sum = -(double)node->cost;

				for (k = 0; k < node->nkid; k++)
					sum += weight[node->kid[k]];
				least = fmin(least, -sum);
			}
			weight[c] = -least;
		}
}

static void
weigh(struct net *net, enum flow_kid by, struct rng *rng)
{
	const struct relax *r = net->r;
	uint32_t c;

	if (by == FLOW_DEAR) {
		weigh_dear(r, net->weight);
		return;
	}
	if (by == FLOW_WEAK || by == FLOW_NOISY)
		relax_ground(r, net->weight);
	for (c = 0; c < r->p->nclass; c++)
		if (by == FLOW_SCARCE)
			net->weight[c] = r->y[c];
		else if (by == FLOW_NOISY)
			net->weight[c] += NOISE * rng_unit(rng);
		else if (by == FLOW_RANDOM)
			net->weight[c] = rng_unit(rng);
}

/* class by class an arc to each child that stands for some of its nodes */
static void
add_arcs(struct net *net, uint32_t c, double sum[], uint32_t sink)
{
	const struct relax *r = net->r;
	const struct prog_class *class = &r->p->class[c];
	double leaf = 0;
	uint32_t n, k, u;

	for (n = 0; n < class->nnode; n++) {
		const struct prog_node *node = &class->node[n];
		double x = r->x[r->first[c] + n];

		if (x <= ZERO)
			continue;
		if (node->nkid == 0) {
			leaf += x;
			continue;
		}
		for (u = node->kid[0], k = 1; k < node->nkid; k++)
			if (net->weight[node->kid[k]] < net->weight[u])
				u = node->kid[k];
		sum[u] += x;
	}
	for (n = 0; n < class->nnode; n++)
		for (k = 0; k < class->node[n].nkid; k++) {
			u = class->node[n].kid[k];
			if (sum[u] > 0 && net->vertex[u] != TN_NONE)
				flow_arc(&net->flow, net->vertex[c], net->vertex[u], (int64_t)(sum[u] * UNIT) + CREEP);
			sum[u] = 0;
		}
	if (leaf > 0)
		flow_arc(&net->flow, net->vertex[c], sink, (int64_t)(leaf * UNIT) + CREEP);
}

static void
open_net(struct net *net, struct relax *r, enum flow_kid by, struct rng *rng)
{
	uint32_t nclass = r->p->nclass, c;
	double *sum = mem_alloc(nclass * sizeof *sum);

	*net = (struct net){.r = r};
	net->vertex = mem_alloc(nclass * sizeof *net->vertex);
	net->class = mem_alloc(nclass * sizeof *net->class);
	net->weight = mem_alloc(nclass * sizeof *net->weight);
	net->set = mem_alloc(nclass * sizeof *net->set);
	for (c = 0; c < nclass; c++) {
		net->vertex[c] = TN_NONE;
		if (r->y[c] > ZERO) {
			net->class[net->nvertex] = c;
			net->vertex[c] = net->nvertex++;
		}
	}
	net->in = mem_alloc(net->nvertex + 1);
	net->reached = mem_alloc(net->nvertex + 1);
	weigh(net, by, rng);
	flow_open(&net->flow, net->nvertex + 1);
	for (c = 0; c < nclass; c++)
		if (net->vertex[c] != TN_NONE)
			add_arcs(net, c, sum, net->nvertex);
	mem_free(sum);
}

static void
close_net(struct net *net)
{
	flow_close(&net->flow);
	mem_free(net->vertex);
	mem_free(net->class);
	mem_free(net->weight);
	mem_free(net->in);
	mem_free(net->reached);
	mem_free(net->set);
}

/* the classes marked in[] and reached from vertex a, as a set with a first */
static uint32_t
gather(struct net *net, uint32_t a)
{
	const struct flow *f = &net->flow;
	uint32_t i, k, v, n = 0;

	memset(net->reached, 0, net->nvertex + 1);
	net->reached[a] = true;
	net->set[n++] = a;
	for (i = 0; i < n; i++)
		for (k = f->head[net->set[i]]; k != UINT32_MAX; k = f->arc.at[k].next) {
			v = f->arc.at[k].to;
			if (f->arc.at[k].capacity > 0 && net->in[v] && !net->reached[v]) {
				net->reached[v] = true;
				net->set[n++] = v;
			}
		}
	for (i = 0; i < n; i++)
		net->set[i] = net->class[net->set[i]];
	return n;
}

static uint32_t
try_set(struct net *net, uint32_t a, double eps)
{
	uint32_t n = gather(net, a);

	return n > 1 && relax_violation(net->r, net->set, n) > eps && relax_cut(net->r, net->set, n);
}

uint32_t
cut_flows(struct relax *r, enum flow_kid by, struct rng *rng, double eps, uint32_t most)
{
	uint32_t a, added = 0, start, i;
	struct net net;
	int64_t want;

	open_net(&net, r, by, rng);
	start = net.nvertex ? rng_below(rng, net.nvertex) : 0;
	for (i = 0; i < net.nvertex && added < most && !watch_late(&r->watch, net.flow.arc.n); i++) {
		a = (start + i) % net.nvertex;
		if (r->y[net.class[a]] <= 2 * eps)
			continue;
		want = (int64_t)((r->y[net.class[a]] - eps) * UNIT);
		if (flow_run(&net.flow, a, net.nvertex, want) >= want)
			continue;
		flow_front(&net.flow, a, net.nvertex, net.in);
		added += try_set(&net, a, eps);
		flow_back(&net.flow, net.nvertex, net.in);
		added += try_set(&net, a, eps);
	}
	close_net(&net);
	return added;
}
