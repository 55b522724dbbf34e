#!/usr/bin/env bash
# tests/device.sh, on a stand-in for a GPU: each stage runs, a stage that fails stops no other, and what was found is in the
# folder; without a GPU it ends with status 3.
fail() { echo "$1"; cat "$TMP/out"; exit 1; }

[ -e "$B/targets/cuda.so" ] || { echo "skipped: no CUDA target was built"; exit 77; }
export PROGRAMS=$B OUT=$TMP/results USES=1 RUNS=1
if ! "$TENON" targets cuda >/dev/null 2>&1; then
	rc=0; tests/device.sh >"$TMP/out" 2>&1 || rc=$?
	[ $rc = 3 ] && grep -q '^tenon: ' "$OUT/log" || fail "without a GPU the status is $rc"
fi

[ -e "$B/stand-in/cuda.so" ] || { echo "skipped: the stand-in was not built, make unit does"; exit 77; }
export TENON_TARGETS=$B/stand-in
grep '^(op \(neg\|mul\|abs\) ' rules/tensor.rules >"$TMP/three.rules"
printf '(graph wrong (input x f32 [2 3]) (output (relu y) "y"))' >"$TMP/wrong.graph"
echo '(graph small (input x f32 [2 3]) (weight w f32 [3 4] :seed 1) (output (relu (matmul x w)) "y"))' >"$TMP/small.graph"
rc=0; RULES=$TMP/three.rules tests/device.sh "$OUT" "$TMP/wrong.graph" "$TMP/small.graph" >"$TMP/out" 2>&1 || rc=$?
cmp -s "$TMP/out" "$OUT/log" || fail "the log is not what was printed"
[ $rc = 1 ] && [ "$(tail -n 1 "$OUT/log")" = "something failed, see above" ] || fail "a wrong graph ends with status $rc"
grep -q '^status 1 after [0-9]* s: .* optimize .*wrong.graph' "$OUT/log" || fail "it is not said what failed"
grep -q 'all equal' "$OUT/log" && [ "$(grep -c ': equal$' "$OUT/operators")" = 3 ] || fail "operators were not compared"
for name in small small-modelled small-measured; do
	grep -q "^$name: equal to the reference executor's" "$OUT/log" || fail "$name is not compared"
	grep -q "^$name: 1 runs on cuda" "$OUT/log" || fail "$name is not timed"
	tar -xzOf "$OUT/results.tar.gz" "./$name.run" | grep -q matmul || fail "the times of steps of $name are not kept"
done
tar -xzOf "$OUT/results.tar.gz" ./small.costs | grep -q matmul || fail "no table is kept"

# where every operator fails, each but the first has another try of its own
rc=0; STAND_IN_BYTES=3 RULES=$TMP/three.rules tests/device.sh "$OUT" "$TMP/wrong.graph" >"$TMP/out" 2>&1 || rc=$?
[ $rc = 1 ] && [ "$(grep -c '^status 4 .*--selftest cuda --uses 1 --seed 1 .*--only ' "$OUT/log")" = 2 ] || fail "operators are not tried by themselves"
[ "$(grep -c '^by itself:$' "$OUT/operators")" = 2 ] || fail "it is not kept what operators by themselves gave"
