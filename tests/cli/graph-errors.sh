#!/usr/bin/env bash
# Mistakes in .graph text: the place and what is wanted, one message each.
set -u
bad=0

# wrong PLACE TEXT FORMS: the graph (graph g FORMS) is refused at PLACE with TEXT
wrong() {
	printf '(graph g\n%s)' "$3" >"$TMP/a.graph"
	"$TENON" show "$TMP/a.graph" >"$TMP/out" 2>"$TMP/err"
	local rc=$? want="tenon: $TMP/a.graph:$1: $2"
	[ $rc = 1 ] && [ "$(cat "$TMP/err")" = "$want" ] && [ ! -s "$TMP/out" ] && return
	printf 'status %s\n%s\nnot\n%s\n' "$rc" "$(cat "$TMP/err")" "$want"
	bad=1
}

x='(input x f32 [2 3])
'
wrong 1:1 'a graph has an output' "$x"
wrong 2:1 '(input …), (weight …), (let …) or (output …) is wanted' '(inptu x f32 [2])'
wrong 2:10 'an element type and extents are wanted: f32 [1 3 h w]' '(input x f99 [2])'
wrong 2:14 '9 axes: at most 8 are possible' '(input x f32 [1 1 1 1 1 1 1 1 1])'
wrong 2:15 'an extent is not negative' '(input x f32 [-1])'
wrong 2:15 'this extent cannot be computed' '(input x f32 [(div h 0)])'
wrong 2:16 "'plus' is no operation on extents" '(input x f32 [(plus h 1)])'
wrong 2:15 'an extent of 9000000000000000000 is too large' '(input x f32 [9000000000000000000])'
wrong 3:1 '(output NODE), or with a name of its own (output TERM NAME), is wanted' "$x(output (relu x))"
wrong 3:8 "'x' is defined already" "$x(input x f32 [2])"
wrong 2:8 'a name is wanted here, in quotes if it looks like something else' '(input 7 f32 [2])'
wrong 3:9 "nothing is called 'y' so far" "$x(output y)"
wrong 3:10 "there is no operator 'rleu'" "$x(output (rleu x) y)"
wrong 3:17 "'relu' has no attribute :alpha" "$x(output (relu x :alpha 1) y)"
wrong 3:23 ':axis has no value' "$x(output (reduce-sum x :axis) y)"
wrong 3:9 "'reduce-sum' wants :axis" "$x(output (reduce-sum x) y)"
wrong 3:29 ':axis takes a whole number' "$x(output (reduce-sum x :axis 0.5) y)"
wrong 3:9 'reduce-sum: an axis is out of range' "$x(output (reduce-sum x :axis 2) y)"
wrong 3:26 ":act takes a value of 'act'" "$x(output (matmul x x :act rleu) y)"
wrong 3:28 ':perm takes a list: [1 2]' "$x(output (transpose x :perm 1) y)"
wrong 3:9 'add: operand b must have the axes of (b ..d): found [3]' "$x(output (add x (fill :value 1 :shape [3])) y)"
wrong 2:9 'add: no operand tells the element type' '(output (add 1 2) y)'
wrong 2:1 'a weight has :data [ELEMENT …], :seed N or :fill X' '(weight w f32 [2])'
wrong 2:27 "after a seed of floats :between [LOW HIGH] may stand" "(weight w f32 [2] :seed 1 :among [0 1])"
wrong 2:36 "the bounds of random numbers are finite" "(weight w f32 [2] :seed 1 :between [0 inf])"
wrong 2:25 'found 1 elements where 2 are wanted' '(weight w f32 [2] :data [1])'
wrong 2:26 'an element of type u8 cannot be 256' '(weight w u8 [1] :data [ 256])'
wrong 2:1 "a weight's extents are numbers" '(weight w f32 [h] :seed 1)'
wrong 2:1 'a weight has at most 1073741824 bytes' '(weight w f32 [100000 100000] :seed 1)'
wrong 2:19 'the elements of this weight were left out of the text' '(weight w f32 [2] :left-out 8)'
wrong 3:9 "an opaque operator is no tensor, its results are: (result …)" "$x(output (opaque x 1) y)"
wrong 4:22 'two opaque operators with this number' "$x(let a (opaque x 1))
(let b (opaque x x   1))"
wrong 3:17 'only opaque operators have results' "$x(output (result x 0 f32 [1]) y)"

printf '(graph g' >"$TMP/a.graph"
"$TENON" show "$TMP/a.graph" 2>"$TMP/err" && bad=1
grep -q "a.graph:1:1: '(' is never closed" "$TMP/err" || { cat "$TMP/err"; bad=1; }
printf '(graph g (output %s x))' "$(printf '(relu %.0s' $(seq 2000))" >"$TMP/a.graph"
"$TENON" show "$TMP/a.graph" 2>"$TMP/err" && bad=1
grep -q 'nested too deep' "$TMP/err" || { cat "$TMP/err"; bad=1; }
exit $bad
