/* Address space for arrays of nodes and classes, from the operating system itself. */
#include <sys/mman.h>

#include "egraph/egraph.h"

enum { SMALL_BYTES = 1 << 20, HUGE_PAGE = 2 << 20 };

/* large pages for what lies beyond the first megabytes: a small e-graph shall not take them */
static void
advise(const struct region *r)
{
	size_t from = ((uintptr_t)r->at + SMALL_BYTES + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE - (uintptr_t)r->at;

	if (from < r->size_bytes)
		madvise((char *)r->at + from, r->size_bytes - from, MADV_HUGEPAGE);
}

void *
region_reserve(struct region *r, size_t n, size_t size)
{
	if (__builtin_mul_overflow(n, size, &r->size_bytes))
		mem_oom(SIZE_MAX);
	r->at = mmap(NULL, r->size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (r->at == MAP_FAILED)
		mem_oom(r->size_bytes);
	advise(r);
	return r->at;
}

void
region_release(struct region *r)
{
	if (r->at)
		munmap(r->at, r->size_bytes);
	*r = (struct region){0};
}
