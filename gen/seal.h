/* Files that are kept in the cache, with an end that tells whether they are whole. */
#ifndef GEN_SEAL_H
#define GEN_SEAL_H

#include <stdint.h>

#include "base/buf.h"

/* A file of this key with the text, which gets its seal; it is there as a whole or not at all.  False: errno says why. */
bool seal_write(const char *path, const uint64_t key[2], struct buf *text);
/* The file's text without its seal; false: it is not there, not whole, or another key's. */
bool seal_read(const char *path, const uint64_t key[2], struct buf *text);

#endif
