#!/usr/bin/env bash
# The CUDA target: on a stand-in for a GPU, which tests shapes, descriptors, the choice of calls and generated sources, and
# no device and no library of CUDA; and what is said where there is no GPU, or no library.
fail() { echo "$1"; exit 1; }

[ -e "$B/targets/cuda.so" ] || { echo "skipped: no CUDA target was built"; exit 77; }
if "$TENON" targets cuda >"$TMP/out" 2>"$TMP/err"; then
	grep -q '^cuda *cuda .* cudnn-' "$TMP/out" || fail "the GPU is not named"
else
	rc=$?
	[ $rc = 3 ] || fail "without a GPU the status is $rc"
	[ "$(wc -l <"$TMP/err")" = 1 ] || fail "without a GPU more than a sentence is said"
fi

# a library that cannot be loaded is one sentence too, and all else goes on
mkdir "$TMP/hidden"
for library in $(ldd "$B/targets/cuda.so" 2>/dev/null | sed -n 's/^[[:space:]]*\(lib\(cu\|nv\)[^ ]*\) .*/\1/p'); do
	echo "no library" >"$TMP/hidden/$library"
done
[ -n "$(ls "$TMP/hidden")" ] || fail "the plug-in needs no library of CUDA"
hidden() { LD_LIBRARY_PATH=$TMP/hidden "$TENON" "$@"; }
rc=0; hidden targets cuda >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 3 ] && [ "$(wc -l <"$TMP/err")" = 1 ] && grep -q "^tenon: target 'cuda' cannot be loaded: " "$TMP/err" || {
	cat "$TMP/err"; fail "without the libraries the status is $rc"; }
hidden targets >"$TMP/out" || fail "without the libraries targets are not listed"
grep -q "^cuda .*cannot be loaded" "$TMP/out" || { cat "$TMP/out"; fail "it is not said why there is no CUDA"; }
printf '(graph g (input x f32 [2 3]) (output (relu (relu x)) "y"))' >"$TMP/relus.graph"
hidden optimize "$TMP/relus.graph" -o "$TMP/relu.graph" >"$TMP/out" || fail "without the libraries nothing is optimised"

[ -e "$B/stand-in/cuda.so" ] && [ -x "$B/tests/target" ] || { echo "skipped: the stand-in was not built, make unit does"; exit 77; }
export TENON_TARGETS=$B/stand-in
# a constant that the device has no memory for
printf '(graph g (input x f32 [1 64]) (weight w f32 [64 64] :seed 1) (output (matmul x w) "y"))' >"$TMP/product.graph"
"$TENON" run --target cuda "$TMP/product.graph" >"$TMP/out" || fail "a product does not run"
rc=0; STAND_IN_BYTES=8000 "$TENON" run --target cuda "$TMP/product.graph" >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && grep -q "no kernel for 'matmul': CUDA: memory for a constant" "$TMP/err" || { cat "$TMP/err"; fail "too little memory ends with status $rc"; }
# the arithmetic is part of what costs are told apart by
"$TENON" targets cuda >"$TMP/out" && grep -q ' fp32$' "$TMP/out" || fail "the identity does not say fp32"
"$TENON" targets --tf32 cuda >"$TMP/out" && grep -q ' tf32$' "$TMP/out" || fail "the identity does not say tf32"
"$TENON" profile --target cuda --original -o "$TMP/f32.costs" "$TMP/product.graph" >"$TMP/out" || fail "a product is not measured"
rc=0; "$TENON" profile --tf32 --target cuda --original -o "$TMP/f32.costs" "$TMP/product.graph" >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q tf32 "$TMP/err" || { cat "$TMP/err"; fail "TF32 is measured into another table, with status $rc"; }
# where factors are rounded results may be further apart, by as much as that makes of sums of their length
"$TENON" targets --selftest --tf32 --only matmul --only conv2d cuda >"$TMP/out" || { cat "$TMP/out"; fail "TF32 is told to be wrong"; }
grep -q '^2 operators, 0 of them without a kernel, .* all equal' "$TMP/out" || { cat "$TMP/out"; fail "products in TF32 were not compared"; }
"$TENON" run --tf32 --check --target cuda "$TMP/product.graph" >"$TMP/out" || { cat "$TMP/out"; fail "a product in TF32 is told to be wrong"; }
# GPUs that CUDA 13 has no code for, and none
rc=0; STAND_IN_CUDA=13000 STAND_IN_CAPABILITY=70 "$TENON" targets cuda >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 3 ] && grep -q 'CUDA 13 needs a GPU of compute capability 7.5 or newer, and stand-in 0 has 7.0' "$TMP/err" || {
	cat "$TMP/err"; fail "an old GPU ends with status $rc"; }
rc=0; STAND_IN_DEVICES=0 "$TENON" targets cuda >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 3 ] && grep -q 'there is no GPU that CUDA can use' "$TMP/err" || { cat "$TMP/err"; fail "no GPU ends with status $rc"; }

"$B/stand-in/calls" || fail "calls of cuDNN"
# the real cuDNN's word on the graphs, for a GPU that is not there
LSAN_OPTIONS=suppressions=$PWD/tests/stand-in/cudnn.supp:print_suppressions=0 "$B/stand-in/plans" >"$TMP/plans" || [ $? = 77 ] || { cat "$TMP/plans"; fail "cuDNN does not take the graphs"; }

"$B/tests/target" cuda 3
