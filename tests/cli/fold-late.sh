#!/usr/bin/env bash
# tenon optimize: where there is no time to fold what was chosen, it is chosen again with the rest priced, and what else is
# gained is kept.
set -u
bad=0
note() { echo "$1"; bad=1; }
number() { sed -n 's/^  "result": "\([0-9a-f]*\)",$/\1/p' "$1"; }
cost() { sed -n 's/.*"cost_ns".*"'"$2"'": \([0-9]*\).*/\1/p' "$1"; }

# One gain is a product of weights, which saves nothing unless it is folded; the other is a zero added.
cat >"$TMP/net.graph" <<'EOF'
(graph "net"
  (input x f32 [1 512])
  (weight w1 f32 [512 512] :seed 1)
  (weight w2 f32 [512 512] :seed 2)
  (let n3 (matmul x w1))
  (let n4 (matmul n3 w2))
  (let n5 (add (relu n4) 0))
  (output n5 "y"))
EOF
for form in graph onnx; do
	for time in 0 1e-9; do
		"$TENON" optimize "$TMP/net.graph" -o "$TMP/$time.$form" --json "$TMP/$time.json" --max-growth 100 --verify-time 0 \
			--fold-time $time >"$TMP/out" 2>&1 || note "$form, --fold-time $time: $(cat "$TMP/out")"
	done
	all=$(cost "$TMP/0.json" after) late=$(cost "$TMP/1e-9.json" after)
	[ "$all" -lt "$late" ] || note "$form: what was to be late is not: $(cat "$TMP/out")"
	[ "$late" -lt "$(cost "$TMP/1e-9.json" before)" ] || note "$form: all was given up with what is late: $(cat "$TMP/out")"
	for other in 0000000000000000 "$(number "$TMP/0.json")"; do
		[ "$(number "$TMP/1e-9.json")" != "$other" ] || note "$form: $other is not the number of what was chosen again"
	done
	grep -q '^folded  *0 operators into weights; the others not in time' "$TMP/out" || note "$form: it is not said: $(cat "$TMP/out")"
	grep -q '^rules  *.*add-zero' "$TMP/out" || note "$form: the zero stayed: $(cat "$TMP/out")"
	grep -q '^values  *equal' "$TMP/out" || note "$form: values were not compared: $(cat "$TMP/out")"
	"$TENON" optimize "$TMP/1e-9.$form" --no-rules --json "$TMP/again.json" >/dev/null 2>&1
	[ "$(cost "$TMP/again.json" before)" = "$late" ] || note "$form: $late ns were reported, and the file costs $(cost "$TMP/again.json" before)"
done
exit $bad
