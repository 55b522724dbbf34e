/* The heap: allocation that cannot fail, because the process ends through tn_on_oom instead. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);				/* zeroed */
void *mem_resize(void *, size_t old, size_t size);	/* the added part zeroed */
void mem_free(void *);
_Noreturn void mem_oom(size_t size);

#endif
