/* Elements of every type as bytes and back, and NumPy's files: written, read, of other layouts, spoilt. */
#include <math.h>

#include "base/rand.h"
#include "tensor/element.h"
#include "tests/unit/graphs.h"

/* ---- elements --------------------------------------------------------------------------------------- */

/* every f16 and bf16 goes through a double and back */
static void
halves(enum tn_dtype d)
{
	uint32_t bits;
	uint16_t in, out;
	double x;

	for (bits = 0; bits < 0x10000; bits++) {
		in = (uint16_t)bits;
		element_load(d, &in, 1, &x);
		element_store(d, &x, 1, &out);
		if (in != out && !(isnan(x) && isnan(element_round(d, x)))) {
			printf("%s %04x becomes %04x by way of %g\n", dtype_name(d), in, out, x);
			failures++;
			return;
		}
	}
}

/* a double between two neighbours goes to the nearer, to the even one from the middle */
static void
rounds(enum tn_dtype d, struct rng *r)
{
	uint16_t low;
	double a, b, x, y;
	int i;

	for (i = 0; i < 20000; i++) {
		low = (uint16_t)(rng_below(r, 2) << 15 | rng_below(r, d == TN_F16 ? 0x7bff : 0x7f7f));
		element_load(d, &low, 1, &a);
		low++;
		element_load(d, &low, 1, &b);
		low--;
		x = a + (b - a) * (rng_below(r, 4) ? rng_unit(r) : 0.5);
		y = fabs(x - a) < fabs(b - x) || (fabs(x - a) == fabs(b - x) && low % 2 == 0) ? a : b;
		if (element_round(d, x) != y) {
			printf("%s: %.17g becomes %.17g, not %.17g\n", dtype_name(d), x, element_round(d, x), y);
			failures++;
			return;
		}
	}
}

static void
whole_numbers(void)
{
	check(element_round(TN_I8, 127) == 127 && element_round(TN_I8, 128) == -128 && element_round(TN_I8, -129) == 127, "i8 wraps");
	check(element_round(TN_U8, -1) == 255 && element_round(TN_U32, 0x1p32) == 0, "unsigned ones wrap");
	check(element_round(TN_I64, -0x1p63) == -0x1p63 && element_round(TN_U64, 0x1p63) == 0x1p63, "64 bits at their ends");
	check(element_round(TN_I32, 2.9) == 2 && element_round(TN_I32, -2.9) == -2, "towards 0");
	check(element_round(TN_I32, (double)NAN) == 0 && element_round(TN_I64, (double)INFINITY) == 0, "what is no number is 0");
	check(element_round(TN_BOOL, 0.25) == 1 && element_round(TN_BOOL, 0) == 0, "a bool is other than 0");
	check(element_round(TN_F16, 65519) == 65504 && isinf(element_round(TN_F16, 65520)), "f16 ends");
	check(element_round(TN_F16, 0x1p-25) == 0 && element_round(TN_F16, 0x1.8p-25) == 0x1p-24, "and begins");
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void
write_bytes(const char *text, size_t size)
{
	FILE *f = fopen(temporary(), "wb");

	if (!f || fwrite(text, 1, size, f) != size || fclose(f) != 0)
		exit(1);
}

/* what the bytes are as a file; false: refused, in words */
static bool
read_bytes(const char *text, size_t size, struct tn_array *a)
{
	struct tn_error e = {0};

	write_bytes(text, size);
	if (tn_npy_read(temporary(), a, &e))
		return true;
	check(e.code == TN_E_INPUT && e.msg[0], "what is wrong is said");
	return false;
}

static void
there_and_back(void)
{
	double v[] = {0, 1, 2, 3, 100, 7};
	struct tn_difference d;
	struct tn_array back;
	struct tn_error e;
	int t;

	for (t = 0; t < TN_NDTYPES; t++) {
		struct tn_array a = {.dtype = (enum tn_dtype)t, .rank = 2, .dim = {2, 3}, .v = v};

		if (t == TN_UNTYPED || t == TN_STRING || t == TN_BF16) {
			check(!tn_npy_write(temporary(), &a, &e) && e.code == TN_E_INPUT, "NumPy has not all types");
			continue;
		}
		v[4] = t == TN_BOOL ? 0 : 100;
		v[2] = v[3] = v[5] = t == TN_BOOL ? 1 : 5;
		check(tn_npy_write(temporary(), &a, &e) && tn_npy_read(temporary(), &back, &e), e.msg);
		d = (struct tn_difference){0};
		tn_arrays_compare(&a, &back, dtype_name(a.dtype), &d);
		check(!d.differs, "an array is written and read");
		free(back.v);
	}
}

#define HEAD "\x93NUMPY\x01\x00\x46\x00"
#define FORTRAN HEAD "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }           \n"

static void
other_layouts(void)
{
	static const char file[] = FORTRAN "\0\1\0\4\0\2\0\5\0\3\377\372";
	static const double want[] = {1, 2, 3, 4, 5, -6};
	struct tn_array a;
	int i;

	check(sizeof FORTRAN - 1 == 10 + 0x46, "the header's length");
	if (!read_bytes(file, sizeof file - 1, &a)) {
		check(false, "a file in Fortran's order");
		return;
	}
	check(a.dtype == TN_I16 && a.rank == 2 && a.dim[0] == 2 && a.dim[1] == 3, "its type and shape");
	for (i = 0; i < 6; i++)
		check(a.v[i] == want[i], "its elements");
	free(a.v);
}

#define ENDS "\x93NUMPY\x01\x00\x2e\x00{'fortran_order': False, 'shape': (1,), 'descr': '"

/* every file that is cut short, and many that are spoilt, are refused or read */
static void
spoilt(void)
{
	static const char file[] = FORTRAN "\0\1\0\4\0\2\0\5\0\3\377\372";
	char text[sizeof file];
	struct rng r = {3};
	struct tn_array a;
	size_t n;
	int i, refused = 0;

	for (n = 0; n + 1 < sizeof file; n++)
		check(!read_bytes(file, n, &a), "a file that is cut short");
	for (i = 0; i < 2000; i++) {
		memcpy(text, file, sizeof file);
		text[rng_below(&r, sizeof file - 1)] = (char)rng_next(&r);
		if (read_bytes(text, sizeof file - 1, &a))
			free(a.v);
		else
			refused++;
	}
	check(refused > 500, "most spoilt files are refused");
	check(!read_bytes(ENDS, sizeof ENDS - 1, &a), "a header that ends where its type begins");
}

int
main(void)
{
	struct rng r = {1};
	struct tn_array a;
	struct tn_error e;

	halves(TN_F16);
	halves(TN_BF16);
	rounds(TN_F16, &r);
	rounds(TN_BF16, &r);
	whole_numbers();
	there_and_back();
	other_layouts();
	spoilt();
	unlink(temporary());
	check(!tn_npy_read(temporary(), &a, &e) && e.code == TN_E_IO, "a file that is not there");
	return failures != 0;
}
