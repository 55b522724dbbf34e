#!/usr/bin/env bash
# Networks are listed and written, in the same bytes each time; seeds are kept in the text; mistakes are said.
set -u
bad=0
wrong() { echo "$*"; bad=1; }

[ "$("$TENON" model | wc -l)" = 10 ] || wrong "not ten networks are listed"
"$TENON" model mobilenetv2 -o "$TMP/a.graph" && "$TENON" model mobilenetv2 >"$TMP/b.graph" || wrong "mobilenetv2 was not written"
cmp -s "$TMP/a.graph" "$TMP/b.graph" || wrong "two runs gave two texts"
"$TENON" model mobilenetv2 --seed 1 -o "$TMP/c.graph"
"$TENON" model mobilenetv2 --batch 2 -o "$TMP/d.graph"
for other in c d; do
	! cmp -s "$TMP/a.graph" "$TMP/$other.graph" || wrong "$other is the same network"
done
[ "$(wc -c <"$TMP/a.graph")" -lt 30000 ] || wrong "the text is long"

# weights keep their seeds on the way through the program, and have the values in both forms
"$TENON" model squeezenet -o "$TMP/s.graph" && "$TENON" model squeezenet -o "$TMP/s.onnx" || wrong "squeezenet was not written"
"$TENON" optimize --no-rules "$TMP/s.graph" -o "$TMP/t.graph" >/dev/null || wrong "the text does not go through"
[ "$(grep -c ':seed' "$TMP/t.graph")" = 26 ] || wrong "seeds were lost"
"$TENON" compare --seeds 1 "$TMP/s.graph" "$TMP/s.onnx" >/dev/null || wrong "the forms differ"
printf '(graph g (input x f32 [2]) (weight w f32 [2] :seed 3 :between [0.25 0.5])\n (let y (add x w)) (output y))\n' >"$TMP/w.graph"
"$TENON" optimize --no-rules "$TMP/w.graph" -o "$TMP/v.graph" >/dev/null
grep -q ':seed 3 :between \[0.25 0.5\]' "$TMP/v.graph" || wrong "bounds were lost"

# status, what is said of it, arguments
refused() {
	local want=$1 text=$2 out rc
	shift 2
	out=$("$TENON" model "$@" 2>&1)
	rc=$?
	[ $rc = "$want" ] || wrong "model $*: status $rc, not $want"
	case $out in *"$text"*) ;; *) wrong "model $*: said '$out'" ;; esac
}
refused 2 "there is no network 'alexnet'" alexnet
refused 2 "a batch is 1 to 4096" bert --batch 0
refused 2 "a seed is at most 4294967295" bert --seed 4294967296
refused 2 "one network at a time" bert nasrnn
exit $bad
