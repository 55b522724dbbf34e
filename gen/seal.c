/*
 * The cache outlives crashes, full disks and hands that tidy up, so that what is found there may be half a file or
 * another one's: behind each file stand the key under which it is kept and the hash of what it holds.
 */
#include "gen/seal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"

struct seal {
	uint64_t key[2], hash;
};

static struct seal
seal_of(const void *text, size_t n, const uint64_t key[2])
{
	return (struct seal){{key[0], key[1]}, hash_bytes(text, n)};
}

bool
seal_write(const char *path, const uint64_t key[2], struct buf *text)
{
	struct seal s = seal_of(text->at ? text->at : "", text->n, key);
	struct buf temporary = {0};
	FILE *f;
	bool ok;

	buf_printf(&temporary, "%s.%ld", path, (long)getpid());
	buf_put(text, &s, sizeof s);
	f = fopen(temporary.at, "wb");
	ok = f && fwrite(text->at, 1, text->n, f) == text->n;
	if (f && fclose(f) != 0)
		ok = false;
	ok = ok && rename(temporary.at, path) == 0;
	if (f && !ok)
		unlink(temporary.at);
	buf_free(&temporary);
	return ok;
}

bool
seal_read(const char *path, const uint64_t key[2], struct buf *text)
{
	FILE *f = fopen(path, "rb");
	bool ok = f && buf_read(text, f) && text->n >= sizeof(struct seal);
	struct seal s;

	if (f)
		fclose(f);
	if (!ok)
		return false;
	text->n -= sizeof s;
	s = seal_of(text->at, text->n, key);
	ok = memcmp(text->at + text->n, &s, sizeof s) == 0;
	text->at[text->n] = '\0';
	return ok;
}
