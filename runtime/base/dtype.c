/* Element types by number and by name. */
#include "base/dtype.h"

#include <string.h>

size_t
dtype_size(enum tn_dtype d)
{
	static const unsigned char sizes[TN_NDTYPES] = {
#define X(id, text, size, class) size,
		TN_DTYPES(X)
#undef X
	};

	return sizes[d];
}

const char *
dtype_name(enum tn_dtype d)
{
	static const char *const names[TN_NDTYPES] = {
#define X(id, text, size, class) text,
		TN_DTYPES(X)
#undef X
	};

	return names[d];
}

bool
dtype_is_float(enum tn_dtype d)
{
	return d >= TN_F16 && d <= TN_F64;
}

enum tn_dtype
dtype_named(const char *name)
{
	static const char *const full[TN_NDTYPES] = {
		[TN_F16] = "float16", [TN_BF16] = "bfloat16", [TN_F32] = "float32", [TN_F64] = "float64",
		[TN_I8] = "int8", [TN_I16] = "int16", [TN_I32] = "int32", [TN_I64] = "int64",
		[TN_U8] = "uint8", [TN_U16] = "uint16", [TN_U32] = "uint32", [TN_U64] = "uint64",
	};
	int d;

	for (d = TN_UNTYPED + 1; d < TN_NDTYPES; d++)
		if (strcmp(name, dtype_name((enum tn_dtype)d)) == 0 || (full[d] && strcmp(name, full[d]) == 0))
			return (enum tn_dtype)d;
	return TN_UNTYPED;
}
