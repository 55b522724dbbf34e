/* The heap, the out-of-memory hook, and the error every public call can fill. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tenon/base.h"

void (*tn_on_oom)(size_t size_bytes);

_Noreturn void
mem_oom(size_t size)
{
	if (tn_on_oom)
		tn_on_oom(size);
	abort();
}

void *
mem_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		mem_oom(size);
	return p;
}

void *
mem_resize(void *p, size_t old, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		mem_oom(size);
	if (size > old)
		memset((char *)p + old, 0, size - old);
	return p;
}

void
mem_free(void *p)
{
	free(p);
}

bool
tn_fail(struct tn_error *e, enum tn_code code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return false;
	e->code = code;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof e->msg, fmt, ap);
	va_end(ap);
	return false;
}
