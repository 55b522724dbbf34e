#!/usr/bin/env bash
# The report on exact extraction: one Markdown table, all of it from one run.  Beside the times of bench/extract, cbc where it is
# there, on the program that the reductions leave and on the one as published: CPU seconds and result, at most so many a cell.
#
#	tests/bench/extract-cbc.sh [SECONDS [FILE …]]
set -u
: "${B:=build}"
limit=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ../shared/bench/egraphs/*.json.gz
[ -r "$1" ] || { echo "$1: skipped, it is not here"; exit 77; }
command -v cbc >/dev/null || echo "cbc: skipped, it is not here"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
none=--reduce=-contract,-inline,-ascent,-force,-edge,-cycle,-dominance,-override,-bound
TIMEFORMAT=%U

# cbc counts CPU time, but not in all that it does: a cell ends at twice the limit for sure.  ARGUMENTS of tenon extract
cbc_on() {
	command -v cbc >/dev/null || { echo "-"; return; }
	"$B/tenon" extract "$@" --write-lp "$tmp/g.lp" >/dev/null || { echo "no program"; return; }
	grep -q x0 "$tmp/g.lp" || { echo "nothing left"; return; }
	{ time prlimit --cpu=$((2 * limit)) cbc "$tmp/g.lp" -threads 1 -timeMode cpu -sec "$limit" solve solu "$tmp/g.sol" >/dev/null 2>&1; } 2>"$tmp/time"
	if [ -s "$tmp/g.sol" ]; then
		echo "$(tail -1 "$tmp/time") s: $(sed -n '1s/ - objective value//p' "$tmp/g.sol")"
	else
		echo "$(tail -1 "$tmp/time") s: nothing"
	fi
	rm -f "$tmp/g.lp" "$tmp/g.sol"
}

"$B/bench/extract" /dev/null | sed -n 's/ branches |$/ branches | cbc, reduced | cbc, as published |/p; s/^|---.*/&---|---|/p'
for f; do
	row=$("$B/bench/extract" "$f" | tail -1)
	printf '%s %s | %s |\n' "$row" "$(cbc_on "$f")" "$(cbc_on $none "$f")"
done
