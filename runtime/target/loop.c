/* Loops over strided tensors; see kernel.h. */
#include <string.h>

#include "target/kernel.h"

/* axis numbers in the order in which the tensor lies, the slowest first; repeated axes come first of all */
static void
order_axes(const struct tn_tensor *t, int axis[])
{
	int i, k, this;

	for (i = 0; i < t->rank; i++) {
		this = i;
		for (k = i; k > 0 && t->stride[axis[k - 1]] < t->stride[this] && t->stride[axis[k - 1]] != 0; k--)
			axis[k] = axis[k - 1];
		axis[k] = this;
	}
}

/* does the axis lie right behind the loop's last one in every tensor? */
static bool
can_join(const struct loop *l, const struct tn_tensor *const t[], int axis)
{
	int i;

	for (i = 0; i < l->ntensor; i++)
		if (l->stride[i][l->rank - 1] != t[i]->stride[axis] * t[i]->dim[axis])
			return false;
	return true;
}

void
loop_make(struct loop *l, const struct tn_tensor *const t[], int ntensor)
{
	int axis[TN_MAX_RANK], i, k;

	*l = (struct loop){.ntensor = ntensor};
	order_axes(t[0], axis);
	for (i = 0; i < t[0]->rank; i++) {
		int64_t dim = t[0]->dim[axis[i]];

		if (dim == 1)
			continue;
		if (l->rank && can_join(l, t, axis[i])) {
			l->dim[l->rank - 1] *= dim;
		} else {
			l->dim[l->rank++] = dim;
		}
		for (k = 0; k < ntensor; k++)
			l->stride[k][l->rank - 1] = t[k]->stride[axis[i]];
	}
	if (l->rank == 0)
		l->dim[l->rank++] = 1;
}

void
loop_run(const struct loop *l, char *const base[], size_t size, loop_fn *f, const void *arg)
{
	int64_t index[TN_MAX_RANK] = {0}, stride[LOOP_MOST];
	char *at[LOOP_MOST];
	int i, k, last = l->rank - 1;

	for (i = 0; i < l->rank; i++)
		if (l->dim[i] == 0)
			return;
	for (k = 0; k < l->ntensor; k++) {
		at[k] = base[k];
		stride[k] = l->stride[k][last];
	}
	for (;;) {
		f(arg, l->dim[last], at, stride);
		for (i = last - 1; i >= 0; i--) {
			for (k = 0; k < l->ntensor; k++)
				at[k] += l->stride[k][i] * (int64_t)size;
			if (++index[i] < l->dim[i])
				break;
			for (k = 0; k < l->ntensor; k++)
				at[k] -= l->dim[i] * l->stride[k][i] * (int64_t)size;
			index[i] = 0;
		}
		if (i < 0)
			return;
	}
}

/* elements of the size that `arg` points to */
void
copy_run(const void *arg, int64_t n, char *const at[], const int64_t stride[])
{
	size_t size = *(const size_t *)arg;
	int64_t i;

	if (stride[0] == 1 && stride[1] == 1) {
		memcpy(at[0], at[1], (size_t)n * size);
		return;
	}
	if (size == 4) {
		uint32_t *to = (uint32_t *)(void *)at[0];
		const uint32_t *from = (const uint32_t *)(const void *)at[1];

		for (i = 0; i < n; i++)
			to[i * stride[0]] = from[i * stride[1]];
		return;
	}
	for (i = 0; i < n; i++)
		memcpy(at[0] + i * stride[0] * (int64_t)size, at[1] + i * stride[1] * (int64_t)size, size);
}
