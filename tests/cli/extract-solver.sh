#!/usr/bin/env bash
# The reduced program as LP and MPS text, solved by cbc where it is there, and solutions read back: checked, improved, or refused.
set -eu

# a cyclic e-graph: SEED FILE CLASSES
random_egraph() {
	awk -v s="$1" -v k="$3" 'function below(n) { s = (s * 16807) % 2147483647; return s % n }
	BEGIN {
		printf "{\"nodes\": {"
		for (c = 0; c < k; c++) for (n = 0; n < 3; n++) {
			printf "%s\"%d.%d\": {\"op\": \"f\", \"eclass\": \"%d\", \"cost\": %d, \"children\": [", c + n ? ", " : "", c, n, c, below(9)
			if (n < 2 || c < k * 9 / 14) { printf "\"%d.%d\"", below(k), below(3); printf ", \"%d.%d\"", below(k), below(3) }
			printf "]}"
		}
		printf "}, \"root_eclasses\": [\"0\", \"1\"]}\n"
	}' >"$2"
}
# without the reductions there is a program left that has cycles
off=--reduce=-contract,-inline,-ascent,-force,-edge,-cycle,-dominance,-override,-bound
for seed in 1 2 3; do
	random_egraph $seed "$TMP/g.json" 14
	want=$("$TENON" extract "$TMP/g.json" | tail -1)
	case $want in *proven) ;; *) echo "$want"; exit 1 ;; esac
	for cycles in real whole lazy; do
		[ "$("$TENON" extract --method ilp-plain --cycles $cycles "$TMP/g.json" | tail -1)" = "$want" ]
	done
	for way in "$off" --reduce=-bound; do
		"$TENON" extract "$way" --write-lp "$TMP/g.lp" --write-mps "$TMP/g.mps" "$TMP/g.json" | tail -1 | grep -q '^e-graph'
		command -v cbc >/dev/null || continue
		for form in lp mps; do
			cbc "$TMP/g.$form" -threads 1 solve solu "$TMP/g.sol" >"$TMP/log"
			grep -q '^Optimal' "$TMP/g.sol" || { cat "$TMP/log"; exit 1; }
			"$TENON" extract "$way" --method tree --read-solution "$TMP/g.sol" "$TMP/g.json" >"$TMP/out"
			[ "cost $(sed -n 's/^solution *cost \(.*\), checked/\1/p' "$TMP/out") proven" = "$want" ] || {
				echo "$form $way: $want"; cat "$TMP/out"; exit 1; }
		done
	done
done

# larger ones, which need cuts: what the reductions leave has the same optimum for cbc
cuts=0
for classes in 40 60 80; do
	for seed in 1 2 3 4; do
		command -v cbc >/dev/null || continue
		random_egraph $seed "$TMP/g.json" $classes
		"$TENON" extract -v "$TMP/g.json" >"$TMP/out"
		"$TENON" extract --write-lp "$TMP/g.lp" "$TMP/g.json" >/dev/null
		cbc "$TMP/g.lp" -threads 1 -sec 60 solve solu "$TMP/g.sol" >"$TMP/log"
		[ "$(tail -1 "$TMP/out")" = "cost $(sed -n 's/^Optimal - objective value \([0-9]*\)\.0*$/\1/p' "$TMP/g.sol") proven" ] || {
			echo "$classes classes, seed $seed:"; cat "$TMP/out" "$TMP/log"; exit 1; }
		cuts=$((cuts + $(sed -n 's/.* \([0-9]*\) loop cuts, .*/\1/p' "$TMP/out") + $(sed -n 's/.* \([0-9]*\) flow cuts.*/\1/p' "$TMP/out")))
	done
done
[ $cuts -gt 100 ] || ! command -v cbc >/dev/null || { echo "only $cuts cuts were needed"; exit 1; }

# columns of a program that is known: a and b are alternatives, each with a child of its own
cat >"$TMP/e.json" <<'END'
{"nodes": {"a": {"op": "a", "eclass": "A", "cost": 3, "children": ["c"]}, "b": {"op": "b", "eclass": "A", "cost": 1, "children": ["d"]},
"c": {"op": "c", "eclass": "C", "cost": 1}, "d": {"op": "d", "eclass": "D", "cost": 2}, "d1": {"op": "d", "eclass": "D", "cost": 2, "children": ["a"]}},
"root_eclasses": ["A"]}
END
"$TENON" extract $off --write-lp "$TMP/e.lp" "$TMP/e.json" >/dev/null
cat >"$TMP/e.want" <<'END'
\ 6 columns, 4 rows; x: a node is chosen, t: place of a class in an order
Minimize
 cost: + 3 x0 + x1 + x2 + 2 x3 + 2 x4 + 0 ID
Subject To
 r0: + x0 + x1 = 1
 r1: + ID = 1
 r2: + x0 - x2 <= 0
 r3: + x1 - x3 <= 0
 r4: + x4 - x0 <= 0
Bounds
 0 <= ID <= 1
Binaries
 x0 x1 x2 x3 x4
End
END
sed 's/^\\.*//' "$TMP/e.want" >"$TMP/a"
id=$(sed -n 's/^ 0 <= \(f[0-9a-f]\{7\}\) <= 1$/\1/p' "$TMP/e.lp")
sed "s/^\\\\.*//; s/$id/ID/" "$TMP/e.lp" | diff "$TMP/a" -
printf 'x0 1\nx2 1\n' >"$TMP/e.sol"
"$TENON" extract $off --read-solution "$TMP/e.sol" "$TMP/e.json" >"$TMP/out"
grep -q '^solution   cost 4, checked' "$TMP/out" && [ "$(tail -1 "$TMP/out")" = "cost 3 proven" ]
printf 'Stopped on time - objective value 4\n      0 x0 0.999999 3\n** 2 x2 1 1\n 9 t0 1 0\n' >"$TMP/e.sol"
"$TENON" extract $off --method tree --read-solution "$TMP/e.sol" "$TMP/e.json" | grep -q '^solution   cost 4, checked'

# STATUS MESSAGE TEXT
wrong() {
	local rc=0
	printf '%b' "$3" >"$TMP/w.sol"
	"$TENON" extract $off --read-solution "$TMP/w.sol" "$TMP/e.json" >"$TMP/out" 2>"$TMP/err" || rc=$?
	[ $rc = "$1" ] && grep -qF -- "$2" "$TMP/err" || { echo "status $rc, not '$2' in:"; cat "$TMP/err"; exit 1; }
}
wrong 1 'w.sol: no choice: a needed class is missing, or it is cyclic' ''
wrong 1 'w.sol: no choice: a needed class is missing, or it is cyclic' 'x0 1\n'
wrong 1 'w.sol: no choice: a needed class is missing, or it is cyclic' 'x1 1\nx4 1\nx0 0\n'
wrong 1 "w.sol:2: no value for 'x2'" 'x0 1\nx2\n'
wrong 1 "w.sol:1: no value for 'x0'" 'x0 one\n'
wrong 1 "w.sol:1: the program has no column 'x5'" 'x5 1\n'
wrong 1 "w.sol: the solver found no solution: it says Infeasible" 'Infeasible - objective value 0\n'
# the name of one column tells what the solution is for
printf '%s 1\nx0 1\nx2 1\n' "$id" >"$TMP/e.sol"
"$TENON" extract $off --method tree --read-solution "$TMP/e.sol" "$TMP/e.json" | grep -q '^solution   cost 4, checked'
# MESSAGE OPTION…: the right solution with other options
other() {
	local message=$1 rc=0
	shift
	"$TENON" extract "$@" --read-solution "$TMP/e.sol" "$TMP/e.json" >/dev/null 2>"$TMP/err" || rc=$?
	[ $rc = 1 ] && grep -q "e.sol: it solves another program ($id, not f[0-9a-f]*): $message\$" "$TMP/err" || { cat "$TMP/err"; exit 1; }
}
other 'written with another --reduce or --memory'
other 'of another e-graph, or with costs in another unit' $off --unit 2
rc=0; "$TENON" extract --read-solution "$TMP/nowhere" "$TMP/e.json" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && grep -q 'nowhere: No such file or directory' "$TMP/err"
rc=0; "$TENON" extract --write-lp "$TMP/nowhere/e.lp" "$TMP/e.json" 2>"$TMP/err" || rc=$?
[ $rc = 2 ]
rc=0; "$TENON" extract --reduce=-bogus "$TMP/e.json" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && grep -qF "'-bogus' is no '-' and name of a reduction" "$TMP/err"
command -v cbc >/dev/null || { echo "cbc is not there: programs were written, not solved"; exit 77; }
