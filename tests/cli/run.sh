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

printf '(graph g (input x f16 [3]) (output (add x x) "y"))' >"$TMP/int.graph"
rc=0; "$TENON" run "$TMP/int.graph" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] || fail "what has no kernel ends with status $rc"
grep -q "the CPU target has no kernel for 'add'" "$TMP/err" || { cat "$TMP/err"; fail "it is not said which operator"; }
