#!/usr/bin/env bash
# tenon extract: the answer, its JSON, units of costs, and every kind of file that is none, with status and message.
set -eu
node() { printf '"%s": {"op": "%s", "eclass": "%s", "cost": %s, "children": [%s]}' "$@"; }
egraph() { printf '{"nodes": {%s}, "root_eclasses": [%s]}' "$1" "$2"; }
list() { local IFS=,; printf '%s' "$*"; }

# a shared child counts once, as does a repeated one; the cycle a-b is not taken although it is cheapest
egraph "$(list "$(node a + A 3 '"c", "c", "d"')" "$(node a1 f A 0 '"b"')" "$(node b g B 0 '"a"')" "$(node c x C 2 '"e"')" \
	"$(node d y D 1 '"e"')" "$(node e z E 4 '')")" '"A", "B"' >"$TMP/e.json"
[ "$("$TENON" extract "$TMP/e.json" | tail -1)" = "cost 10 proven" ]
gzip -c "$TMP/e.json" >"$TMP/e.json.gz"
[ "$("$TENON" extract "$TMP/e.json.gz" | tail -1)" = "cost 10 proven" ]
[ "$("$TENON" extract - <"$TMP/e.json.gz" | tail -1)" = "cost 10 proven" ]
for method in tree dag; do
	"$TENON" extract --method $method "$TMP/e.json" --json "$TMP/r.json" | tail -1 | grep -q '^cost 10 '
done
"$TENON" extract "$TMP/e.json" --json "$TMP/r.json" >/dev/null
grep -q '"cost": 10, "bound": 10, "proven": true' "$TMP/r.json"
for pair in '"A": "a"' '"B": "b"' '"C": "c"' '"D": "d"' '"E": "e"'; do grep -qF "$pair" "$TMP/r.json"; done

# cost, children and unknown keys may be absent or there
echo '{"nodes": {"a": {"op": "x", "eclass": "0", "subsumed": false}}, "root_eclasses": ["0", "0"], "class_data": {"0": {}}}' >"$TMP/e.json"
[ "$("$TENON" extract "$TMP/e.json" | tail -1)" = "cost 1 proven" ]

# costs: TEXT OF TWO COSTS, WANTED SUM, WANTED UNITS, further options
costs() {
	local a=$1 b=$2 sum=$3 units=$4
	shift 4
	egraph "$(node a + A "$a" '"b"'),$(node b x B "$b" '')" '"A"' >"$TMP/c.json"
	"$TENON" extract "$TMP/c.json" "$@" >"$TMP/out" 2>"$TMP/err"
	grep -qF "costs $units" "$TMP/out" || { echo "$a $b: no '$units' in"; cat "$TMP/out"; exit 1; }
	[ "$(tail -1 "$TMP/out")" = "cost $sum proven" ] || { echo "$a $b: not $sum:"; cat "$TMP/out"; exit 1; }
}
costs 1 2 3 'in units of 1'
costs 0 0.0 0 'in units of 1'
costs 0.1 0.20 0.3 'in units of 0.1'
costs 1e-6 2 2.000001 'in units of 1e-06'
costs 0.5625920295715332 2.700000004551839e-05 0.562619 'in units of 1e-06, from single precision'
costs 0.000000000931322574615478515625 1 1.00000000093132 'in units of 2^-30'
costs 0.1 0.2 0.3 'in units of 2^-55' --unit exact
costs 0.1 300 300.1 'rounded to multiples of 2^-52' --unit exact
grep -q 'costs are rounded to multiples of 2^-52' "$TMP/err"
costs 0.14142135623730951 0.2718281828459045 0.413249539083214 'in units of 2^-54'
costs 0.14142135623730951 271.8281828459045 271.969604202081 'rounded to multiples of 2^-31'
costs 0.14 0.27 0.4 'rounded to multiples of 0.1' --unit 0.1
costs 2305843009213693950 1 2305843009213693951 'in units of 1'
costs 4611686018427387904 1 4.61168601842739e+18 'rounded to multiples of 2^23'
costs 9223372036854775806 1 9.22337203685478e+18 'rounded to multiples of 2^24'

# what is wrong: STATUS MESSAGE TEXT-OF-THE-FILE
wrong() {
	local status=$1 message=$2 rc=0
	printf '%s' "$3" >"$TMP/w.json"
	shift 3
	"$TENON" extract "$TMP/w.json" "$@" >"$TMP/out" 2>"$TMP/err" || rc=$?
	[ $rc = "$status" ] || { echo "status $rc, not $status, without '$message'"; cat "$TMP/err"; exit 1; }
	grep -qF -- "$message" "$TMP/err" || { echo "no '$message' in:"; cat "$TMP/err"; exit 1; }
}
a=$(node a x A 1 '')
wrong 1 "w.json:1:0: '[' or '{' expected near end of file" ''
wrong 1 "w.json:1:4: '[' or '{' expected near 'null'" 'null'
wrong 1 "no 'nodes': not an e-graph" '[]'
wrong 1 "no 'nodes': not an e-graph" '{}'
wrong 1 "'nodes' is no object" '{"nodes": []}'
wrong 1 "node 'a': not an object" '{"nodes": {"a": 1}}'
wrong 1 "node 'a': no 'eclass'" '{"nodes": {"a": {"op": "x"}}}'
wrong 1 "node 'a': 'eclass' is no string" '{"nodes": {"a": {"op": "x", "eclass": 1}}}'
wrong 1 "node 'a': no 'op'" '{"nodes": {"a": {"eclass": "x"}}}'
wrong 1 "node 'a': 'op' is no string" '{"nodes": {"a": {"eclass": "x", "op": null}}}'
wrong 1 "node 'a': 'children' is no array" '{"nodes": {"a": {"eclass": "x", "op": "x", "children": "b"}}}'
wrong 1 "node 'a': a child is no string" '{"nodes": {"a": {"eclass": "x", "op": "x", "children": [1]}}}'
wrong 1 "node 'a': there is no node 'b' to be its child" "$(egraph "$(node a x A 1 '"b"')" '"A"')"
wrong 1 "node 'a': 'cost' is no number" "$(egraph "$(node a x A '"1"' '')" '"A"')"
wrong 1 "node 'a': the cost is negative" "$(egraph "$(node a x A -1 '')" '"A"')"
wrong 1 "node 'a': the cost is negative" "$(egraph "$(node a x A -1e-30 '')" '"A"')"
wrong 1 "invalid token near 'NaN'" "$(egraph "$(node a x A NaN '')" '"A"')"
wrong 1 "real number overflow near '1e999'" "$(egraph "$(node a x A 1e999 '')" '"A"')"
wrong 1 "too big integer near '9223372036854775808'" "$(egraph "$(node a x A 9223372036854775808 '')" '"A"')"
wrong 1 "no root: 'root_eclasses' is missing" "{\"nodes\": {$a}}"
wrong 1 "no root: 'root_eclasses' is empty" "$(egraph "$a" '')"
wrong 1 "'root_eclasses' is no array" "{\"nodes\": {$a}, \"root_eclasses\": \"A\"}"
wrong 1 "a root is no string" "$(egraph "$a" '1')"
wrong 1 "root 'B': the class has no node" "$(egraph "$a" '"B"')"
wrong 1 "duplicate object key near '\"a\"'" "$(egraph "$a,$a" '"A"')"
wrong 1 "no acyclic choice covers the roots" "$(egraph "$(node a x A 1 '"a"')" '"A"')"
wrong 1 "no acyclic choice covers the roots" "$(egraph "$(node a x A 1 '"b"'),$(node b x B 1 '"a"')" '"A"')"
wrong 1 "no acyclic choice covers the roots" "$(egraph "$(node a x A 1e300 '')" '"A"')"
wrong 1 "end of file expected near" "$(egraph "$a" '"A"')x"
wrong 1 "maximum parsing depth reached" "$(printf '[%.0s' {1..100000})"
wrong 1 "too many units of 1e-30" "$(egraph "$a" '"A"')" --unit 1e-30
wrong 2 "--unit: 'much' is not auto, exact or a number above 0" "$(egraph "$a" '"A"')" --unit much
wrong 2 "'--method': 'best' is not" "$(egraph "$a" '"A"')" --method best
wrong 2 "nowhere/r.json: No such file or directory" "$(egraph "$a" '"A"')" --json "$TMP/nowhere/r.json"
rc=0; "$TENON" extract "$TMP/nowhere.json" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && grep -q 'nowhere.json: No such file or directory' "$TMP/err"
rc=0; "$TENON" extract "$TMP" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && grep -q 'Is a directory' "$TMP/err"

# cut anywhere, plain or compressed, it is refused
egraph "$(node a + A 3 '"b"'),$(node b x B 0.5 '')" '"A"' >"$TMP/whole"
gzip -nc "$TMP/whole" >"$TMP/whole.gz"
for file in whole whole.gz; do
	size=$(stat -c %s "$TMP/$file")
	for ((n = 0; n < size; n++)); do
		head -c $n "$TMP/$file" >"$TMP/cut"
		rc=0; "$TENON" extract "$TMP/cut" >"$TMP/out" 2>"$TMP/err" || rc=$?
		[ $rc = 1 ] && [ "$(wc -l <"$TMP/err")" = 1 ] || { echo "$file cut at $n: status $rc"; cat "$TMP/err"; exit 1; }
	done
done
grep -q 'the compressed file is cut off' "$TMP/err"
printf '\1' | dd of="$TMP/whole.gz" bs=1 seek=40 conv=notrunc status=none
rc=0; "$TENON" extract "$TMP/whole.gz" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q 'the compressed file is damaged: ' "$TMP/err"

# what saturate and optimize write is read: the same costs and roots, compressed or not
export XDG_CACHE_HOME="$TMP/cache" TENON_INCLUDE=runtime/include
for file in g.json g.json.gz; do
	"$TENON" saturate --rules tests/egraph/mathmicro.rules tests/egraph/mathmicro.terms --iterations 3 --egraph "$TMP/$file" >/dev/null
	"$TENON" extract "$TMP/$file" >"$TMP/$file.out"
	grep -q ' 7 roots; costs in units of 1$' "$TMP/$file.out" && tail -1 "$TMP/$file.out" | grep -q '^cost [0-9]* proven'
done
gzip -dc "$TMP/g.json.gz" | cmp - "$TMP/g.json"
cat >"$TMP/m.graph" <<'END'
(graph g (input x f32 [2 3]) (let a (relu x)) (let b (relu a)) (let c (add b b)) (output c))
END
"$TENON" optimize "$TMP/m.graph" --egraph "$TMP/m.json.gz" --json "$TMP/m.json" >/dev/null
want=$(sed -n 's|.*"extraction": {"cost_ns": \([0-9]*\),.*|\1|p' "$TMP/m.json")
[ "$("$TENON" extract "$TMP/m.json.gz" | tail -1)" = "cost $want proven" ] || { "$TENON" extract "$TMP/m.json.gz"; exit 1; }
