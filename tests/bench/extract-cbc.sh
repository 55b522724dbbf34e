#!/usr/bin/env bash
# cbc beside tenon on the e-graphs of ../shared/bench/egraphs, in one run: CPU seconds and result on the program as published and
# on the reduced one.  extract-cbc.sh [SECONDS [FILE …]]
set -u
: "${TENON:=build/tenon}"
limit=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ../shared/bench/egraphs/*.json.gz
command -v cbc >/dev/null || { echo "cbc is not here"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
off=--reduce=-contract,-inline,-force,-edge,-cycle,-dominance,-override,-bound
TIMEFORMAT=%U

# ARGUMENTS: cbc's seconds and objective on the program that tenon writes with them
cbc_on() {
	"$TENON" extract "$@" --write-lp "$tmp/g.lp" >/dev/null || return
	[ -s "$tmp/g.lp" ] || { echo "nothing left"; return; }
	{ time cbc "$tmp/g.lp" -threads 1 -sec "$limit" solve solu "$tmp/g.sol" >/dev/null; } 2>"$tmp/time"
	echo "$(cat "$tmp/time") $(sed -n '1s/ - objective value//p' "$tmp/g.sol")"
	rm -f "$tmp/g.lp" "$tmp/g.sol"
}

printf '%-42s %-28s %-40s %s\n' e-graph tenon "cbc, reduced" "cbc, as published"
for f; do
	{ time "$TENON" extract --time "$limit" "$f" | tail -1 >"$tmp/cost"; } 2>"$tmp/time"
	name=${f##*/}
	printf '%-42s %-28s %-40s %s\n' "${name%%.*}" "$(cat "$tmp/time") $(sed 's/^cost //' "$tmp/cost")" "$(cbc_on "$f")" "$(cbc_on $off "$f")"
done
