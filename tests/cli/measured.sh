#!/usr/bin/env bash
# tests/bench/measured.sh, without ONNX Runtime: a row for each model with times and errors, as CSV and as a section.
set -u
bad=0
"$TENON" targets | grep -q '^cpu .*thread' || { echo "skipped: no CPU target here"; exit 77; }
TENON=$TENON DIR=$TMP/paper TIME=8 RUNTIME=0 tests/bench/measured.sh squeezenet >"$TMP/out" 2>&1 || { echo "status $?"; cat "$TMP/out"; bad=1; }
awk -F, 'NR == 1 { n = NF; next }
	NF == n && $1 == "squeezenet" && $3 ~ /^(original|finalist-[0-9])$/ && $4 > 0 && $5 > 0 && $6 ~ /^[-+][0-9]+$/ && $7 > 0 && $8 > 0 &&
		$10 > 0 && ($3 != "original" || $10 == 1) { ok = 1 }
	END { exit !(NR == 2 && ok) }' "$TMP/paper/measured.csv" || { echo "measured.csv:"; cat "$TMP/paper/measured.csv"; bad=1; }
grep -q '^| squeezenet | ' "$TMP/paper/measured.md" || { echo "the section has no row"; cat "$TMP/paper/measured.md"; bad=1; }
[ -s "$TMP/paper/measured/cpu.costs" ] || { echo "no table of costs"; bad=1; }
TENON=$TENON DIR=$TMP/paper TIME=8 RUNTIME=0 tests/bench/measured.sh no-such-model >"$TMP/out" 2>&1
grep -q '^no-such-model: ' "$TMP/out" || { echo "a model that is not there is not told"; cat "$TMP/out"; bad=1; }
exit $bad
