/* The progress line; see progress.h. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/progress.h"

static bool is_shown;

void
progress_show(const char *fmt, ...)
{
	va_list ap;

	if (!isatty(STDERR_FILENO))
		return;
	fputc('\r', stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\033[K", stderr);
	fflush(stderr);
	is_shown = true;
}

void
progress_end(void)
{
	if (is_shown)
		fputs("\r\033[K", stderr);
	is_shown = false;
}
