/* An operator that a rule file declares with (onnx "Name" "domain") is read, written and exported by that name. */
#include "tests/unit/onnx_build.h"

static const char text[] = "(op blend (attr alpha float 1) (attr taps ints) (attr mode int 0) (onnx \"Blend\" \"com.acme\")\n"
    "  (in (x ..d) (y ..d)) (out ..d))\n"
    "(op tuck (onnx \"Tuck\") (in (x ..d)) (out ..d))\n";

/* An opaque operator is no part of an export, which is a model of its own. */
static void
check(const char *model, const char *want)
{
	struct tn_error e = {0};
	struct buf a = {0}, b = {0};
	char in[300], out[300];
	struct tn_onnx *x, *y = NULL;

	snprintf(in, sizeof in, "%s", scratch("in.onnx"));
	snprintf(out, sizeof out, "%s", scratch("out.onnx"));
	x = open_text(model, in, &e);
	if (x)
		graph_to_text(x, tn_onnx_graph(x), &a);
	if (x && (*want == '?' ? tn_onnx_write(x, tn_onnx_graph(x), out, &e) : tn_onnx_export(tn_onnx_graph(x), out, &e)))
		y = tn_onnx_open(ctx, &program, out, NULL, &e);
	if (y)
		graph_to_text(y, tn_onnx_graph(y), &b);
	if (!y || strcmp(a.at, want) != 0 || strcmp(b.at, want) != 0) {
		printf("%s\n  read %s, written %s, wanted %s (%s)\n", model, a.n ? a.at : "", b.n ? b.at : "", want, e.msg);
		failures++;
	}
	if (y && strstr(want, "blend") && model_opset(&y->model, (struct span){(const unsigned char *)"com.acme", 8}) != 1) {
		printf("%s\n  the domain is not imported\n", model);
		failures++;
	}
	tn_onnx_close(x);
	tn_onnx_close(y);
	buf_free(&a);
	buf_free(&b);
	unlink(in);
	unlink(out);
}

int
main(void)
{
	if (!rules_load_text(&rules, "acme.rules", text, sizeof text - 1)) {
		diag_print(&rules.diags, stdout, false);
		return 1;
	}
	program = (struct tn_program){.nop = rules.text.nop, .op = rules.text.op, .enums = rules.text.enums, .nenum = rules.text.nenum};
	ctx = tn_ctx_new();
	check("in x f32 n 3; in z f32 n 3; com.acme:Blend x z -> y alpha=2.0 taps=[1,2]; out y", "blend{2 [1 2] 0}(x z)");
	check("in x f32 n 3; Tuck x -> y; out y", "tuck(x)");
	/* no number is taken for the name of an expression */
	check("in x f32 n 3; in z f32 n 3; com.acme:Blend x z -> y taps=[1,4611686018427387909]; out y", "?Blend(x z)");
	check("in x f32 n 3; in z f32 n 3; com.acme:Blend x z -> y taps=[1] mode=4611686018427387909; out y", "?Blend(x z)");
	/* an operator of the table that this program does not declare is opaque, like all else */
	check("in x f32 n 3; Tuck x -> a; com.acme:Blend a a -> y taps=[1]; out y", "blend{1 [1] 0}(tuck(x) tuck(x))");
	unload_program();
	return failures != 0;
}
