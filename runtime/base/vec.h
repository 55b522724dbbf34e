/*
 * Growing arrays.
 *
 *	VEC(uint32_t) ids = {0};
 *	vec_push(&ids, 7);
 *	for (uint32_t i = 0; i < ids.n; i++) use(ids.at[i]);
 *	vec_free(&ids);
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdint.h>

#include "base/mem.h"

#ifdef TN_TEST
# define VEC_FIRST 1	/* growth is exercised by every test */
#else
# define VEC_FIRST 8
#endif

#define VEC(type) struct { type *at; uint32_t n, cap; }

/* room for `want` elements of `size` bytes; the new capacity */
static inline uint32_t
vec_grow(void **at, uint32_t cap, uint32_t want, size_t size)
{
	uint64_t to = cap ? cap : VEC_FIRST;

	while (to < want)
		to *= 2;
	if (to > UINT32_MAX)
		mem_oom((size_t)to * size);
	*at = mem_resize(*at, cap * size, (size_t)to * size);
	return (uint32_t)to;
}

#define vec_reserve(v, want) \
	((want) > (v)->cap ? (void)((v)->cap = vec_grow((void **)&(v)->at, (v)->cap, (want), sizeof *(v)->at)) : (void)0)
#define vec_push(v, x) (vec_reserve(v, (v)->n + 1), (v)->at[(v)->n++] = (x))
#define vec_pop(v) ((v)->at[--(v)->n])
#define vec_free(v) (mem_free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

#endif
