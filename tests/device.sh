#!/usr/bin/env bash
# What there is to run where a GPU is, in one go of a few minutes: nothing else is needed but `make`'s own packages.
#
#	tests/device.sh [FOLDER]	logs and tables go there (build/device)
#
# Every operator against the reference executor, a table of measured costs of a network, and original and optimised
# graphs on the device, in turns.  Ends with status 0 if all of it ran and agreed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
out=${1:-build/device}
mkdir -p "$out"
bad=0
say() { printf '\n== %s ==\n' "$1"; }

make -s all || exit 1
export TENON_TARGETS=$PWD/build/targets
say "targets"
build/tenon targets | tee "$out/targets"
build/tenon targets cuda >/dev/null || exit 3
say "operators on random shapes, against the reference executor"
build/tenon targets --selftest cuda | tee "$out/operators" || bad=1

for name in squeezenet nasrnn; do
	say "$name"
	build/tenon model $name -o "$out/$name.graph"
	timeout 150 build/tenon profile --target cuda --device h200 --iterations 4 --nodes 3000 -o "$out/$name.costs" "$out/$name.graph" || bad=1
	build/tenon optimize "$out/$name.graph" -f -o "$out/$name-cuda.graph" --costs "$out/$name.costs" --target cuda \
		--iterations 4 --nodes 3000 --verify-time 30 || bad=1
	build/tenon compare --target cuda --seeds 1 "$out/$name.graph" || bad=1
	build/tenon compare --target cuda --seeds 1 "$out/$name-cuda.graph" || bad=1
	: >"$out/$name.times"
	for _ in 1 2 3; do
		for graph in $name $name-cuda; do
			build/tenon run --target cuda --bench 200 "$out/$graph.graph" >"$out/run" || bad=1
			sed -n "s/.* runs on /$graph: &/p" "$out/run" | tee -a "$out/$name.times"
		done
	done
done
exit $bad
