/* Graph text reads back as the same graph, and text that is spoilt is refused or read, never more. */
#include "base/rand.h"
#include "tests/unit/graphs.h"

static const char *const texts[] = {
	"(input x f32 [1 3 h w]) (weight k f32 [8 3 3 3] :seed 7) (weight b f32 [8] :data [1 -0 0.1 inf 3e-40 16777217 nan -inf])"
	" (let y (conv2d x k b :pads [1 1 1 1] :strides [2 1])) (output (relu (mul y 0.5)) \"out\") (output y)",
	/* names that look like numbers, attributes, generated ones; two operands that are numbers */
	"(input n7 f32 [h]) (input \"12\" f32 [h]) (input \":a\" f32 [h]) (input \"a b\" f32 [h]) (input \"\" f32 [h]) (input w3 f32 [h])"
	" (output (add (add n7 \"12\") (add (add \":a\" \"\") (add (mul \"a b\" 3e-7) w3))) \"sum\") (output (add -0 n7) \"-0\")",
	/* every element type, at its ends */
	"(weight a f16 [3] :data [65504 -0.1 6e-8]) (weight b bf16 [2] :data [3e38 0.1]) (weight d f64 [2] :data [0.1 1e-320])"
	" (weight e i8 [2] :data [-128 127]) (weight f i16 [1] :data [-32768]) (weight i i32 [1] :data [-2147483648])"
	" (weight l i64 [3] :data [-9223372036854775808 9223372036854775807 9007199254740993]) (weight u u8 [1] :data [255])"
	" (weight v u16 [1] :data [65535]) (weight w u32 [1] :data [4294967295]) (weight z u64 [1] :data [18446744073709551615])"
	" (weight t bool [2] :data [1 0]) (weight n f32 [2 0] :data []) (output a) (output b) (output d) (output e) (output f) (output i)"
	" (output l) (output u) (output v) (output w) (output z) (output t) (output n)",
	/* extents that are computed, and attributes that hold them */
	"(input u f32 [(- (div w 2))]) (input x f32 [1 (* 2 h) (+ 1 (div (- w 1) 2))]) (output (reshape x :shape [(* 2 h) (+ 1 (div (- w 1) 2))])"
	" \"y\") (output (slice x :axis -2 :from h :to (* 2 h)) \"z\")",
	/* extents whose names look like something else, or are no atoms */
	"(input x f32 [\"batch size\" \"?\" \"3x\" \":a\" \"(h)\" \"\\\"\" unk__1])"
	" (input y f32 [(+ \"batch size\" (div \"3x\" 2))]) (output (slice x :axis 0 :from 0 :to \"batch size\") z) (output y)",
	/* what is opaque */
	"(input x f32 [1 3]) (let o (opaque x 12 \"Resize \\\"a\\\" \\\\ b\")) (let p (opaque (result o 1 string [?]) 13))"
	" (output (concat (result o 0 f32 [1 u]) (result p 0 f32 [1 v]) :axis 1) r)",
	/* numbers whose places tell their shapes, one that is used elsewhere too, and one that is an output */
	"(input x float32 [2 3]) (let s (fill :value 0.25 :shape [2 3])) (output (add (max x s) s) y) (output s)"
	" (output (matmul x (fill :value 1 :shape [3 4]) 0.5) z)",
};

static bool
same_weights(const struct tn_graph *a, const struct tn_graph *b)
{
	uint32_t i;

	for (i = 0; i < a->nweight; i++)
		if (strcmp(a->weight[i].name, b->weight[i].name) != 0 || a->weight[i].size_bytes != b->weight[i].size_bytes ||
		    memcmp(a->weight[i].data, b->weight[i].data, a->weight[i].size_bytes) != 0)
			return false;
	return a->nweight == b->nweight;
}

/* text to graph to text: the same graph, and from then on the same text; false: the text is not read */
static bool
round_trip(const char *text, size_t size)
{
	struct tn_error e = {0};
	struct tn_graph *g = read_graph(text, size, &e), *again, *third;
	char *one, *two;
	size_t n, m;

	if (!g) {
		check(e.code == TN_E_INPUT && e.msg[0], "what is wrong is said");
		return false;
	}
	one = written(g, &n);
	again = read_graph(one, n, &e);
	check(again != NULL, e.msg);
	if (again) {
		check(tn_graphs_same(g, again) && same_weights(g, again), "what is written reads back as the same graph");
		two = written(again, &m);
		third = read_graph(two, m, &e);
		check(third && tn_graphs_same(again, third), "and once more");
		if (failures)
			printf("%.*s\n%s\n", (int)size, text, one);
		tn_graph_free(third);
		free(two);
	}
	tn_graph_free(again);
	tn_graph_free(g);
	free(one);
	return true;
}

/* a byte changed, some left out, or some twice */
static size_t
spoil(struct rng *r, char *text, size_t size, size_t room)
{
	static const char bytes[] = "()[]\";: -09ahx.";
	size_t at = rng_below(r, (uint32_t)size), n = 1 + rng_below(r, 12);

	n = n < size - at ? n : size - at;
	switch (rng_below(r, 3)) {
	case 0:
		text[at] = bytes[rng_below(r, sizeof bytes - 1)];
		return size;
	case 1:
		memmove(text + at, text + at + n, size - at - n);
		return size - n;
	default:
		if (size + n > room)
			return size;
		memmove(text + at + n, text + at, size - at);
		return size + n;
	}
}

int
main(void)
{
	static char text[4000], spoilt[5000];
	struct rng r = {1};
	uint32_t read = 0, refused = 0;
	size_t size, k;
	int i, j;

	c = tn_ctx_new();
	for (k = 0; k < sizeof texts / sizeof *texts; k++) {
		size = (size_t)snprintf(text, sizeof text, "(graph \"a \\\"name\\\"\" %s)", texts[k]);
		if (!round_trip(text, size)) {
			printf("not read: %s\n", text);
			failures++;
		}
		for (i = 0; i < 300 && !failures; i++) {
			size_t n = size;

			memcpy(spoilt, text, size);
			for (j = 0; j <= i % 3 && n > 1; j++)
				n = spoil(&r, spoilt, n, sizeof spoilt);
			if (round_trip(spoilt, n))
				read++;
			else
				refused++;
		}
	}
	check(read > 50 && refused > 500, "some spoilt texts are read, most are not");
	tn_ctx_free(c);
	return failures != 0;
}
