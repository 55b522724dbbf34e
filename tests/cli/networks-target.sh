#!/usr/bin/env bash
# The smaller networks of `tenon model` run on the CPU target, every operator by a kernel of its own, and give the
# reference executor's values; the larger ones and real models are check-oracle's.
set -e
"$TENON" targets | grep -q '^cpu *cpu onednn-' || { echo "skipped: no CPU target was built"; exit 77; }
for name in squeezenet nasrnn mobilenetv2; do
	"$TENON" model $name -o "$TMP/net.graph"
	timeout 120 "$TENON" run "$TMP/net.graph" --check -v >"$TMP/out" || { echo "$name ends with status $?"; tail -3 "$TMP/out"; exit 1; }
	grep -q "^equal to the reference executor's$" "$TMP/out" || { echo "$name is not compared"; exit 1; }
	! grep -E '^on the host|^made up|, slow' "$TMP/out" || { echo "$name: not all of it runs by kernels of the target"; exit 1; }
done
