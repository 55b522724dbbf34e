/* Operators as typed: attributes, shapes, lets in order of use, symmetry, definitions, types; printed and compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/rule.h"

static int nbad;

/* declarations, and what is typed of the last of them */
static const struct {
	const char *text, *typed;
} cases[] = {
	{"(op add (in (a ..d) (b ..d)) (out ..d) (def (+ (a ..d) (b ..d))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin a ..d\n\tin b ..d\n\tout ..d\n\tcommutative\n\tdef (+:real (read a ..d) (read b ..d))\n"},
	/* symmetric only up to the order in sums and products */
	{"(op f (in (a d) (b d)) (out d) (def (max (* (a d) (b d)) (+ 1 (* (b d) (a d)) 0))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin a d\n\tin b d\n\tout d\n\tcommutative\n"
	 "\tdef (max:real (*:real (read a d) (read b d)) (+:real 1 (*:real (read b d) (read a d)) 0))\n"},
	{"(op sub (in (a ..d) (b ..d)) (out ..d) (def (- (a ..d) (b ..d))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin a ..d\n\tin b ..d\n\tout ..d\n\tdef (-:real (read a ..d) (read b ..d))\n"},
	/* of other shapes there is no symmetry */
	{"(op outer (in (a n) (b m)) (out n m) (def (* (a n) (b m))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin a n\n\tin b m\n\tout n m\n\tdef (*:real (read a n) (read b m))\n"},
	/* uninterpreted, and a term rewriting language's operator */
	{"(op + (in (a) (b)) (out))", "\tdtypes f16 bf16 f32 f64\n\tin a\n\tin b\n\tout\n\tscalar\n"},
	/* lets in any order */
	{"(op f (in (x d)) (let r (* p q)) (let p (+ q 1)) (let q (div d 2)) (where (< 0 r) (< 1 q)) (out r))",
	 "\tdtypes f16 bf16 f32 f64\n\tin x d\n\tlet q (div:int d 2)\n\tlet p (+:int q 1)\n\tlet r (*:int p q)\n\twhere (< 0 r)\n\twhere (< 1 q)\n\tout r\n"},
	/* attributes and their defaults, element types */
	{"(enum mode zero edge)\n(op f (attr m mode edge) (attr pads [pt pb] [0 1]) (attr t dtype f32) (attr axis axis -1) (attr s string \"a\")"
	 "(attr alpha float 1/6) (attr z bool true) (dtypes int bool f32) (in (x ..a@axis d) (i d :type i64) (b :default 0.5)) (out ..a d :type t))",
	 "\tdtypes f32 i8 i16 i32 i64 u8 u16 u32 u64 bool\n\tattr m mode = edge\n\tattr pads ints[2] = [0 1]\n\tattr t dtype = f32\n"
	 "\tattr axis axis of x = -1\n\tattr s string = \"a\"\n\tattr alpha float = 1/6\n\tattr z bool = true\n"
	 "\tin x ..a@axis d\n\tin i d :type i64\n\tin b = 0.5\n\tout ..a d :type t\n"},
	/* functions are written out around their argument, computed once; an attribute at the head of a call is a switch */
	{"(fn none (v) v)\n(fn twice (v) (+ v v))\n(enum act none twice tanh)\n"
	 "(op f (attr act act none) (in (x ..d)) (out ..d) (def (act (x ..d))))",
	 "\tdtypes f16 bf16 f32 f64\n\tattr act act = none\n\tin x ..d\n\tout ..d\n"
	 "\tdef (let .operand (read x ..d) (switch act none: (let v.3 .operand v.3) twice: (let v.4 .operand (+:real v.4 v.4)) "
	 "tanh: (tanh:real .operand)))\n"},
	/* the parameter of a function hides what has its name */
	{"(fn f (x) (* x x))\n(op g (in (x x)) (out x) (def (f (x x))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin x x.0\n\tout x.0\n\tdef (let x.1 (read x x.0) (*:real x.1 x.1))\n"},
	/* an index read from a tensor, a condition read from one, a result of conditions */
	{"(op f (in (x n d) (i m :type i32) (c m :type bool)) (out m d) (def (if (c m) (x (i m) d) 0)))",
	 "\tdtypes f16 bf16 f32 f64\n\tin x n d\n\tin i m :type i32\n\tin c m :type bool\n\tout m d\n"
	 "\tdef (if:real (!= (read c m) 0) (read x (read i m) d) 0)\n"},
	{"(op f (in (a d) (b d) (c d :type bool)) (out d :type bool) (def (and (< (a d) (b d)) (c d))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin a d\n\tin b d\n\tin c d :type bool\n\tout d :type bool\n"
	 "\tdef (if:int (and (< (read a d) (read b d)) (!= (read c d) 0)) 1 0)\n"},
	/* reductions, own iterators, variadic operands */
	{"(op f (in (x n d)) (out n) (def (/ (sum [d] (x n d)) (sum [(r 3) d] (inside (x (+ n r) d))))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin x n d\n\tout n\n"
	 "\tdef (/:real (sum [d] (read x n d)) (sum [(r 3) d] (inside (read x (+:int n r) d))))\n"},
	{"(op join (in (xs... ..a d*)) (let e (sum [xs] d*)) (out ..a e) (def (pick [xs] (xs ..a (- e (before d*))))))",
	 "\tdtypes f16 bf16 f32 f64\n\tin xs... ..a d*\n\tlet e (sum [xs] d*)\n\tout ..a e\n"
	 "\tdef (pick [xs] (read xs ..a (-:int e (before d*))))\n"},
	/* sorts: whole numbers stay whole, one real makes all real, a list goes element by element */
	{"(op f (attr p ints) (in (x ..d)) (let ..e (max (+ ..d p) 1)) (out ..e) (def (+ 1 (* 2 (product #..d)) (/ 1 2))))",
	 "\tdtypes f16 bf16 f32 f64\n\tattr p ints\n\tin x ..d\n\tlet ..e (max:list (+:list ..d p) 1)\n\tout ..e\n"
	 "\tdef (+:real 1 (*:int 2 (product:int #..d)) (/:real 1 2))\n"},
	{"(op f (in (x d)) (out d) (cost (* 1.5e3 (/ d 3))))", "\tdtypes f16 bf16 f32 f64\n\tin x d\n\tout d\n\tcost (*:real 1500 (/:real d 3))\n"},
};

static void
check_case(const char *text, const char *want)
{
	struct rules r = {0};
	char *out = NULL, *last, *at;
	size_t len;
	FILE *f = open_memstream(&out, &len);

	if (!rules_load_text(&r, "text", text, strlen(text)))
		diag_print(&r.diags, f, false);
	else
		rules_dump(&r, f);
	fclose(f);
	last = out;
	for (at = out; (at = strstr(at, "op ")); at++)
		if (at == out || at[-1] == '\n')
			last = at;
	at = strchr(last, '\n');
	if (!at || strcmp(at + 1, want) != 0 || r.diags.n) {
		printf("%s\nis typed\n%sand not\n%s", text, out, want);
		nbad++;
	}
	rules_free(&r);
	free(out);
}

/* a file that is included twice, under two names, is read once; places lead back to the text */
static void
test_source(void)
{
	static const char text[] = "(include \"rules/tensor.rules\")\n(include \"rules/../rules/tensor.rules\")\n(op mine (in (x ..d)) (out ..d))\n";
	struct rules r = {0};
	const struct tn_op *op;
	const char *form;
	size_t len;

	if (!rules_load_text(&r, "text", text, sizeof text - 1)) {
		diag_print(&r.diags, stdout, false);
		nbad++;
	} else {
		op = &r.text.op[r.text.nop - 1];
		form = rules_source(&r, op->at, &len);
		if (strcmp(op->name, "mine") != 0 || op->line != 3 || len != 32 || strncmp(form, "(op mine (in (x ..d)) (out ..d))", len) != 0) {
			printf("'%s', line %d: '%.*s'\n", op->name, op->line, (int)len, form);
			nbad++;
		}
	}
	rules_free(&r);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		check_case(cases[i].text, cases[i].typed);
	test_source();
	return nbad != 0;
}
