/* What inference says of symbolic shapes holds at all sizes: random uses of every operator, then with numbers. */
#include "tensor/random_op.h"
#include "tests/oracle/use.h"
#include "tests/unit/given.h"

enum { TRIES = 200, SIZES = 6, ENOUGH = 1000 };

static int failures;

struct use {
	const struct tn_op *op;
	tn_attrs attrs;
	int nin;
	tn_type in[MAX_IN], out;
};

static bool
infer(struct use *u, bool keep_unknown)
{
	struct tn_infer s = {.ctx = c, .op = u->op, .attrs = u->attrs, .nin = u->nin, .in = u->in, .keep_unknown = keep_unknown};
	bool ok = tn_infer_walk(&s);

	u->out = s.out;
	return ok;
}

static tn_type
type_at(tn_type type, const int64_t sizes[])
{
	struct tn_shape t = *tn_type_get(c, type);
	int i;

	for (i = 0; i < t.rank; i++)
		if (!tn_dim_at(c, t.dim[i], sizes, &t.dim[i]))
			abort();
	return tn_type_make(c, &t);
}

static tn_attrs
attrs_at(tn_attrs a, const int64_t sizes[])
{
	int n, i;
	const tn_val *val = tn_attrs_get(c, a, &n);
	int64_t list[16];
	uint32_t k;

	for (i = 0; i < n; i++) {
		struct tn_value v = *tn_val_get(c, val[i]);

		if (v.kind != TN_K_DIM && v.kind != TN_K_DIMS)
			continue;
		if (v.kind == TN_K_DIM)
			tn_dim_at(c, v.u.dim, sizes, &v.u.dim);
		for (k = 0; k < v.n && k < 16; k++)
			tn_dim_at(c, v.u.list[k], sizes, &list[k]);
		if (v.kind == TN_K_DIMS)
			v.u.list = list;
		a = tn_attrs_with(c, a, i, tn_val_make(c, &v));
		val = tn_attrs_get(c, a, &n);
	}
	return a;
}

static void
report(const char *what, const struct use *u, const int64_t sizes[])
{
	failures++;
	printf("%s: %s; at h %lld, w %lld\n", u->op->name, what, (long long)sizes[0], (long long)sizes[1]);
	use_print(c, u->op, u->attrs, u->nin, u->in);
}

/* Is it admitted for all sizes, as far as can be told? */
static bool
try(struct random_op *r, const struct tn_op *op)
{
	struct use u = {.op = op}, at;
	int64_t sizes[2];
	bool always, maybe, is;
	int i, k;

	u.attrs = random_op(r, op, u.in, &u.nin);
	u.attrs = tn_attrs_normalise(c, op, u.attrs, u.in, u.nin);
	if (u.attrs == TN_NONE)
		return false;
	maybe = infer(&u, true);
	always = infer(&u, false);
	if (always && !maybe)
		report("certain, but not possible", &u, (const int64_t[]){0, 0});
	for (k = 0; k < SIZES; k++) {
		sizes[0] = 1 + rng_below(&r->rng, 7);
		sizes[1] = 1 + rng_below(&r->rng, 7);
		at = u;
		at.attrs = attrs_at(u.attrs, sizes);
		for (i = 0; i < u.nin; i++)
			at.in[i] = type_at(u.in[i], sizes);
		is = infer(&at, false);
		if (always && !is)
			report("holds, but not here", &u, sizes);
		else if (is && !maybe)
			report("holds nowhere, but here", &u, sizes);
		else if (always && at.out != type_at(u.out, sizes))
			report("another shape here", &u, sizes);
	}
	return always;
}

int
main(void)
{
	struct random_op r = {.rng = {1}, .nsym = 2, .scale = 6};
	int i, k, admitted = 0;

	if (!load_operators())
		return 1;
	r.ctx = c = tn_ctx_new();
	tn_dim_sym(c, "h");
	tn_dim_sym(c, "w");
	for (i = TN_CORE; i < rules.text.nop && failures < 5; i++)
		for (k = 0; k < TRIES; k++)
			admitted += try(&r, &rules.text.op[i]);
	if (admitted < ENOUGH) {
		printf("only %d uses are admitted\n", admitted);
		failures++;
	}
	tn_ctx_free(c);
	rules_free(&rules);
	return failures != 0;
}
