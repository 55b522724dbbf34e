#!/usr/bin/env bash
# Graphs that differ run in turn with the model on a target whose times are written down; the fastest is written, and where
# none beats the model by more than the noise and 5 % the model stays.
set -u
bad=0
note() { echo "$1"; cat "$TMP/said"; bad=1; }
# shellcheck source=tests/stand-in/scripted.sh
. tests/stand-in/scripted.sh
printf 'tenon-costs 1\nidentity scripted clock\nmodel cpu 1\n' >"$TMP/t.costs"
optimize() {
	"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --costs "$TMP/t.costs" --json "$TMP/out.json" "$@" >"$TMP/said" 2>&1
}
says() { grep -q -- "$1" "$TMP/said" || note "${2:-it does not say: $1}"; }
operators() { grep -o '([a-z-]*' "$TMP/out.graph" | grep -xE '\((matmul|add|relu|concat|slice|reduce-sum)' | tr -d '(\n'; }

# one product with its activation is predicted best, and is
printf 'matmul 1000\nmatmul:relu 1000\nadd 300\nrelu 100\n' >"$TMP/script"
optimize || note "status $?"
says '^finalists  *3, in turn with the model 100 times on scripted clock$'
says '^  the model  *[0-9.]* us  *2.4 us$'
says '^  finalist 1  *[0-9.]* us  *1.0 us  *0.42  *0.0 %  kept$'
says '^  finalist 2  *[0-9.]* us  *1.1 us  *0.46  *0.0 %$'
[ "$(operators)" = matmul ] || note "written: $(operators)"
python3 -c 'import json, sys; r = json.load(open(sys.argv[1]))["race"]
assert r["rounds"] == 100 and r["target"] == "scripted clock" and len(r["finalists"]) == 3
assert r["finalists"][0]["kept"] and not r["model"]["kept"] and r["finalists"][0]["measured_ns"] == 1000' "$TMP/out.json" 2>>"$TMP/said" ||
	note "the JSON says something else"
# predictions rise, and no two finalists are the same
predicted=$(sed -n 's/^  finalist [0-9]*  *\([0-9.]*\) us .*/\1/p' "$TMP/said")
[ "$predicted" = "$(sort -n <<<"$predicted")" ] || note "finalists are not in order"

# what is predicted best is slow: the next one is written, and its rules are told
printf 'matmul 1000\nmatmul:relu 2000\nadd 300\nrelu 100\n' >"$TMP/script"
optimize || note "status $?"
says '^  finalist 2 .*0.46 .*kept$' "the fastest is not kept"
[ "$(operators)" = matmulrelu ] || note "written: $(operators)"
says '^values  *equal'

# within 5 %, and within the noise, they tie: the first is kept, or the model
printf 'matmul 1000\nmatmul:relu 1140\nadd 300\nrelu 100\n' >"$TMP/script"
optimize || note "status $?"
says '^  finalist 1 .*kept$' "a tie is not the first one's"
printf 'matmul 1000\nmatmul:relu 31500\nadd 300\nrelu 30000\n' >"$TMP/script"
optimize || note "status $?"
says '^  the model .* us  kept$' "a tie is not the model's"
says 'none is faster than the model by more than the noise and 5 %: it stays as it is'
says '^values  *unchanged'
cmp -s "$TMP/net.graph" "$TMP/out.graph" || note "the model is not written as it was"
# faster by much, but slower in the last quarter of the rounds; it ran twice before them
printf 'matmul 1000\nmatmul:relu%s%s\nadd 300\nrelu 2000\n' "$(printf ' 2600%.0s' {1..77})" "$(printf ' 6500%.0s' {1..25})" >"$TMP/script"
optimize || note "status $?"
says '^  finalist 1 .* 0.60  *90.[0-9] %$' "noise is not what parts differ by"
says '^  finalist 2 .* 0.70  *0.0 %  kept$'

# without a line for it a finalist does not run; where the model does not, nothing is decided
printf 'matmul 1000\nadd 300\nrelu 100\n' >"$TMP/script"
optimize || note "status $?"
says "^  finalist 1 .* the target has no kernel for 'matmul'$"
[ "$(operators)" = matmulrelu ] || note "written: $(operators)"
printf 'matmul:relu 1000\n' >"$TMP/script"
optimize || note "status $?"
says "^finalists  *none ran: the target has no kernel for 'matmul'$"
[ "$(operators)" = matmul ] || note "written: $(operators)"

# where no finalist runs the model stays, and no comparison is told
printf '(graph one (input x f32 [4 8]) (weight a f32 [8 8] :seed 1) (output (relu (matmul x a)) "y"))' >"$TMP/one.graph"
printf 'matmul 1000\nrelu 100\n' >"$TMP/script"
"$TENON" optimize "$TMP/one.graph" -o "$TMP/out.graph" --costs "$TMP/t.costs" >"$TMP/said" 2>&1 || note "status $?"
says '^  the model alone runs there: it stays as it is$'
cmp -s "$TMP/one.graph" "$TMP/out.graph" || note "the model is not written as it was"

# how many: one is not run, as many as there are
printf 'matmul 1000\nmatmul:relu 1000\nadd 300\nrelu 100\nconcat 1\nslice 1\nreduce-sum 1\n' >"$TMP/script"
optimize --finalists 1 || note "status $?"
grep -q '^finalists' "$TMP/said" && note "one finalist is run"
optimize --finalists 100 || note "status $?"
says '^finalists  *[4-9], in turn'
optimize --finalists 101; [ $? = 2 ] || note "101 finalists are no usage error"
optimize --no-rules --finalists 3 || note "status $?"
grep -q '^finalists' "$TMP/said" && note "without rules finalists are run"

# costs of another identity, a target that is not there, none at all
sed 's/scripted clock/scripted sundial/' "$TMP/t.costs" >"$TMP/other.costs"
optimize --costs "$TMP/other.costs" || note "status $?"
says "^finalists  *none ran: the costs are of 'scripted sundial', and here is 'scripted clock'$"
optimize --costs "$TMP/other.costs" --finalists 2; [ $? = 1 ] || note "costs of another identity are raced"
"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --target t4 --finalists 2 >"$TMP/said" 2>&1; [ $? = 3 ] || note "a t4 is there"
"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --finalists 2 >"$TMP/said" 2>&1; [ $? = 2 ] || note "no target is one"
"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --target t4 >"$TMP/said" 2>&1 || note "status $?"
grep -q '^finalists' "$TMP/said" && note "a modelled device runs"

# an explanation leads to the one that is written
printf 'matmul 1000\nmatmul:relu 2000\nadd 300\nrelu 100\n' >"$TMP/script"
optimize --explain "$TMP/steps" && "$TENON" explain "$TMP/steps" "$TMP/net.graph" "$TMP/out.graph" >"$TMP/said" 2>&1 || note "it is not explained"

# on the machine's own target
export TENON_TARGETS=$PWD/$B/targets
if "$TENON" targets cpu >"$TMP/said" 2>&1; then
	"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --target cpu >"$TMP/said" 2>&1 || note "status $?"
	says '^finalists  *3, in turn with the model [0-9]* times on cpu onednn'
	[ "$(grep -c '  kept$' "$TMP/said")" = 1 ] || note "not one graph is kept"
	"$TENON" compare "$TMP/net.graph" "$TMP/out.graph" >"$TMP/said" || note "what is written differs"
fi
exit $bad
