#!/usr/bin/env bash
# A model runs on the CPU target and gives the reference executor's values; what cannot run is said in one sentence.
set -e
fail() { echo "$1"; exit 1; }

rc=0; "$TENON" targets nowhere 2>"$TMP/err" || rc=$?
[ $rc = 3 ] || fail "a target that is not there ends with status $rc"
grep -q "there is no target 'nowhere'" "$TMP/err" || fail "it is not said which target is missing"

# no plug-in at all
mkdir "$TMP/none"
[ "$(TENON_TARGETS=$TMP/none "$TENON" targets | wc -l)" = 1 ] || fail "an empty folder is not one line"
# something else in its place
echo nonsense >"$TMP/none/cpu.so"
rc=0; TENON_TARGETS=$TMP/none "$TENON" targets cpu 2>"$TMP/err" || rc=$?
[ $rc = 3 ] || fail "a broken plug-in ends with status $rc"

"$TENON" targets | grep -q '^cpu *cpu onednn-' || { echo "skipped: no CPU target was built"; exit 77; }

cat >"$TMP/net.graph" <<'G'
(graph net
  (input x f32 [1 3 17 19])
  (weight k f32 [8 3 3 3] :seed 1)
  (weight d f32 [8 1 3 3] :seed 2)
  (weight m f32 [8 5] :seed 3)
  (let a (conv2d x k :strides [2 2] :pads [1 1 1 1] :act relu))
  (let b (conv2d a d :groups 8 :pads [1 1 1 1]))
  (let c (add a (hard-swish b)))
  (let p (avg-pool2d c :kernel [3 3] :strides [2 2]))
  (let r (reduce-mean p :axis 2 :count 2))
  (let f (reshape r :shape [1 8]))
  (output (softmax (matmul f m)) "y")
  (output (reshape p :shape [8 16]) "rows"))
G
"$TENON" run "$TMP/net.graph" --check --bench 3 --output "$TMP" -v >"$TMP/out" || { cat "$TMP/out"; fail "the net does not run"; }
grep -q "^equal to the reference executor's$" "$TMP/out" || fail "the values differ"
grep -q '^output y \[1 5\], from' "$TMP/out" || fail "an output is not told"
grep -q '^3 runs on cpu onednn-.* 1-thread' "$TMP/out" || fail "the runs are not told"
[ -s "$TMP/y.npy" ] && [ -s "$TMP/rows.npy" ] || fail "outputs are not written"

"$TENON" compare --target cpu --seeds 2 "$TMP/net.graph" >"$TMP/out" || fail "compare on a target differs"
[ "$(grep -c '^equal to' "$TMP/out")" = 2 ] || fail "two seeds are not compared"
rc=0; "$TENON" compare --target cpu "$TMP/net.graph" "$TMP/net.graph" 2>/dev/null || rc=$?
[ $rc = 2 ] || fail "two models on a target are not refused"

# given inputs and the same seed give the same bytes
mkdir "$TMP/again"
"$TENON" run "$TMP/net.graph" --output "$TMP/again" >/dev/null
cmp "$TMP/y.npy" "$TMP/again/y.npy"

# two outputs are two files, whatever they are called
cat >"$TMP/names.graph" <<'G'
(graph names
  (input x f32 [4])
  (output (relu x) "a/b")
  (output (neg x) "a_b")
  (output (abs x) "a_b-2"))
G
mkdir "$TMP/names"
"$TENON" run "$TMP/names.graph" --output "$TMP/names" >/dev/null || fail "names that make one file do not run"
(cd "$TMP/names" && [ "$(echo *)" = "a_b-2-2.npy a_b-2.npy a_b.npy" ] && ! cmp -s a_b.npy a_b-2.npy && ! cmp -s a_b-2.npy a_b-2-2.npy) ||
	fail "an output took another one's file: $(ls "$TMP/names")"

# more elements than can be counted are no few; a folder that is not there is told first
printf '(graph g (input x f32 [1 1])
  (let big (expand x :axes [0 1] :shape [4294967296 4294967296])) (output (reduce-sum big :axis 0) "y"))' >"$TMP/big.graph"
rc=0; timeout 60 "$TENON" run "$TMP/big.graph" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q 'too many elements' "$TMP/err" || { cat "$TMP/err"; fail "2^64 elements end with status $rc"; }
rc=0; "$TENON" run "$TMP/net.graph" --output "$TMP/nowhere" >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && [ ! -s "$TMP/out" ] || fail "a folder that is not there is told late: status $rc"

# what has no kernel is computed on the host, between steps of the target, and that is said
cat >"$TMP/host.graph" <<'G'
(graph host
  (input x f16 [2 5])
  (input i f64 [3 4])
  (input z f32 [1 8 6 6])
  (weight k f32 [8 2 3 3] :seed 4)
  (let y (add (slice x :axis 1 :from 1 :to 4) (slice x :axis 1 :from 2 :to 5)))
  (output (concat y y :axis 0) "y")
  (output (transpose (mul i i) :perm [1 0]) "i")
  (output (relu (conv2d z (group-merge k :groups 4 :by 2) :groups 2)) "z"))
G
"$TENON" run "$TMP/host.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "what has no kernel does not run"; }
grep -q '^on the host, by the reference executor: 1 add, 1 mul$' "$TMP/out" || { cat "$TMP/out"; fail "it is not said what ran on the host"; }
grep -q '^equal to' "$TMP/out" || fail "the host's values differ"

# what is repeated lies as its operand does, or row by row, or in a slice; of more axes than loops have it is the host's work
cat >"$TMP/upsample.graph" <<'G'
(graph upsample
  (input x f32 [2 4 5 6])
  (input f f16 [3 2])
  (input m f32 [2 1 2 2 2])
  (weight k f32 [4 4 1 1] :seed 4)
  (output (relu (upsample (conv2d x k) :scales [1 1 2 3])) "last")
  (output (upsample x :scales [1 2 3 2]) "rows")
  (output (upsample (slice x :axis 3 :from 1 :to 4) :scales [2 1 1 9]) "part")
  (output (upsample f :scales [2 1]) "half")
  (output (upsample m :scales [2 3 2 2 2]) "many"))
G
"$TENON" run "$TMP/upsample.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "what is repeated differs"; }
grep -q '^on the host, by the reference executor: 1 upsample$' "$TMP/out" || { cat "$TMP/out"; fail "it is not said what has too many axes"; }

# results of operators that nobody knows are made up, the same in both, and what leads to them is compared too
cat >"$TMP/opaque.graph" <<'G'
(graph opaque
  (input x f32 [1 4 5 5])
  (let o (opaque (relu x) 7 "Resize 1"))
  (let p (opaque (result o 1 string [?]) 8 "Identity 2"))
  (output (add (relu (result o 0 f32 [1 4 5 5])) x) "y")
  (output (reshape (result p 0 i64 [3]) :shape [3 1]) "i")
  (output (relu x) "x"))
G
"$TENON" run "$TMP/opaque.graph" >"$TMP/out"
[ "$(sed -n 's/^output \(.\) .*, of what is made up$/\1/p' "$TMP/out" | tr '\n' ' ')" = "y i " ] || { cat "$TMP/out"; fail "it is not said which outputs are made up"; }
"$TENON" compare --target cpu "$TMP/opaque.graph" >"$TMP/out" || { cat "$TMP/out"; fail "opaque operators do not run"; }
grep -q "^made up, as Tenon does not know them, so that outputs are not the model's: 1 Resize, 1 Identity$" "$TMP/out" ||
	{ cat "$TMP/out"; fail "it is not said what was made up"; }
[ "$(grep -c "^equal to the reference executor's, given what is made up$" "$TMP/out")" = 3 ] || { cat "$TMP/out"; fail "made-up results differ"; }
# … of which costs predict nothing
"$TENON" profile --original -o "$TMP/opaque.costs" "$TMP/opaque.graph" >/dev/null
"$TENON" run "$TMP/opaque.graph" --bench 2 --costs "$TMP/opaque.costs" >"$TMP/out" || fail "opaque operators are not timed"
grep -q 'predicted.* relu$' "$TMP/out" && grep ' 1 Resize$' "$TMP/out" | grep -vq predicted ||
	{ cat "$TMP/out"; fail "there is a prediction for what is made up"; }

# shapes that turn out not to fit at the sizes given are refused, not read beyond their ends
printf '(graph g (input x f32 [2 n]) (input y f32 [m 3]) (output (matmul x y) "z"))' >"$TMP/unfit.graph"
rc=0; "$TENON" run "$TMP/unfit.graph" --at 'x=2,4;y=5,3' >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] || { cat "$TMP/out" "$TMP/err"; fail "extents that do not fit end with status $rc"; }

# an image of one channel is no row-major one, though it lies alike: oneDNN would fall back to its reference
cat >"$TMP/grey.graph" <<'G'
(graph grey
  (input x f32 [1 17 19 1])
  (weight k f32 [24 1 3 3] :seed 1)
  (output (conv2d (reshape x :shape [1 1 17 19]) k :pads [0 1 0 1]) "y"))
G
"$TENON" run "$TMP/grey.graph" --check -v >"$TMP/out" || { cat "$TMP/out"; fail "an image of one channel does not run"; }
! grep ', slow' "$TMP/out" || fail "an image of one channel has but a reference implementation"

# a slice is a place in its operand; only who cannot read it there copies it, once
cat >"$TMP/slice.graph" <<'G'
(graph slice
  (input x f32 [2 16 6 6])
  (weight k f32 [8 8 3 3] :seed 1)
  (let a (slice x :axis 1 :from 0 :to 8))
  (let b (slice x :axis 1 :from 8 :to 16))
  (output (mul (relu a) (add a b)) "y")
  (output (concat (conv2d b k) (conv2d b k :act relu) :axis 1) "z"))
G
"$TENON" run "$TMP/slice.graph" --check -v >"$TMP/out" || { cat "$TMP/out"; fail "slices do not run"; }
[ "$(grep -c '\[2 8 6 6\]  copy$' "$TMP/out")" = 1 ] || { cat "$TMP/out"; fail "slices are copied for those that can read them"; }

# a bias too: oneDNN takes its elements for neighbours
printf '(graph bias (input x f32 [1 3 8 8]) (weight k f32 [6 3 3 3] :seed 1) (weight t f32 [3 6 3 3] :seed 2) (input b f32 [12])
  (let s (slice b :axis 0 :from 0 :to 12 :step 2))
  (output (conv2d x k s) "y") (output (conv-transpose2d x t s) "z"))' >"$TMP/bias.graph"
"$TENON" run "$TMP/bias.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "a bias with gaps is read wrongly"; }

# padding that is another one on each side is no reason to leave a convolution or a pool to the host
printf '(graph sides (input x f32 [1 4 9 12]) (weight k f32 [6 2 3 2] :seed 1) (weight t f32 [4 5 3 4] :seed 2)
  (output (conv2d x k :pads [0 1 2 3] :strides [2 1] :dilations [1 3] :groups 2) "y")
  (output (conv-transpose2d x t :pads [2 1 1 3] :strides [2 3] :extra [0 2]) "z")
  (output (max-pool2d x :kernel [3 5] :pads [1 4 2 0] :strides [3 2]) "m")
  (output (avg-pool2d x :kernel [4 3] :pads [3 0 1 2] :strides [1 3]) "a"))' >"$TMP/sides.graph"
"$TENON" run "$TMP/sides.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "padding on four sides is wrong"; }
! grep 'on the host' "$TMP/out" || fail "padding on four sides is left to the host"

# what an operator reads beyond its operand's ends is 0, and no place in memory
cat >"$TMP/beyond.rules" <<R
(include "$PWD/rules/tensor.rules")
(op pick "n elements, every step-th from one on."
  (attr from dim) (attr step int) (attr n dim)
  (in (x d))
  (let e (ceil-div n 1))
  (out e)
  (def (x (+ from (* step e)))))
R
cat >"$TMP/beyond.graph" <<'G'
(graph beyond
  (input x f32 [8])
  (input i f64 [8])
  (output (relu (pick x :from 6 :step 1 :n 100000)) "far")
  (output (relu (pick x :from 6 :step 1 :n 3)) "near")
  (output (relu (pick x :from 7 :step -1 :n 8)) "back")
  (output (mul (pick i :from 7 :step -1 :n 8) i) "on the host"))
G
"$TENON" run --add-rules "$TMP/beyond.rules" "$TMP/beyond.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "reads beyond the ends do not run"; }
grep -q '^equal to' "$TMP/out" || { cat "$TMP/out"; fail "reads beyond the ends are no zeros"; }

# a residual sum is computed with the convolution that goes into it, and the relu behind; both where both are read are not
cat >"$TMP/residual.graph" <<'G'
(graph residual
  (input x f32 [2 16 6 6])
  (weight k f32 [16 16 3 3] :seed 1)
  (weight m f32 [6 6] :seed 2)
  (let a (conv2d x k :pads [1 1 1 1]))
  (let b (relu (add a x)))
  (let c (add b (conv2d b k :pads [1 1 1 1])))
  (let d (matmul c m))
  (output (add d d) "y")
  (output (add (matmul c m) c) "z")
  (output (relu (add (conv2d x k :pads [1 1 1 1] :act tanh) x)) "w"))
G
"$TENON" run "$TMP/residual.graph" --check -v >"$TMP/out" || { cat "$TMP/out"; fail "residual sums do not run"; }
for step in conv2d+add+relu conv2d+add matmul+add matmul conv2d; do
	[ "$(awk -v s=$step '$2 == s' "$TMP/out" | wc -l)" = 1 ] || { cat "$TMP/out"; fail "there is not one step '$step'"; }
done

# what is read through a view is read, too: no sum is computed with it
cat >"$TMP/through.graph" <<'G'
(graph through
  (input x f32 [1 8])
  (input y f32 [1 8])
  (input z f32 [4 8])
  (weight w f32 [8 8] :seed 1)
  (let m (matmul x w))
  (output (relu (add m y)) "sum")
  (output (mul z (expand m :axes [0 1] :shape [4 8])) "through"))
G
"$TENON" run "$TMP/through.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "what is read through a view does not run"; }
grep -q '^equal to' "$TMP/out" || fail "what is read through a view is not there"

# elements that get other neighbours go in tiles, and so does what is left beside them
cat >"$TMP/tiles.graph" <<'G'
(graph tiles
  (input x f32 [2 33 5 40])
  (input k f32 [35 33 1 1])
  (input i i32 [17 18])
  (output (transpose x :perm [0 2 3 1]) "last")
  (output (transpose x :perm [3 1 0 2]) "first")
  (output (transpose x :perm [0 1 3 2]) "swapped")
  (output (transpose (concat x x :axis 3) :perm [0 2 3 1]) "parts")
  (output (conv2d x k) "image")
  (output (transpose i :perm [1 0]) "integers"))
G
"$TENON" run "$TMP/tiles.graph" --check >"$TMP/out" || { cat "$TMP/out"; fail "transposes do not run"; }
grep -q '^equal to' "$TMP/out" || { cat "$TMP/out"; fail "transposes differ"; }

# what costs predict of a step is that of all it computes: the steps' sum is the run's
printf '(graph g (input x f32 [4 8]) (weight w f32 [8 8] :seed 1) (output (relu (add (matmul x w) x)) "y"))' >"$TMP/sum.graph"
"$TENON" profile --original -o "$TMP/sum.costs" "$TMP/sum.graph" >/dev/null
"$TENON" run "$TMP/sum.graph" --bench 2 --costs "$TMP/sum.costs" >"$TMP/out" || fail "a sum is not timed"
grep -q 'predicted.* us .* 1 matmul+add+relu$' "$TMP/out" || { cat "$TMP/out"; fail "a sum is not predicted"; }
[ "$(sed -n 's/.*predicted *\([0-9.]*\) us.*1 matmul+add+relu$/\1/p' "$TMP/out")" = "$(sed -n 's/.*a run *predicted *\([0-9.]*\) us.*/\1/p' "$TMP/out")" ] ||
	{ cat "$TMP/out"; fail "the prediction of one step is not that of all its operators"; }

# an operator of one's own that only has the name of a known one is not computed as that one
cat >"$TMP/own.rules" <<'R'
(op relu (in (x ..d)) (out ..d) (def (- 0 (x ..d))))
(op tanh (in (y ..e)) (out ..e) (def (tanh (y ..e))))
R
echo '(graph g (input x f32 [4]) (output (relu x) "y") (output (tanh x) "z"))' >"$TMP/own.graph"
"$TENON" run "$TMP/own.graph" --rules "$TMP/own.rules" --check >"$TMP/out" || { cat "$TMP/out"; fail "operators of one's own do not run"; }
grep -q '^on the host, by the reference executor: 1 relu$' "$TMP/out" || { cat "$TMP/out"; fail "a namesake has the target's kernel"; }

# nor is a sum of that name computed with the operator before it
sed 's/^(op add .*/(op add "The larger." (in (a ..d) (b ..d)) (out ..d) (def (max (a ..d) (b ..d))))/' rules/tensor.rules >"$TMP/larger.rules"
"$TENON" run "$TMP/residual.graph" --rules "$TMP/larger.rules" --check >"$TMP/out" || { cat "$TMP/out"; fail "a namesake of add does not run"; }
grep -q '^on the host, by the reference executor: .* add$' "$TMP/out" || { cat "$TMP/out"; fail "a namesake of add is fused"; }
