#!/usr/bin/env bash
# The published evaluation on one network: a row a cell, a table a section, and cells that are kept are not run again.
set -u
bad=0
note() { echo "$*"; bad=1; }
run() { DIR=$TMP/paper K="0 1" SETS=published TARGETS="t4 a100" TABLES="sweep methods" tests/bench/paper.sh squeezenet >"$TMP/out" 2>&1; }

run || note "paper.sh: $(cat "$TMP/out")"
rows=$(grep -c '^squeezenet,published,[01],\(t4\|a100\),[0-9]*,[0-9]*,[0-9.]*,.*,\(proven\|gap .*\),' "$TMP/paper/sweep.csv")
[ "$rows" = 4 ] || note "$rows rows of four: $(cat "$TMP/paper/sweep.csv")"
[ "$(grep -c ',t4,.*,equal$' "$TMP/paper/sweep.csv")" = 2 ] || note "not all were compared"
[ "$(grep -c '^squeezenet,\(tree\|dag\|ilp\),' "$TMP/paper/methods.csv")" = 3 ] || note "not all methods"
grep -q '^| squeezenet | [0-9.]* | 0.3 | 16.4 | -' "$TMP/paper/report.md" || note "nothing beside what was published"
[ "$(grep -c '^| ---' "$TMP/paper/report.md")" = 3 ] || note "not three tables"

# once more, from what was kept
cp "$TMP/paper/report.md" "$TMP/before.md"
find "$TMP/paper" -name '*.json' -exec touch -d '1 hour ago' {} +
run || note "again: $(cat "$TMP/out")"
[ -z "$(find "$TMP/paper" -name '*.json' -mmin -30)" ] || note "a cell was run again"
cmp -s "$TMP/before.md" "$TMP/paper/report.md" || note "another report of the same cells"
exit $bad
