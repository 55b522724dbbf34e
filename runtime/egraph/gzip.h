/* Files that may be gzip-compressed: the one door to zlib. */
#ifndef EGRAPH_GZIP_H
#define EGRAPH_GZIP_H

#include "tenon/base.h"

struct gzip;

/* Open a file, compressed or not, for reading; "-" is standard input. */
struct gzip *gzip_open(const char *path, struct tn_error *);
/* The next bytes, uncompressed; 0 at the end.  -1: the file is cut off, damaged or cannot be read. */
ptrdiff_t gzip_read(struct gzip *, void *, size_t, struct tn_error *);
void gzip_close(struct gzip *);

#endif
