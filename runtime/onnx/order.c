/* Topological order that leaves what is in order where it is: see onnx.h. */
#include "onnx/onnx.h"

/* a heap of items, the least key on top */
struct heap {
	uint32_t n, *at;
	const uint64_t *key;
};

static bool
less(const struct heap *h, uint32_t a, uint32_t b)
{
	return h->key[a] != h->key[b] ? h->key[a] < h->key[b] : a < b;
}

static void
push(struct heap *h, uint32_t item)
{
	uint32_t i = h->n++;

	for (; i > 0 && less(h, item, h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = item;
}

static uint32_t
pop(struct heap *h)
{
	uint32_t top = h->at[0], last = h->at[--h->n], i = 0, kid;

	for (; (kid = 2 * i + 1) < h->n; i = kid) {
		if (kid + 1 < h->n && less(h, h->at[kid + 1], h->at[kid]))
			kid++;
		if (!less(h, h->at[kid], last))
			break;
		h->at[i] = h->at[kid];
	}
	h->at[i] = last;
	return top;
}

bool
order_items(uint32_t n, const uint32_t first[], const uint32_t need[], const uint64_t key[], uint32_t out[])
{
	uint32_t *waits = mem_alloc((n + 1) * sizeof *waits);		/* needs not yet placed */
	uint32_t *user_first = mem_alloc(((size_t)n + 2) * sizeof *user_first);
	uint32_t *user = mem_alloc(((size_t)first[n] + 1) * sizeof *user);
	struct heap h = {0, mem_alloc((n + 1) * sizeof *h.at), key};
	uint32_t i, k, done = 0;

	for (i = 0; i < n; i++)
		for (k = first[i]; k < first[i + 1]; k++, waits[i]++)
			user_first[need[k] + 2]++;
	for (i = 2; i <= n; i++)
		user_first[i] += user_first[i - 1];
	for (i = 0; i < n; i++)
		for (k = first[i]; k < first[i + 1]; k++)
			user[user_first[need[k] + 1]++] = i;
	for (i = 0; i < n; i++)
		if (waits[i] == 0)
			push(&h, i);
	while (h.n) {
		i = pop(&h);
		out[done++] = i;
		for (k = user_first[i]; k < user_first[i + 1]; k++)
			if (--waits[user[k]] == 0)
				push(&h, user[k]);
	}
	mem_free(waits);
	mem_free(user_first);
	mem_free(user);
	mem_free(h.at);
	return done == n;
}
