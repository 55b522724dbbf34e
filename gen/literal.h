/* C literals, and text that is safe in a comment. */
#ifndef GEN_LITERAL_H
#define GEN_LITERAL_H

#include <stdint.h>

#include "base/buf.h"

/* A string on one line. */
void literal_string(struct buf *, const char *text, size_t len);
/* A string broken over lines where it is long; NULL as such. */
void literal_lines(struct buf *, const char *text);
void literal_int(struct buf *, int64_t);
/* The shortest literal that is exactly the number, and surely a double. */
void literal_real(struct buf *, double);
/* Text that neither ends the comment it stands in nor seems to begin another. */
void literal_comment(struct buf *, const char *text, size_t len);

#endif
