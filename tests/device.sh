#!/usr/bin/env bash
# What there is to run where a GPU is, in one go of at most ten minutes: nothing else is needed but `make`'s own packages.
#
#	tests/device.sh [FOLDER [MODEL…]]	logs and tables go there (build/device); squeezenet and nasrnn without models
#
# Every operator against the reference executor, a table of measured costs of each network, and original and optimised
# graphs on the device, in turns.  Ends with status 0 if all of it ran and agreed, with 3 where no GPU can be used.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
out=${1:-build/device}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- squeezenet nasrnn
end=$((SECONDS + 580))
bad=0

say() { printf '\n== %s ==\n' "$1"; }

# step SECONDS COMMAND…: within so many seconds, and within what is left of ten minutes
step() {
	local most=$1 rc=0
	shift
	[ $((end - SECONDS)) -lt "$most" ] && most=$((end - SECONDS))
	[ "$most" -gt 0 ] || { echo "no time is left for: $*"; bad=1; return 1; }
	timeout -s INT -k 5 "$most" "$@" || rc=$?
	[ $rc = 0 ] || { echo "status $rc: $*"; bad=1; }
	return $rc
}

# The table keeps what was measured until the time is up; what it lacks is modelled.
profile() {
	local most=$1 rc=0
	shift
	timeout -s INT -k 5 "$most" build/tenon profile "$@" || rc=$?
	case $rc in
	0) ;;
	124 | 130) echo "not all was measured within $most s" ;;
	*) echo "status $rc: tenon profile $*"; bad=1 ;;
	esac
}

mkdir -p "$out" || exit 2
make -s all || exit 1
export TENON_TARGETS=${TENON_TARGETS:-$PWD/build/targets}
say "targets"
build/tenon targets | tee "$out/targets"
build/tenon targets cuda >/dev/null || exit 3
say "operators on random shapes, against the reference executor"
step 200 build/tenon targets --selftest cuda >"$out/operators"
tail -n 1 "$out/operators"
grep -v ': equal$' "$out/operators" | sed '1d;$d'

# one network; its graphs, its table and what was measured lie in the folder
network() {
	local name=$1 limits="--iterations 4 --nodes 3000" graph
	say "$name"
	# shellcheck disable=SC2086
	profile 60 --target cuda --device h200 $limits -o "$out/$name.costs" "$out/$name.graph"
	# shellcheck disable=SC2086
	step 120 build/tenon optimize "$out/$name.graph" -f -o "$out/$name-cuda.graph" --costs "$out/$name.costs" --target cuda \
		$limits --extract-time 20 --verify-time 30 || return
	for graph in $name $name-cuda; do
		step 60 build/tenon compare --target cuda --seeds 1 "$out/$graph.graph"
	done
	: >"$out/$name.times"
	for _ in 1 2 3; do
		for graph in $name $name-cuda; do
			step 30 build/tenon run --target cuda --bench 200 --costs "$out/$name.costs" "$out/$graph.graph" >"$out/$graph.run"
			sed -n "s/.* runs on /$graph: &/p" "$out/$graph.run" | tee -a "$out/$name.times"
		done
	done
	[ "$(wc -l <"$out/$name.times")" = 6 ] || { echo "$name: not every run was measured"; bad=1; }
}

for model; do
	name=${model##*/}
	name=${name%.graph}
	if [ -e "$model" ]; then
		cp "$model" "$out/$name.graph" || bad=1
	else
		step 60 build/tenon model "$model" -o "$out/$name.graph" || continue
	fi
	network "$name"
done
echo
[ $bad = 0 ] && echo "all of it ran and agreed" || echo "something failed, see above"
exit $bad
