#!/usr/bin/env bash
# --measure: a price is the table's, else measured on the way, and then kept, else modelled at the table's own ratio; the report
# counts each kind.  On a target whose times are written down.
set -u
bad=0
note() { echo "$1"; cat "$TMP/said"; bad=1; }
# shellcheck source=tests/stand-in/scripted.sh
. tests/stand-in/scripted.sh
optimize() {
	"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --finalists 1 --json "$TMP/out.json" "$@" >"$TMP/said" 2>&1
}
says() { grep -q -- "$1" "$TMP/said" || note "${2:-it does not say: $1}"; }
operators() { grep -o '([a-z-]*' "$TMP/out.graph" | grep -xE '\((matmul|add|relu|concat|slice|reduce-sum)' | tr -d '(\n'; }

# without a table: what is measured decides
printf 'matmul 1000\nmatmul:relu 1000\nadd 300\nrelu 100\n' >"$TMP/script"
optimize --measure --target scripted || note "status $?"
says '^cost  *2.4 us  *1.0 us .*scripted clock'
says '^prices  *0 operators measured, 1 measured now, 0 modelled as'
[ "$(operators)" = matmul ] || note "written: $(operators)"
printf 'matmul 1000\nmatmul:relu 2000\nadd 300\nrelu 100\n' >"$TMP/script"
optimize --measure --target scripted || note "status $?"
says '^cost  *2.4 us  *1.1 us '
says '^prices  *0 operators measured, 2 measured now, 0 modelled as'
[ "$(operators)" = matmulrelu ] || note "written: $(operators)"

# a table is made, and then has them; the target is the one that it names
optimize --measure --target scripted --costs "$TMP/t.costs" || note "status $?"
[ -s "$TMP/t.costs" ] && [ ! -e "$TMP/t.costs.part" ] || note "no table is made, or its part is left"
grep -q '^relu f32 \[4 8\] -> f32 \[4 8\]	100	0	100$' "$TMP/t.costs" || note "the table has no line for relu"
cp "$TMP/t.costs" "$TMP/before.costs"
optimize --measure --costs "$TMP/t.costs" || note "status $?"
says '^prices  *2 operators measured, 0 measured now, 0 modelled as'
says '^measured now  *0 operators of the e-graph'
cmp -s "$TMP/t.costs" "$TMP/before.costs" || note "a table that lacks nothing changes"
grep -q '"prices": {"measured": 2, "modelled": 0, "measured_now": 0,' "$TMP/out.json" || note "the JSON says something else"

# what it lacks is measured, the rest stays; once finished, a table serves without the target
grep -v '^relu' "$TMP/before.costs" >"$TMP/t.costs"
sed -i 's/^relu.*/relu 90/' "$TMP/script"
optimize --measure --costs "$TMP/t.costs" || note "status $?"
says '^prices  *1 operators measured, 1 measured now, 0 modelled as'
grep -q '^relu f32 \[4 8\] -> f32 \[4 8\]	90	' "$TMP/t.costs" || note "the table has no new line"
TENON_TARGETS=$TMP optimize --costs "$TMP/t.costs" || note "status $?"
says '^prices  *2 operators measured, 0 modelled as'

# what has no kernel is modelled, at the ratio of the rest: the model's relu alone is asked for with it
printf 'matmul 1000000\nmatmul:relu 3000000\nadd 1000000\nconcat 1000000\nreduce-sum 1000000\nslice 1000000\n' >"$TMP/script"
optimize --measure --target scripted || note "status $?"
says '^prices  *0 operators measured, 1 measured now, 1 modelled as t4 times [0-9.]*$'
scale=$(sed -n 's/^prices .* times //p' "$TMP/said")
[ "${scale%.*}" -gt 100 ] || note "the model is not scaled: $scale"

# refusals, each with its status
sed 's/scripted clock/scripted sundial/' "$TMP/t.costs" >"$TMP/other.costs"
optimize --measure --costs "$TMP/other.costs"; [ $? = 1 ] || note "another identity is measured"
optimize --measure; [ $? = 2 ] || note "no target is one"
says '^tenon: --measure: on which target'
optimize --measure --target nowhere; [ $? = 3 ] || note "a target that is not there is one"
optimize --measure --target scripted --costs "$TMP"; [ $? = 2 ] || note "a folder is a table"

# A target that fails while it measures, be it a form that only folding makes, leaves no model; what was measured is not measured again.
cat >"$TMP/late.graph" <<'G'
(graph late
  (input x f32 [4 8])
  (weight a f32 [8 8] :seed 1)
  (weight b f32 [8 8] :seed 2)
  (output (relu (matmul x (transpose (mul a b) :perm [1 0]))) "y"))
G
late() { "$TENON" optimize "$TMP/late.graph" -o "$TMP/late.out.graph" --finalists 1 --measure --target scripted --costs "$TMP/l.costs" >"$TMP/said" 2>&1; }
lines='matmul 1000\nmatmul:relu 1000\nadd 300\nrelu 100\nmul 100\ntranspose 50\n'
dead=0
for run in $(seq 1 101 900); do
	printf "$lines!dies $run\n" >"$TMP/script"
	rm -f "$TMP"/late.out.graph "$TMP"/l.costs*
	late && continue
	dead=$((dead + 1))
	[ ! -e "$TMP/late.out.graph" ] || note "a target that fails in run $run leaves a model"
	kept=$(grep -vc ^identity "$TMP/l.costs.part")
done
[ $dead = 6 ] && [ "$kept" -ge 3 ] || note "the target failed $dead times, and $kept lines were kept"
rm -f "$TMP/l.costs" "$TMP/l.costs.part"
printf "$lines!dies 506\n" >"$TMP/script"
late; [ $? = 2 ] || note "the target does not fail late"
printf "$lines" >"$TMP/script"
late || note "status $?"
says "^measured now  *[12] operators of the e-graph" "what was measured before the target failed is measured again"

# where something else cannot be written, the model is not there either
rm -f "$TMP/out.graph"
optimize --measure --target scripted --explain /dev/full; [ $? = 2 ] || note "a full disk is none"
[ ! -e "$TMP/out.graph" ] || note "the model is written before all that can fail"

# another one is at work on the table
( flock 9; optimize --measure --costs "$TMP/t.costs"; [ $? = 2 ] || touch "$TMP/shared" ) 9>>"$TMP/t.costs.part"
[ ! -e "$TMP/shared" ] || note "two work on one table"

# a target that fails while reorders of what runs are measured leaves no model either
cat >"$TMP/image.graph" <<'G'
(graph image
  (input x f32 [2 3 6 7])
  (weight k f32 [8 3 3 3] :seed 1)
  (output (relu (conv2d x k)) "y"))
G
lines='conv2d 700\nconv2d:relu 700\nrelu 50\nadd 60\ntranspose 40\n!reorder 40\n!images 1\n'
printf "$lines" >"$TMP/script"
"$TENON" profile --target scripted -o "$TMP/all.costs" "$TMP/image.graph" >/dev/null || note "profile: status $?"
grep -v ^transpose "$TMP/all.costs" >"$TMP/i.costs"
image() {
	rm -f "$TMP/image.out.graph"
	"$TENON" optimize "$TMP/image.graph" -o "$TMP/image.out.graph" --measure --finalists 2 --costs "$TMP/i.costs" >"$TMP/said" 2>&1
}
for run in 10 60 150; do
	printf "$lines!dies $run\n" >"$TMP/script"
	image; [ $? = 2 ] && [ ! -e "$TMP/image.out.graph" ] || note "dead in run $run, while reorders are measured: a model is written"
	says '^tenon: the device is lost$'
	grep -q ^transpose "$TMP/i.costs" && note "dead in run $run: the table is written"
	rm -f "$TMP/i.costs.part"
done
printf "$lines" >"$TMP/script"
image || note "status $?"
[ "$(grep -c ^transpose "$TMP/i.costs")" = 2 ] || note "reorders of what runs are not in the table"

# on the machine's own target, with finalists
export TENON_TARGETS=$PWD/$B/targets
if "$TENON" targets cpu >"$TMP/said" 2>&1; then
	"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --target cpu --measure >"$TMP/said" 2>&1 || note "status $?"
	says '^prices  *0 operators measured, [0-9]* measured now, 0 modelled as cpu times'
	"$TENON" compare "$TMP/net.graph" "$TMP/out.graph" >"$TMP/said" || note "what is written differs"
fi
exit $bad
