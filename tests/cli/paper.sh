#!/usr/bin/env bash
# The published evaluation on one network: a row a cell, a table a section, cells that are kept are not run again, and what is
# wrong in one fails the run.
set -u
bad=0
note() { echo "$*"; bad=1; }
run() { DIR=$TMP/paper K="0 1" SETS=published TARGETS="t4 a100" TABLES="sweep methods" tests/bench/paper.sh squeezenet >"$TMP/out" 2>&1; }

run || note "paper.sh: $(cat "$TMP/out")"
rows=$(grep -c '^squeezenet,published,[01],\(t4\|a100\),[0-9]*,[0-9]*,[0-9.]*,.*,\(proven\|gap .*\),equal,[0-9.]*,[0-9.]*$' "$TMP/paper/sweep.csv")
[ "$rows" = 4 ] || note "$rows rows of four: $(cat "$TMP/paper/sweep.csv")"
[ "$(grep -c '^squeezenet,\(tree\|dag\|ilp\),' "$TMP/paper/methods.csv")" = 3 ] || note "not all methods"
grep -q '^| squeezenet | published | [0-9.]* | 0.3 | [0-9.]* | 16.4 | -' "$TMP/paper/report.md" || note "nothing beside what was published"
grep -q '^| squeezenet | published | t4 | [01] | -[0-9.]* | conv-relu [0-9]*' "$TMP/paper/report.md" || note "it is not said what made the gain"
[ "$(grep -c '^| ---' "$TMP/paper/report.md")" = 4 ] || note "not four tables"

# once more, from what was kept
cp "$TMP/paper/report.md" "$TMP/before.md"
find "$TMP/paper" -name '*.json' -exec touch -d '1 hour ago' {} +
run || note "again: $(cat "$TMP/out")"
[ -z "$(find "$TMP/paper" -name '*.json' -mmin -30)" ] || note "a cell was run again"
cmp -s "$TMP/before.md" "$TMP/paper/report.md" || note "another report of the same cells"

# a cost above the original's, and values that were not compared
sed -i '/"cost_ns": {"before"/s/"after": [0-9]*/"after": 999999999/' "$TMP"/paper/cells/*/squeezenet-published-1-t4.json
run && note "a cost above the original's is no fault: $(cat "$TMP/out")"
grep -q '^\* .*squeezenet-published-1-t4.json: dearer than the original$' "$TMP/paper/report.md" || note "it is not reported: $(cat "$TMP/out")"
sed -i 's/"result": "equal"/"result": "not verified"/' "$TMP"/paper/cells/*/squeezenet-published-0-t4.json
rm "$TMP"/paper/cells/*/*.equal
run && note "values that were not compared are no fault: $(cat "$TMP/out")"
grep -q '^\* .*squeezenet-published-0-t4.json: values were not compared$' "$TMP/paper/report.md" || note "that is not reported: $(cat "$TMP/out")"
exit $bad
