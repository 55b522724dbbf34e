#!/usr/bin/env bash
# tenon verify: published forms that do not hold are refuted with a counter-example, repaired ones and the rules we ship hold.
set -u
bad=0

# as published, a number put where one was captured, laws of the reals that are none of integers, wrong beside a number
# that the rule says itself, or where a value is none
for file in published captured types mentioned borders aimed; do
	"$TENON" verify tests/unsound/$file.rules >"$TMP/out"
	[ $? = 1 ] || { echo "$file.rules: exit status is not 1"; bad=1; }
	for rule in $(sed -n 's/^(\(rule\|axiom\) \([^ )]*\).*/\2/p' tests/unsound/$file.rules); do
		grep -q ": $rule: refuted$" "$TMP/out" || { echo "$rule is not refuted"; bad=1; }
		grep -A20 ": $rule: refuted$" "$TMP/out" | grep -q '^    element \[.* on the left, .* on the right (' ||
			{ echo "$rule: no counter-example"; bad=1; }
	done
done

"$TENON" verify -v tests/unsound/repaired.rules >"$TMP/out" || { echo "repaired.rules: exit status $?"; bad=1; }
for rule in $(sed -n 's/^(rule \([^ )]*\).*/\1/p' tests/unsound/repaired.rules); do
	grep -q ": $rule: holds on " "$TMP/out" || { echo "$rule does not hold:"; grep ": $rule:" "$TMP/out"; bad=1; }
done

# what is right is not refuted, and instances of it are found, whatever the seed
for seed in 1 2 3; do
	"$TENON" verify --seed $seed tests/unsound/right.rules >"$TMP/out" && ! grep -q ': no instance\|: not checkable' "$TMP/out" ||
		{ echo "right.rules with seed $seed:"; cat "$TMP/out"; bad=1; }
done

# the published laws are a set of their own, beside the standard ones
"$TENON" verify --json "$TMP/out.json" rules/*.rules >"$TMP/out" || { echo "the standard rules:"; cat "$TMP/out"; bad=1; }
"$TENON" verify rules/compared/published.rules >"$TMP/out" || { echo "published.rules:"; cat "$TMP/out"; bad=1; }
"$TENON" verify --json "$TMP/one.json" rules/geometry.rules >/dev/null
"$TENON" verify --json "$TMP/again.json" rules/geometry.rules >/dev/null
cmp "$TMP/one.json" "$TMP/again.json" || { echo "two runs differ"; bad=1; }

"$TENONC" --check tests/unsound/published.rules >"$TMP/checked"
[ $? = 1 ] && grep -q ': gelu-silu-exp: refuted$' "$TMP/checked" || { echo "tenonc --check does not refute"; bad=1; }

# nothing to check it by, a guard that admits nothing, a file that is none
cat >"$TMP/odd.rules" <<'R'
(op mystery (in (x ..d)) (out ..d))
(op same (in (x ..d)) (out ..d) (def (x ..d)))
(rule unknown (=> (mystery (mystery ?x)) (mystery ?x)))
(op twice (in (x n)) (let m (* 2 n)) (out m) (def (x (mod m #n))))
(rule never (=> (same ?x) ?x) (when (< (rank ?x) 0)))
(rule grows (=> (same ?x) (twice ?x)) (when (= 1 (rank ?x))))
R
"$TENON" verify -v "$TMP/odd.rules" >"$TMP/out"
[ $? = 1 ] || { echo "odd.rules: exit status is not 1"; bad=1; }
grep -q ': unknown: not checkable: ' "$TMP/out" || { echo "unknown: it is not said that it cannot be checked"; bad=1; }
grep -q ': never: no instance: .* the guards never were' "$TMP/out" || { echo "never: it is not said that it has no instance"; bad=1; }
grep -q ': grows: no instance: .* different shapes' "$TMP/out" && grep -q '^    shape f32 \[1\] on the left, f32 \[2\] on the right$' "$TMP/out" ||
	{ echo "grows: it is not said that its sides have different shapes"; bad=1; }

# guards may ask for extents that no memory holds, and for such as are no numbers any more
cat >"$TMP/huge.rules" <<R
(include "$PWD/rules/tensor.rules")
(rule sum (=> (reduce-sum (relu ?x) :axis \$a :count \$n) (reduce-sum (max ?x 0) :axis \$a :count \$n)) (when (= (dim ?x 0) 1000000000000)))
(rule kernel (=> (conv2d ?x ?k ?b ..c) (conv2d ?x ?k ?b :strides [3 1] ..c)) (when (= 255 (dim ?k 1)) (= (dim ?x 3) (dim ?k 2) 256)))
(rule product (=> (reshape (relu ?x) :shape \$s) (relu (reshape ?x :shape \$s))) (when (= (dim ?x 0) (dim ?x 1) 2147483648)))
(rule beyond (=> (relu ?x) (max ?x 0)) (when (= (dim ?x 0) (* 4000000000000 4000000000000))))
R
"$TENON" verify -v "$TMP/huge.rules" >"$TMP/out"
[ $? = 1 ] && grep -q ': sum: no instance: all that was found is too large to be computed' "$TMP/out" &&
	[ "$(grep -c ': no instance: ' "$TMP/out")" = 4 ] || { echo "huge.rules:"; cat "$TMP/out"; bad=1; }

# an axiom is tested far out and near 0: one that holds around 0 alone is refuted
cat >"$TMP/axioms.rules" <<R
(include "$PWD/rules/tensor.rules")
(axiom odd (=> (tanh (neg ?x)) (neg (tanh ?x))))
(axiom far (=> (sigmoid (add ?x 40)) (sub 1 (exp (neg (add ?x 40))))))
R
"$TENON" verify -v "$TMP/axioms.rules" >"$TMP/out"
[ $? = 1 ] && grep -q ': odd: tested in double' "$TMP/out" && grep -q ': far: refuted' "$TMP/out" || { echo "axioms:"; cat "$TMP/out"; bad=1; }

# rules that need an axiom hold given it; one that the axioms do not settle is tested in double, and a refuted axiom settles nothing
cat >"$TMP/given.rules" <<R
(include "$PWD/rules/tensor.rules")
(axiom odd (=> (tanh (neg ?x)) (neg (tanh ?x))))
(axiom log-exp (=> (log (exp ?x)) ?x))
(axiom even (=> (erf (neg ?x)) (erf ?x)))
(rule one (=> (mul (tanh (neg ?x)) (tanh (neg ?y))) (mul (tanh ?y) (tanh ?x))))
(rule two (=> (tanh (neg (log (exp ?x)))) (neg (tanh ?x))))
(rule none (=> (tanh (mul 2 ?x)) (div (mul 2 (tanh ?x)) (add 1 (mul (tanh ?x) (tanh ?x))))))
(rule wrong (=> (tanh (neg ?x)) (tanh ?x)))
(rule never (=> (erf (neg ?x)) (neg (erf ?x))))
R
"$TENON" verify -v --json "$TMP/given.json" "$TMP/given.rules" >"$TMP/out"
[ $? = 1 ] && grep -q ': one: holds on .* instances (prime fields).*, given odd$' "$TMP/out" &&
	grep -q ': two: holds on .*, given odd, log-exp$' "$TMP/out" && grep -q ': none: tested in double' "$TMP/out" &&
	grep -q ': wrong: refuted$' "$TMP/out" && grep -q ': even: refuted$' "$TMP/out" && grep -q ': never: tested in double' "$TMP/out" &&
	grep -q '"two".*"given": "odd, log-exp"' "$TMP/given.json" || { echo "given axioms:"; cat "$TMP/out"; bad=1; }

# laws of integers and booleans: held in all types that the operators admit, and the executor stores what the checker does
grep -v '^(rule' tests/unsound/types.rules >"$TMP/types.rules"
cat >>"$TMP/types.rules" <<'R'
(rule distribute (=> (times (plus ?x ?y) ?z) (plus (times ?x ?z) (times ?y ?z))))
(rule absorb (=> (both ?x (either ?x ?y)) ?x))
R
"$TENON" verify -v --json "$TMP/types.json" "$TMP/types.rules" >"$TMP/out" || { echo "types: exit status $?"; bad=1; }
grep -q ': distribute: holds on .*, and in i32 i64 u8$' "$TMP/out" && grep -q ': absorb: holds on .* (whole numbers), and in bool$' "$TMP/out" &&
	grep -q '"absorb".*"types": \["bool"\]' "$TMP/types.json" || { echo "types:"; cat "$TMP/out"; bad=1; }
echo '(graph g (input x i32 [9]) (output (times (over x 2) 2) "y"))' >"$TMP/halves.graph"
echo '(graph g (input x i32 [9]) (output x "y"))' >"$TMP/same.graph"
"$TENON" compare --rules "$TMP/types.rules" "$TMP/halves.graph" "$TMP/same.graph" >"$TMP/out" 2>&1
[ $? = 1 ] || { echo "halves of integers are not cut:"; cat "$TMP/out"; bad=1; }

# sides of different shapes: told with the smallest instance; it holds where they fit
"$TENON" verify tests/unsound/shapes.rules >"$TMP/out" || { echo "shapes.rules: exit status $?"; bad=1; }
grep -q ': concat-over-broadcast-sum: holds on ' "$TMP/out" && grep -q '^    its sides have different shapes, and it does not apply, in ' "$TMP/out" &&
	grep -q '^    shape f32 \[[0-9]* [0-9]*\] on the left, f32 \[[0-9]* [0-9]*\] on the right$' "$TMP/out" ||
	{ echo "shapes.rules: the shapes are not told:"; cat "$TMP/out"; bad=1; }

# what was covered: strides, pads, groups, kernels odd and even; what a guard keeps away
cat >"$TMP/range.rules" <<R
(include "$PWD/rules/tensor.rules")
(rule batch
  (=> (concat (conv2d ?x ?k ?b ..c) (conv2d ?y ?k ?b ..c) :axis 0) (conv2d (concat ?x ?y :axis 0) ?k ?b ..c)))
(rule one-axis (=> (concat ?x ..c) ?x) (when (= 1 (rank ?x))))
R
"$TENON" verify -v --json "$TMP/range.json" "$TMP/range.rules" >"$TMP/out" || { echo "range.rules: exit status $?"; cat "$TMP/out"; bad=1; }
grep -A3 ': batch: holds on' "$TMP/out" |
	grep -q 'conv2d: strides 1 2.*; pads .*0 1 2.*; groups 1 2.*; act none relu sigmoid tanh; .* g 1 2.*; r 1 2 3.*; s 1 2 3' ||
	{ echo "range.rules: the ranges are not told or not covered:"; cat "$TMP/out"; bad=1; }
# and together: depthwise convolutions, odd and even kernels under each stride; what was not met together is told too
grep -A4 ': batch: holds on' "$TMP/out" | grep -q '^    conv2d: [0-9]* of [0-9]* pairs of kinds together, not .* with .*, …$' &&
	grep -q '"apart": "conv2d: ' "$TMP/range.json" || { echo "range.rules: what was met together is not told:"; cat "$TMP/out"; bad=1; }
for pair in "groups 2:g 1" "groups 1:g odd" "sh 1:r even" "sh 1:r odd" "sh 2:r even" "sh 2:r odd" "sw 2:s even" "sw 2:s odd"; do
	! grep -q "conv2d: ${pair%:*} with ${pair#*:}\\\\u000a\\|conv2d: ${pair#*:} with ${pair%:*}\\\\u000a" "$TMP/range.json" ||
		{ echo "range.rules: ${pair%:*} was not met with ${pair#*:}"; bad=1; }
done
grep -q ': one-axis: .*; no instance had axis but 0$' "$TMP/out" || { echo "one-axis: the axes that no instance had are not told"; bad=1; }
"$TENON" verify --json - "$TMP/range.rules" >"$TMP/out" 2>/dev/null
grep -q '^ {"rule": "one-axis"' "$TMP/out" && ! grep -v '^\[$\|^ {"rule": \|^\]$' "$TMP/out" || { echo "--json -: not JSON, or not alone"; bad=1; }
"$TENON" verify --only nothing --json "$TMP/none.json" "$TMP/range.rules" >/dev/null 2>&1
[ $? = 2 ] && [ ! -e "$TMP/none.json" ] || { echo "--only without a match: exit status is not 2, or a file is left"; bad=1; }
"$TENON" verify --instances 1000001 "$TMP/range.rules" >/dev/null 2>&1
[ $? = 2 ] || { echo "more instances than there may be: exit status is not 2"; bad=1; }
"$TENON" verify --json "$TMP/range.rules" "$TMP/range.rules" >/dev/null 2>&1
[ $? = 2 ] && grep -q one-axis "$TMP/range.rules" || { echo "the rules were written over"; bad=1; }
"$TENON" verify "$TMP/none.rules" 2>/dev/null
[ $? = 2 ] || { echo "a missing file: exit status is not 2"; bad=1; }

# an error planted deep in a file of more than forty rules is named with its place, alone
{
	echo "(include \"$PWD/rules/tensor.rules\")"
	grep -hv '^(include' rules/linear.rules rules/geometry.rules
} >"$TMP/many.rules"
[ "$(grep -c '^(rule ' "$TMP/many.rules")" -ge 40 ] || { echo "many.rules: fewer than forty rules"; bad=1; }
"$TENON" verify "$TMP/many.rules" >"$TMP/out" || { echo "many.rules: exit status $?"; cat "$TMP/out"; bad=1; }
sed 's/(slice ?q :axis $a :from (- $i $m) :to (- $j $m))/(slice ?q :axis $a :from (- $j $j) :to (- $j $i))/' "$TMP/many.rules" >"$TMP/planted.rules"
line=$(grep -n '^(rule slice-of-concat-right$' "$TMP/planted.rules" | cut -d: -f1)
"$TENON" verify "$TMP/planted.rules" >"$TMP/out"
[ $? = 1 ] || { echo "planted.rules: exit status is not 1"; bad=1; }
[ "$(grep ': refuted$' "$TMP/out")" = "$TMP/planted.rules:$line: slice-of-concat-right: refuted" ] ||
	{ echo "the planted error is not named:"; cat "$TMP/out"; bad=1; }
exit $bad
