#!/usr/bin/env bash
# Cyclic e-graphs that need cuts and branching, solved without reductions, cost what cbc finds for the published program.
set -eu
command -v cbc >/dev/null || { echo "cbc is not here"; exit 77; }

# classes of three nodes with children mostly further down, some above; the third of the lower half are leaves: SEED CLASSES FILE
random_egraph() {
	awk -v s="$1" -v m="$2" 'function below(n) { s = (s * 16807) % 2147483647; return s % n }
	function child(c) { return below(4) && c + 1 < m ? c + 1 + below(m - c - 1 < 8 ? m - c - 1 : 8) : below(m) }
	BEGIN {
		printf "{\"nodes\": {"
		for (c = 0; c < m; c++) for (n = 0; n < 3; n++) {
			printf "%s\"%d.%d\": {\"op\": \"f\", \"eclass\": \"%d\", \"cost\": %d, \"children\": [", c + n ? ", " : "", c, n, c, (n == 2 ? 25 : 1) + below(30)
			k = n == 2 && c >= m / 2 ? 0 : 2 + below(2)
			for (i = 0; i < k; i++) printf "%s\"%d.%d\"", i ? ", " : "", child(c), below(3)
			printf "]}"
		}
		printf "}, \"root_eclasses\": [\"0\", \"1\"]}\n"
	}' >"$3"
}

off=--reduce=-contract,-inline,-ascent,-force,-edge,-cycle,-dominance,-override,-bound
loop=0 flow=0
for seed in 1 2 3 4 5; do
	random_egraph $seed $((24 + 2 * seed)) "$TMP/g.json"
	"$TENON" extract $off -v --write-lp "$TMP/g.lp" "$TMP/g.json" >/dev/null
	"$TENON" extract $off --cuts -ascent -v "$TMP/g.json" >"$TMP/out"
	"$TENON" extract "$TMP/g.json" | tail -1 | cmp -s - <(tail -1 "$TMP/out") || { echo "$seed: reductions change the cost"; exit 1; }
	cbc "$TMP/g.lp" -threads 1 solve solu "$TMP/g.sol" >"$TMP/log"
	want=$(sed -n 's/^Optimal - objective value \([0-9]*\).*/\1/p' "$TMP/g.sol")
	[ "$(tail -1 "$TMP/out")" = "cost $want proven" ] || { echo "$seed: cbc says $want"; cat "$TMP/out"; exit 1; }
	loop=$((loop + $(sed -n 's/.* \([0-9]*\) loop cuts.*/\1/p' "$TMP/out")))
	flow=$((flow + $(sed -n 's/.* \([0-9]*\) flow cuts.*/\1/p' "$TMP/out")))
done
echo "$loop loop cuts, $flow flow cuts"
[ $loop -gt 0 ] && [ $flow -gt 0 ]
