#!/usr/bin/env bash
# tenon optimize never writes over its input unless told, prefers the original where nothing is gained, changes nothing
# the second time, and reports the cost of the file that it wrote.
set -u
bad=0
note() { echo "$1"; bad=1; }
# (no limit of time: a machine may be slow)
opt() { "$TENON" optimize --verify-time 0 "$@" >"$TMP/out" 2>&1; }
# before or after, of a JSON report
cost() { sed -n 's/.*"cost_ns".*"'"$2"'": \([0-9]*\).*/\1/p' "$1"; }

"$TENON" model squeezenet -o "$TMP/net.onnx" >/dev/null || note "the model is not made"
"$TENON" model squeezenet -o "$TMP/net.graph" >/dev/null || note "the model is not made as text"
cp "$TMP/net.onnx" "$TMP/kept.onnx"

# ---- its input ----
ln -s net.onnx "$TMP/link.onnx"
ln "$TMP/net.onnx" "$TMP/hard.onnx"
for out in net.onnx ./net.onnx link.onnx hard.onnx; do
	opt "$TMP/net.onnx" -o "$TMP/$out"
	[ $? = 2 ] || note "'$out' is the input and was written"
	cmp -s "$TMP/net.onnx" "$TMP/kept.onnx" || note "'$out' took the input away"
done
grep -q "is the input; --force writes over it" "$TMP/out" || note "the way out is not said: $(cat "$TMP/out")"

# ---- nothing gained ----
opt "$TMP/net.onnx" -o "$TMP/same.onnx" --no-rules || note "no rules: $(cat "$TMP/out")"
cmp -s "$TMP/net.onnx" "$TMP/same.onnx" || note "without rules other bytes are written"
# a rule that gains nothing
printf '(include "tensor.rules") (include "targets.rules") (rule factor (=> (neg ?x) (mul ?x -1)))\n' >"$TMP/factor.rules"
printf '(graph m (input x f32 [2 3]) (output (relu (neg x)) "z"))\n' >"$TMP/m.graph"
export XDG_CACHE_HOME=$TMP/cache
opt "$TMP/m.graph" -o "$TMP/m.onnx" --no-rules && opt "$TMP/m.onnx" -o "$TMP/m2.onnx" --rules "$TMP/factor.rules" ||
	note "the factor: $(cat "$TMP/out")"
cmp -s "$TMP/m.onnx" "$TMP/m2.onnx" || note "an equally cheap graph was written in place of the original"
grep -q '^rules  *none' "$TMP/out" || note "a rule is said to have contributed to what is unchanged"

# ---- twice, and what is written: all weights may fold, or a second run has room for more ----
for form in onnx graph; do
	opt "$TMP/net.$form" -o "$TMP/first.onnx" --json "$TMP/first.json" --max-growth 1000 || note "$form: $(cat "$TMP/out")"
	[ "$(cost "$TMP/first.json" after)" -lt "$(cost "$TMP/first.json" before)" ] || note "$form: nothing was gained"
	cp "$TMP/first.onnx" "$TMP/first-$form.onnx"
	opt "$TMP/first.onnx" -o "$TMP/second.onnx" --json "$TMP/second.json" --max-growth 1000 || note "$form, again: $(cat "$TMP/out")"
	[ "$(cost "$TMP/second.json" before)" = "$(cost "$TMP/first.json" after)" ] ||
		note "$form: $(cost "$TMP/first.json" after) ns were reported, and the file costs $(cost "$TMP/second.json" before)"
	cmp -s "$TMP/first.onnx" "$TMP/second.onnx" || note "$form: the second run changed something"
done
# a convolution takes its activation along in a .graph file, not in ONNX
opt "$TMP/net.graph" -o "$TMP/own.graph" --json "$TMP/own.json" --max-growth 1000 --no-verify || note "own form: $(cat "$TMP/out")"
[ "$(cost "$TMP/own.json" after)" -lt "$(cost "$TMP/first.json" after)" ] || note "text is no cheaper than ONNX"
opt "$TMP/own.graph" -o "$TMP/again.graph" --json "$TMP/again.json" --max-growth 1000 || note "own form, again: $(cat "$TMP/out")"
[ "$(cost "$TMP/again.json" before)" = "$(cost "$TMP/own.json" after)" ] || note "the text costs something else than was reported"
cmp -s "$TMP/own.graph" "$TMP/again.graph" || note "the second run changed the text"

# ---- weights that may not grow: what does not fold is paid for ----
opt "$TMP/net.onnx" -o "$TMP/small.onnx" --max-growth 0 --json "$TMP/small.json" || note "no growth: $(cat "$TMP/out")"
[ "$(stat -c %s "$TMP/small.onnx")" -le "$(stat -c %s "$TMP/net.onnx")" ] || note "the weights grew"
[ "$(cost "$TMP/small.json" after)" -ge "$(cost "$TMP/first.json" after)" ] || note "without growth it is cheaper"
grep -q '^extraction .*not proven: .*; --max-growth excludes the cheapest' "$TMP/out" || note "it is not said what keeps the cheapest out: $(cat "$TMP/out")"

# ---- the graph that was chosen has a number ----
number() { sed -n 's/^  "result": "\([0-9a-f]\{16\}\)",$/\1/p' "$1"; }
opt "$TMP/net.graph" --json "$TMP/once.json" -o "$TMP/once.onnx" --max-growth 1000 --no-verify || note "once more: $(cat "$TMP/out")"
[ -n "$(number "$TMP/once.json")" ] && [ "$(number "$TMP/once.json")" = "$(number "$TMP/first.json")" ] ||
	note "the same choice has the numbers '$(number "$TMP/once.json")' and '$(number "$TMP/first.json")'"
[ "$(number "$TMP/small.json")" != "$(number "$TMP/first.json")" ] || note "two choices have one number"

# ---- what ONNX cannot say is not written, and named ----
printf '(graph g (input x f32 [1 2 8 8]) (weight k f32 [2 2 3 3] :seed 1) (output (conv2d x k :pads [-1 0 0 0]) "y"))\n' >"$TMP/cut.graph"
opt "$TMP/cut.graph" -o "$TMP/cut.onnx" --no-rules
[ $? = 1 ] && [ ! -e "$TMP/cut.onnx" ] && grep -q "^tenon: ONNX has no words for operator 'conv2d' as it is used here$" "$TMP/out" ||
	note "padding that cuts off: $(cat "$TMP/out")"

# ---- nor is an operator that has but the name of a standard one, in either direction ----
cat >"$TMP/names.rules" <<'R'
(op transpose (in (x a b)) (out b a) (def (x a b)))
(op relu (in (x ..d)) (out ..d) (def (- (x ..d))))
(rule twice (=> (relu (relu ?x)) ?x))
R
echo '(graph g (input x f32 [2 3]) (output (transpose x) "y"))' >"$TMP/names.graph"
opt "$TMP/names.graph" -o "$TMP/names.onnx" --rules "$TMP/names.rules"
[ $? = 1 ] && grep -q "no words for operator 'transpose'" "$TMP/out" || note "another transpose: $(cat "$TMP/out")"
echo '(graph g (input x f32 [2 3]) (output (relu (relu x)) "y"))' >"$TMP/relu.graph"
opt "$TMP/relu.graph" -o "$TMP/relu.onnx" --no-rules || note "two relus: $(cat "$TMP/out")"
opt "$TMP/relu.onnx" -o "$TMP/relu2.onnx" --rules "$TMP/names.rules" && cmp -s "$TMP/relu.onnx" "$TMP/relu2.onnx" ||
	note "another relu is taken for ONNX's: $(cat "$TMP/out")"

# ---- told to, it writes over its input ----
opt "$TMP/net.onnx" -f -o "$TMP/net.onnx" --max-growth 1000 && cmp -s "$TMP/net.onnx" "$TMP/first-onnx.onnx" || note "--force: $(cat "$TMP/out")"
exit $bad
