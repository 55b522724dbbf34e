#!/usr/bin/env bash
# k products of one input: e-nodes, seconds and modelled cost when the rule over all siblings merges them in one
# iteration, and when the rule over pairs does in the iterations it takes.  Under these rules alone the
# products are outputs of their own; under all rules they are joined again, which is where merging pays.
#
#	tests/bench/siblings.sh [K …]	2 to 16 by default; NODES limits the e-graph (20000)
set -eu
cd "$(dirname "$0")/../.."
tenon=${TENON:-build/tenon} tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# graph K parts|whole
graph() {
	local i
	echo '(graph siblings (input x f32 [64 256])'
	for i in $(seq "$1"); do echo "(weight w$i f32 [256 64] :seed $i) (let y$i (matmul x w$i))"; done
	[ "$2" = whole ] || { echo "$(seq -f '(output y%g)' -s ' ' "$1"))"; return; }
	echo "(let y (concat $(seq -f 'y%g' -s ' ' "$1") :axis 1)) (output y))"
}

# run NAME ITERATIONS RULE OTHER: e-nodes, how it ended, seconds, cost
run() {
	local growth cost rules=(--only "$3")
	[ $shape = parts ] || rules=(--disable "$4" --disable 'matmul-*-rows')
	"$tenon" optimize "$tmp/in.graph" --json "$tmp/out.json" --no-verify --multi-iterations "$2" "${rules[@]}" --nodes "${NODES:-20000}" --iterations 40 --extract-time 5 >"$tmp/out"
	growth=$(sed -n 's/^e-graph *\([0-9]*\) e-nodes.*; \(.*\) after .* \([0-9.]*\) s$/\1 \3 \2/p' "$tmp/out")
	cost=$(sed -n 's/^cost .* us *\([0-9.]*\) us .*/\1/p' "$tmp/out")
	read -r nodes seconds stop <<<"$growth"
	printf '%3d  %-6s %-8s %5d  %8d  %8s  %9s  %s\n' "$k" "$shape" "$1" "$2" "$nodes" "$seconds" "$cost" "$stop"
}

printf '%3s  %-6s %-8s %5s  %8s  %8s  %9s\n' k out rule steps e-nodes seconds 'cost us'
[ $# -gt 0 ] || set -- 2 3 4 5 6 8 12 16
for shape in parts whole; do
	for k; do
		graph "$k" $shape >"$tmp/in.graph"
		run siblings 1 matmul-siblings matmul-pair
		run pairs "$((k < 5 ? k - 1 : 4))" matmul-pair matmul-siblings
	done
done
