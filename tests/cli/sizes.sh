#!/usr/bin/env bash
# Sizes: what --at leaves open is found, inputs without elements are no proof, and no comparison is on no inputs at all.
set -u
bad=0
note() { echo "$1"; bad=1; }
printf '(graph m (input x f32 [n 4]) (input z f32 [k h 4]) (output (relu (relu x)) "y") (output (abs z) "w"))\n' >"$TMP/m.graph"
"$TENON" optimize "$TMP/m.graph" -o "$TMP/o.graph" --at x=7,4 >"$TMP/out" 2>&1 || note "--at for one of two: $(cat "$TMP/out")"
grep -q '^sizes  *x \[7 4\], z \[1 64 4\]$' "$TMP/out" || note "the other input's sizes: $(cat "$TMP/out")"

# sizes at which an operator's shape check does not hold are none
printf '(graph s (input x f32 [2 32]) (input y f32 [2 s]) (output (add (relu (relu x)) y) z))\n' >"$TMP/s.graph"
"$TENON" optimize "$TMP/s.graph" -o "$TMP/o.graph" >"$TMP/out" 2>&1 || note "the one size that fits: $(cat "$TMP/out")"
grep -q 'y \[2 32\]' "$TMP/out" || note "the size that was found: $(cat "$TMP/out")"
"$TENON" optimize "$TMP/s.graph" -o "$TMP/o.graph" --at y=2,31 >"$TMP/out" 2>&1 && note "31 is not 32: $(cat "$TMP/out")"
grep -q 'the model has no shapes at these sizes' "$TMP/out" || note "what is wrong with 31: $(cat "$TMP/out")"

# without elements all is equal: nothing is changed for it, and it is said
printf '(graph e (input x f32 [0 4]) (output (relu (relu x)) "y"))\n' >"$TMP/e.graph"
printf '(graph e (input x f32 [0 4]) (output (abs x) "y"))\n' >"$TMP/other.graph"
"$TENON" optimize "$TMP/e.graph" -o "$TMP/o.graph" --json "$TMP/o.json" >"$TMP/out" 2>&1 || note "no elements: $(cat "$TMP/out")"
cmp -s "$TMP/e.graph" "$TMP/o.graph" || note "what could not be compared was changed"
grep -q '^values  *left as it was: an input without elements' "$TMP/out" || note "it says: $(cat "$TMP/out")"
"$TENON" compare "$TMP/e.graph" "$TMP/other.graph" >"$TMP/out" 2>&1
grep -q 'no elements, which says nothing' "$TMP/out" || note "compare says: $(cat "$TMP/out")"

for seeds in 0 4294967296; do
	"$TENON" compare "$TMP/e.graph" "$TMP/other.graph" --seeds $seeds >"$TMP/out" 2>&1
	[ $? = 2 ] || note "--seeds $seeds compares nothing: $(cat "$TMP/out")"
done
# more iterations than a 32-bit number holds are many
"$TENON" optimize "$TMP/m.graph" -o "$TMP/o.graph" --iterations 4294967297 --verify-time 0 >"$TMP/out" 2>&1
grep -q 'saturated after' "$TMP/out" || note "--iterations: $(cat "$TMP/out")"

# more elements than are computed are told at once, not drawn
printf '(graph g (input x f32 [n]) (output (relu (relu x)) "y"))' >"$TMP/long.graph"
sed 's/(relu (relu x))/(abs (relu x))/' "$TMP/long.graph" >"$TMP/other.graph"
for n in 1073741825 100000000000; do
	"$TENON" compare "$TMP/long.graph" "$TMP/other.graph" --at x=$n >"$TMP/out" 2>&1; [ $? = 1 ] || note "compare at $n: not refused"
	grep -q '^tenon: a tensor of more than 1073741824 elements is not computed$' "$TMP/out" || note "compare at $n: $(cat "$TMP/out")"
	"$TENON" compare "$TMP/long.graph" "$TMP/other.graph" --input x=1 --at x=$n >"$TMP/out" 2>&1; [ $? = 1 ] || note "compare on ones at $n: not refused"
	grep -q '^tenon: input x has more than 1073741824 elements at these sizes$' "$TMP/out" || note "compare on ones at $n: $(cat "$TMP/out")"
	rm -f "$TMP/o.graph"
	"$TENON" optimize "$TMP/long.graph" -o "$TMP/o.graph" --at x=$n >"$TMP/out" 2>&1; [ $? = 1 ] && [ ! -e "$TMP/o.graph" ] || note "optimize at $n: not refused"
	"$TENON" optimize "$TMP/long.graph" -o "$TMP/o.graph" --no-verify --at x=$n >"$TMP/out" 2>&1 || note "optimize at $n without values: $(cat "$TMP/out")"
done
exit $bad
