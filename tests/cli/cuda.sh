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
TENON_TARGETS=$B/stand-in "$B/tests/target" cuda 3
