#!/usr/bin/env bash
# An explanation replays to the model that was written, from text and through the forms of ONNX; one that was changed, in
# its rule, its place, its substitution, its result or its steps, does not.
set -u
bad=0
fail() { echo "$*"; bad=1; }

cat >"$TMP/a.graph" <<'END'
(graph "a"
  (input x f32 [1 3 8 8])
  (weight k f32 [4 3 3 3] :seed 1)
  (weight j f32 [4 3 3 3] :seed 2)
  (weight b f32 [4] :seed 3)
  (let r (relu (conv2d x k b :pads [1 1 1 1])))
  (let s (relu (conv2d x j :pads [1 1 1 1])))
  (output (add r s) "y")
  (output (relu (relu r)) "z"))
END
cat >"$TMP/b.graph" <<'END'
(graph "b"
  (input x f32 [n 16])
  (weight v f32 [16 8] :seed 1)
  (weight w f32 [16 8] :seed 2)
  (weight t f32 [8] :fill 0.5)
  (let m (matmul x v))
  (let o (mul (matmul x w) 2))
  (let q (add m (expand t :axes [1] :shape [n 8])))
  (output (concat (tanh q) (tanh o) :axis 1) "y"))
END

# explained and replayed, steps there must be
holds() {
	"$TENON" optimize "$TMP/$1" -o "$TMP/$2" --explain "$TMP/why" --nodes 2000 --no-verify >"$TMP/log" 2>&1 ||
		{ fail "$1 to $2: not explained"; cat "$TMP/log"; return; }
	grep -q '(step 1 ' "$TMP/why" || fail "$1 to $2: no step"
	"$TENON" explain "$TMP/why" "$TMP/$1" "$TMP/$2" >"$TMP/log" 2>&1 || { fail "$1 to $2: not replayed"; cat "$TMP/log"; }
	grep -q 'steps hold' "$TMP/log" || fail "$1 to $2: nothing is said"
}
holds b.graph b1.graph
holds a.graph a1.onnx
"$TENON" model squeezenet -o "$TMP/s.graph"
holds s.graph s1.onnx
holds a.graph a1.graph
grep -q 'conv-siblings' "$TMP/why" || fail "two convolutions of one input are not joined"
"$TENON" optimize "$TMP/a.graph" --no-rules --explain "$TMP/none" >"$TMP/log" 2>&1 && "$TENON" explain "$TMP/none" "$TMP/a.graph" >"$TMP/log" ||
	fail "what is not changed is not explained"

# the explanation, changed by sed, is refused with status 1 and these words
refused() {
	sed "$1" "$TMP/why" >"$TMP/changed"
	cmp -s "$TMP/why" "$TMP/changed" && { fail "sed '$1' changes nothing"; return; }
	"$TENON" explain "$TMP/changed" "$TMP/a.graph" "$TMP/a1.graph" >"$TMP/log" 2>&1
	[ $? = 1 ] || { fail "sed '$1': not refused"; cat "$TMP/log"; }
	grep -q "$2" "$TMP/log" || { fail "sed '$1': not because: $2"; cat "$TMP/log"; }
}
refused 's/rule conv-act.relu/rule add-zero/' 'step .*does not give that'
refused 's/rule conv-act.relu/rule no-such-rule/' 'no rule of this name'
refused 's/(?k k)/(?k j)/' 'does not give that'
refused 's/(ends x k b)/(ends x k)/' 'step .*: '
refused 's/:from 0 :to 4/:from 4 :to 8/' 'does not give that'
refused 's/(step 1 .*$//' 'do not make output'
refused 's/^  (output \([^ ]*\) "y")/  (output \1 "y2")/' 'do not make output'
refused 's/(step 3 \(.*\)(is [^)]*))$/(step 3 \1(is x))/' 'does not give that'
refused 's/(step 3 \(.*\)(at [^)]*)/(step 3 \1(at x)/' 'step .*: '
refused 's/(step 1 .*$/(step 1 fold (at k) (is b))/' 'constant'
refused 's/(step 1 .*$/(let n90 (fill :shape [4] :value 1)) (step 1 fold (at n90 k) (is n90 b))/' 'constant'
refused 's/(step 1 rule/(step 1 what/' 'is wanted'
refused 's/(is n15 n16)/(is n15)/' 'as many results'

# a chain that is whole, but leads elsewhere
"$TENON" explain "$TMP/why" "$TMP/a.graph" "$TMP/b.graph" >"$TMP/log" 2>&1 && fail "it leads to another model"
"$TENON" explain "$TMP/why" >"$TMP/log" 2>&1
[ $? = 2 ] || fail "a model is wanted"
exit $bad
