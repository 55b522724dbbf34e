#!/usr/bin/env bash
# The table that is kept, tests/small.costs: it prices all of what is made of tests/small.graph, and is shown, compared
# and merged.
set -u
bad=0
note() { echo "$1"; bad=1; }
graph=tests/small.graph table=tests/small.costs

"$TENON" optimize $graph --costs $table --target cpu --finalists 1 -o "$TMP/out.graph" >"$TMP/out" || note "it is not taken"
grep -q '^prices *[1-9][0-9]* operators measured, 0 modelled as cpu times 0.4867$' "$TMP/out" || { note "signatures changed:"; cat "$TMP/out"; }
grep -q 'cheapest in its e-graph, proven' "$TMP/out" || { note "not proven:"; cat "$TMP/out"; }

"$TENON" costs show $table >"$TMP/out" || note "show fails"
[ "$(tail -1 "$TMP/out")" = "16 operators on cpu onednn-2.6.3 nhwc 1-thread avx512-bf16, 0 of them not to be chosen; others are modelled as cpu times 0.4867" ] ||
	note "show: $(tail -1 "$TMP/out")"
"$TENON" costs diff $table $table | grep -q '^16 operators, 0 with another cost, 0 in one table alone$' || note "it differs from itself"

# cut in two, and put together in either order
awk 'NR <= 3 || NR % 2' $table >"$TMP/odd" && awk 'NR <= 3 || NR % 2 == 0' $table >"$TMP/even"
for pair in 'odd even' 'even odd' 'odd even odd'; do
	# shellcheck disable=SC2086 # several files
	(cd "$TMP" && "$TENON" costs merge $pair -o merged) && cmp $table "$TMP/merged" || note "merge $pair"
done
"$TENON" costs diff "$TMP/odd" "$TMP/even" >"$TMP/out" && note "halves do not differ"
grep -q '^16 operators, 0 with another cost, 16 in one table alone$' "$TMP/out" || note "halves: $(tail -1 "$TMP/out")"
exit $bad
