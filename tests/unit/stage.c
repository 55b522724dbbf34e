/* Guards and staged results: shapes are checked, nothing is added on refusal, numbers get their place's shape. */
#include "saturate/apply.h"
#include "tensor/uniform.h"
#include "tests/unit/given.h"

static int failures;
static struct tn_program program;
static struct tn_apply apply;
static tn_type input_type[32];
static int ninput;

static void
check(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

/* ---- an e-graph over inputs ---------------------------------------------------------------------------- */

static int64_t
input_index(const struct tn_node *n)
{
	return tn_val_get(c, tn_attrs_get(c, n->attrs, NULL)[0])->u.i;
}

static void
make(void *arg, const struct tn_egraph *g, const struct tn_node *n, void *data)
{
	struct tensor_data *d = data;
	const struct tensor_data *kid;
	tn_type in[8];
	tn_val value[8];
	struct tn_infer s = {.ctx = arg, .attrs = n->attrs, .nin = n->nkid, .in = in, .keep_unknown = true};
	int i;

	*d = (struct tensor_data){.uniform = TN_NONE, .is_constant = n->op != TN_INPUT};
	if (n->op == TN_INPUT) {
		d->type = input_type[input_index(n)];
		return;
	}
	s.op = &program.op[n->op];
	for (i = 0; i < n->nkid; i++) {
		kid = tn_data(g, n->kid[i]);
		in[i] = kid->type;
		value[i] = kid->uniform;
		d->is_constant &= kid->is_constant;
	}
	if (!tn_infer_run(&s))
		abort();
	d->type = s.out;
	d->uniform = uniform_value(&s, value);
}

static bool
merge(void *arg, void *into, const void *from, bool *failed)
{
	struct tensor_data *a = into;
	const struct tensor_data *b = from;

	(void)arg;
	*failed |= a->type != b->type;
	return false;
}

static tn_id
input(const char *type)
{
	tn_val index = tn_val_make(c, &(struct tn_value){.kind = TN_K_INT, .u.i = ninput});

	input_type[ninput++] = read_type(type);
	return tn_add(apply.g, TN_INPUT, tn_attrs_make(c, &index, 1), NULL, 0);
}

static unsigned
number_of(const char *op)
{
	return (unsigned)(op_named(op) - rules.text.op);
}

static tn_id
node(const char *op, const char *attrs, int n, const tn_id kid[])
{
	return tn_add(apply.g, (uint16_t)number_of(op), read_attrs(op_named(op), attrs), kid, n);
}

static tn_id
new(const char *op, const char *attrs, int n, const tn_id kid[])
{
	return tn_new(&apply, number_of(op), read_attrs(op_named(op), attrs), kid, n);
}

#define KIDS(...) sizeof((tn_id[]){__VA_ARGS__}) / sizeof(tn_id), (const tn_id[]){__VA_ARGS__}

static tn_attrs
fill_record(double x, const char *type)
{
	return fill_attrs(c, x, read_type(type));
}

static tn_id
fill(double x, const char *type)
{
	return tn_add(apply.g, TN_FILL, fill_record(x, type), NULL, 0);
}

static bool
is_int(struct tn_v v, tn_dim d)
{
	return v.kind == TN_VV_INT && v.u.i == d;
}

/* ---- guards -------------------------------------------------------------------------------------------------- */

static void
test_guards(void)
{
	struct tn_search *s = apply.search;
	tn_id x = input("f32 2 3 h"), third = fill(1.0 / 3, "f32 2");
	tn_id sum = node("add", "", KIDS(x, x)), twice = node("add", "", KIDS(third, third));
	tn_attrs a = read_attrs(op_named("conv2d"), "strides 2 2"), b = read_attrs(op_named("conv2d"), "strides 2 2; act 1");

	tn_rebuild(apply.g);
	check(is_int(tn_v_dim(s, sum, tn_v_num(0, 1, 0)), 2) && is_int(tn_v_dim(s, sum, tn_v_num(-2, 1, 0)), 3), "dim");
	check(tn_v_dim(s, sum, tn_v_num(3, 1, 0)).kind == TN_VV_BAD, "dim out of range");
	check(is_int(tn_v_dim(s, sum, tn_v_num(-1, 1, 0)), tn_dim_sym(c, "h")), "symbolic dim");
	check(is_int(tn_v_rank(s, sum), 3) && tn_v_shape(s, sum).n == 3, "rank and shape");
	check(!tn_v_holds(tn_v_constant(s, sum)) && tn_v_holds(tn_v_constant(s, third)), "constant");
	check(tn_v_dtype(s, sum).u.i == TN_F32, "dtype");
	check(tn_uniform_is(s, third, 1, 3, 0) && !tn_uniform_is(s, third, 1, 4, 0), "a third within 2 ulp");
	check(tn_uniform_is(s, twice, 2, 3, 0), "uniform sum");
	check(tn_uniform(s, sum) == TN_NONE, "not uniform");
	check(tn_val_is(s, tn_attr(s, a, 3), 1, 1, 0) && !tn_val_is(s, tn_attr(s, a, 3), 1, 2, 0), "groups is 1");
	check(!tn_attrs_same(s, a, b, 0) && tn_attrs_same(s, a, b, UINT64_C(1) << 4), "same but for act");
	tn_search_reset(s);
}

/* ---- results --------------------------------------------------------------------------------------------------- */

static bool
join(tn_id root, tn_id t)
{
	bool ok = tn_join(&apply, root, t);

	tn_rebuild(apply.g);
	return ok;
}

/* relu of a convolution is a convolution with relu; the bias left out is a fill of its place's shape */
static void
test_new(void)
{
	tn_id x = input("f32 1 3 8 8"), k = input("f32 4 3 3 3"), conv = node("conv2d", "", KIDS(x, k, fill(0, "f32 4")));
	tn_id relu = node("relu", "", KIDS(conv)), t;

	tn_rebuild(apply.g);
	apply_begin(&apply);
	t = new("conv2d", "act 1", KIDS(x, k));
	check(t != TN_NONE && t & STAGED, "staged");
	check(is_int(tn_a_dim(&apply, t, tn_v_num(1, 1, 0)), 4) && is_int(tn_a_rank(&apply, t), 4), "shape of what is staged");
	check(join(relu, t), "joined");
	check(tn_find(apply.g, relu) == tn_find(apply.g, node("conv2d", "act 1", KIDS(x, k, fill(0, "f32 4")))), "one class");
	apply_begin(&apply);
	check(new("conv2d", "", KIDS(x, k)) == tn_find(apply.g, conv), "a node that is there is not staged");
}

static void
test_refusals(void)
{
	tn_id x = input("f32 5 6"), y = input("f32 6 7"), z = input("f64 5 6"), u = input("i64 5 6");
	tn_id root = node("relu", "", KIDS(x)), half;
	size_t before;

	tn_rebuild(apply.g);
	before = tn_nnodes(apply.g);
	apply_begin(&apply);
	check(!join(root, new("add", "", KIDS(x, y))), "shapes");
	check(!join(root, new("add", "", KIDS(x, new("add", "", KIDS(x, y))))), "a refusal is passed on");
	check(!join(root, new("matmul", "", KIDS(x, y))), "another shape than the root's");
	check(!join(root, new("exp", "", KIDS(u))), "element type");
	check(!join(root, new("slice", "axis 2; from 0; to 1", KIDS(x))), "axis");
	check(!join(root, tn_new(&apply, number_of("relu"), TN_NONE, &x, 1)), "record");
	check(!join(root, new("add", "", KIDS(tn_num(&apply, 1, 1, 0), tn_num(&apply, 2, 1, 0)))), "numbers alone have no shape");
	half = tn_num(&apply, 1, 10, 0);
	check(new("add", "", KIDS(z, half)) == TN_NONE, "a double would lose digits");
	check(new("add", "", KIDS(x, half)) != TN_NONE, "a float takes the nearest");
	check(tn_nnodes(apply.g) == before, "nothing is added");
}

static void
test_numbers(void)
{
	tn_id x = input("f32 3 n"), sub = node("sub", "", KIDS(x, x)), mul = node("mul", "", KIDS(x, x)), two, t;

	tn_rebuild(apply.g);
	apply_begin(&apply);
	check(join(sub, tn_num(&apply, 0, 1, 0)), "a number as the result");
	check(tn_find(apply.g, sub) == tn_find(apply.g, fill(0, "f32 3 n")), "has the root's shape");
	apply_begin(&apply);
	two = tn_num_val(&apply, tn_val_make(c, &(struct tn_value){.kind = TN_K_INT, .u.i = 2}));
	t = new("mul", "", KIDS(new("expand", "axes 1; shape 3 n", KIDS(new("add", "", KIDS(input("f32 n"), two)))), two));
	check(join(mul, t), "one number in two places");
	check(tn_lookup(apply.g, TN_FILL, fill_record(2, "f32 n"), NULL, 0) != TN_NONE, "has the first's shape");
	check(tn_lookup(apply.g, TN_FILL, fill_record(2, "f32 3 n"), NULL, 0) != TN_NONE, "and the second's");
}

/* a term only asked for its shape is not added; an axis counted from the end is normalised */
static void
test_asked(void)
{
	tn_id x = input("f32 4 6"), root = node("exp", "", KIDS(x)), asked, t;
	struct tn_v dims[2];
	unsigned reshape = number_of("reshape");
	size_t before;

	tn_rebuild(apply.g);
	before = tn_nnodes(apply.g);
	apply_begin(&apply);
	asked = new("concat", "axis -1", KIDS(x, x));
	dims[0] = tn_a_dim(&apply, asked, tn_v_num(0, 1, 0));
	dims[1] = tn_a_dim(&apply, asked, tn_v_num(-1, 1, 0));
	dims[1] = tn_v_call2(apply.search, TN_F_FLOORDIV, dims[1], tn_v_num(2, 1, 0));
	dims[0] = tn_v_list(apply.search, 2, dims);
	t = tn_new(&apply, reshape, tn_rec(&apply, reshape, TN_NONE, 1, (const int[]){0}, dims), &x, 1);
	check(join(root, t), "joined");
	check(tn_nnodes(apply.g) == before + 1, "only the reshape is added");
	apply_begin(&apply);
	t = new("softmax", "axis -1", KIDS(x));
	check(join(node("tanh", "", KIDS(x)), t), "joined");
	check(node("softmax", "axis 1", KIDS(x)) == tn_find(apply.g, node("tanh", "", KIDS(x))), "axis");
}

static void
test_records(void)
{
	unsigned conv = number_of("conv2d");
	tn_attrs base = read_attrs(op_named("conv2d"), "strides 2 2");
	struct tn_v v[2] = {tn_v_num(3, 1, 0), {.kind = TN_VV_ENUM, .u.i = 1}}, bad = tn_v_num(1, 2, 0);
	const int attr[2] = {3, 4};

	check(tn_rec(&apply, conv, base, 2, attr, v) == read_attrs(op_named("conv2d"), "strides 2 2; groups 3; act 1"), "replaced");
	check(tn_rec(&apply, conv, TN_NONE, 2, attr, v) == TN_NONE, "not all given");
	check(tn_rec(&apply, conv, base, 1, attr, &bad) == TN_NONE, "a half is no int");
	check(tn_rec(&apply, number_of("relu"), base, 0, NULL, NULL) == TN_NONE, "another operator's record");
}

int
main(void)
{
	static const struct tn_analysis analysis = {sizeof(struct tensor_data), NULL, make, merge};
	struct tn_analysis with_ctx = analysis;

	if (!load_operators())
		return 1;
	c = tn_ctx_new();
	with_ctx.arg = c;
	program.op = rules.text.op;
	program.nop = rules.text.nop;
	apply.g = tn_egraph_new(&(struct tn_egraph_config){.analysis = &with_ctx, .max_nodes = 4096});
	apply.search = tn_search_new(c, &program, apply.g);
	apply.reason.rule = TN_NONE;
	test_guards();
	test_new();
	test_refusals();
	test_numbers();
	test_asked();
	test_records();
	apply_free(&apply);
	tn_search_free(apply.search);
	tn_egraph_free(apply.g);
	tn_ctx_free(c);
	rules_free(&rules);
	return failures != 0;
}
