#!/usr/bin/env bash
# The CUDA target: on a stand-in for a GPU, which tests shapes, descriptors and generated sources, and no device; and
# what is said where there is no GPU.
fail() { echo "$1"; exit 1; }

[ -e "$B/targets/cuda.so" ] || { echo "skipped: no CUDA target was built"; exit 77; }
if "$TENON" targets cuda >"$TMP/out" 2>"$TMP/err"; then
	grep -q '^cuda *cuda .* cudnn-' "$TMP/out" || fail "the GPU is not named"
else
	rc=$?
	[ $rc = 3 ] || fail "without a GPU the status is $rc"
	[ "$(wc -l <"$TMP/err")" = 1 ] || fail "without a GPU more than a sentence is said"
fi
[ -e "$B/stand-in/cuda.so" ] && [ -x "$B/tests/target" ] || { echo "skipped: the stand-in was not built, make unit does"; exit 77; }
export TENON_TARGETS=$B/stand-in
# a constant that the device has no memory for
printf '(graph g (input x f32 [1 64]) (weight w f32 [64 64] :seed 1) (output (matmul x w) "y"))' >"$TMP/product.graph"
"$TENON" run --target cuda "$TMP/product.graph" >"$TMP/out" || fail "a product does not run"
rc=0; STAND_IN_BYTES=8000 "$TENON" run --target cuda "$TMP/product.graph" >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && grep -q "no kernel for 'matmul': CUDA: memory for a constant" "$TMP/err" || { cat "$TMP/err"; fail "too little memory ends with status $rc"; }

"$B/tests/target" cuda 3
