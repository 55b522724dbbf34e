#!/usr/bin/env bash
# tenon saturate: the report, its JSON, the e-graph's JSON, schedulers, limits, and what is wrong with a file of terms.
set -eu
export XDG_CACHE_HOME="$TMP/cache" TENON_INCLUDE=runtime/include
rules=tests/egraph/mathmicro.rules terms=tests/egraph/mathmicro.terms

"$TENON" saturate --rules $rules $terms --iterations 8 --json "$TMP/r.json" --egraph "$TMP/g.json" -v >"$TMP/out"
grep -q '^ *8  *8113  *3576 ' "$TMP/out"
grep -q '^comm-add ' "$TMP/out"
grep -q '^iteration limit after 8 iterations: 8113 e-nodes, 3576 e-classes' "$TMP/out"
grep -q '"stop": "iteration limit"' "$TMP/r.json"
[ "$(grep -c '"nodes": .*"rebuild_s"' "$TMP/r.json")" = 8 ]
[ "$(grep -c '"eclass"' "$TMP/g.json")" = 8113 ]
grep -q '"op": "ln", "children": \["0"\]' "$TMP/g.json"
if command -v python3 >/dev/null; then
	python3 - "$TMP/r.json" "$TMP/g.json" <<-'END'
	import json, sys
	r, g = (json.load(open(f)) for f in sys.argv[1:])
	assert len(r["rules"]) == 24 and r["iterations"][7]["nodes"] == 8113
	nodes = g["nodes"]
	assert len({n["eclass"] for n in nodes.values()}) == 3576
	assert all(c in nodes for n in nodes.values() for c in n["children"])
	assert len(g["root_eclasses"]) == 7
	END
fi

# the same bytes each time
"$TENON" saturate --rules $rules $terms --iterations 8 --egraph "$TMP/again.json" >/dev/null
cmp "$TMP/g.json" "$TMP/again.json"

# full matching finds all matches again: the counts are known
"$TENON" saturate --rules $rules $terms --iterations 8 --no-delta >"$TMP/out"
[ "$(awk '$1 + 0 > 0 && NF == 8 { n += $4 } END { print n }' "$TMP/out")" = 13853 ]

"$TENON" saturate --rules $rules $terms --iterations 40 --scheduler backoff | grep -q '92137 e-nodes, 54663 e-classes'
"$TENON" saturate --rules $rules $terms --nodes 1000 | grep -q '^node limit'
"$TENON" saturate --rules tests/egraph/ac.rules tests/egraph/ac9.terms | grep -q '^saturated after 9 iterations: 18669 e-nodes, 511'

# wrong is, with its status and message
wrong() {
	local status=$1 message=$2 rc=0
	shift 2
	"$TENON" saturate --rules $rules "$@" >"$TMP/out" 2>"$TMP/err" || rc=$?
	[ $rc = "$status" ] || { echo "status $rc, not $status"; cat "$TMP/err"; exit 1; }
	grep -qF -- "$message" "$TMP/err" || { echo "no '$message' in:"; cat "$TMP/err"; exit 1; }
}
printf '(+ x\n   (sin x y))\n' >"$TMP/arity.terms"
wrong 1 "arity.terms:2:4: 'sin' takes 1 operand, not 2" "$TMP/arity.terms"
printf '(foo x)\n' >"$TMP/name.terms"
wrong 1 "name.terms:1:1: there is no operator 'foo'" "$TMP/name.terms"
printf '(+ sin x)\n' >"$TMP/bare.terms"
wrong 1 "bare.terms:1:4: 'sin' is an operator: write (sin …)" "$TMP/bare.terms"
printf '()\n' >"$TMP/empty.terms"
wrong 1 "empty.terms:1:1: a term is (operator term …), a number or a name" "$TMP/empty.terms"
printf '(+ "x" 1)\n' >"$TMP/string.terms"
wrong 1 "string.terms:1:4: a string is no term" "$TMP/string.terms"
printf '(+ x 1\n' >"$TMP/open.terms"
wrong 1 "open.terms:1:1: '(' is never closed" "$TMP/open.terms"
wrong 2 "nowhere.terms: No such file or directory" "$TMP/nowhere.terms"
wrong 2 "wanted: one file of terms"
wrong 2 "'often' is neither simple nor backoff" $terms --scheduler often

# operators of tensors are no scalars
rc=0
"$TENON" saturate $terms >"$TMP/out" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q 'is not an operator of scalars' "$TMP/err"

# interrupted, it reports what is there
printf '(op f (in (a)) (out))\n(op g (in (a)) (out))\n(rule grow (=> (f ?x) (f (g ?x))))\n' >"$TMP/endless.rules"
printf '(f x)\n' >"$TMP/endless.terms"
"$TENON" saturate --rules "$TMP/endless.rules" "$TMP/endless.terms" --iterations 0 --nodes 0 --time 0 >"$TMP/out" 2>"$TMP/err" &
pid=$!
sleep 2
kill -INT $pid
rc=0
wait $pid || rc=$?
[ $rc = 130 ] && grep -q '^interrupted after' "$TMP/out"
