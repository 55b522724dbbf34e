#!/usr/bin/env bash
# optimize does not use a rule that is refuted, unless told; what it checked once it does not check again.
set -u
bad=0
export XDG_CACHE_HOME="$TMP"
cat >"$TMP/m.graph" <<'G'
(graph m (input x f32 [2 3]) (let y (relu (relu x))) (output y))
G
cat >"$TMP/wrong.rules" <<'R'
(include "tensor.rules")
(include "targets.rules")
(rule drop-relu (=> (relu ?x) ?x))
R
cat >"$TMP/right.rules" <<'R'
(include "tensor.rules")
(rule twice (=> (neg (neg ?x)) ?x))
R
"$TENON" optimize "$TMP/m.graph" -o "$TMP/out.graph" --rules "$TMP/wrong.rules" >"$TMP/said" 2>"$TMP/err"
[ $? = 1 ] || { echo "a refuted rule: exit status is not 1"; bad=1; }
[ ! -e "$TMP/out.graph" ] || { echo "a model was written by a refuted rule"; bad=1; }
grep -q 'drop-relu: refuted$' "$TMP/err" && grep -q ' on the left, .* on the right' "$TMP/err" ||
	{ echo "no counter-example:"; cat "$TMP/err"; bad=1; }
"$TENON" optimize "$TMP/m.graph" --json "$TMP/r.json" --rules "$TMP/wrong.rules" --unsafe-rules --no-verify >"$TMP/said" ||
	{ echo "--unsafe-rules: exit status $?"; bad=1; }
grep -q '^rules *not checked' "$TMP/said" && grep -q '"unsafe_rules": true' "$TMP/r.json" ||
	{ echo "the report does not say that rules were not checked"; bad=1; }
ls "$TMP"/tenon/*.verified >/dev/null 2>&1 && { echo "a refuted file is remembered as verified"; bad=1; }
"$TENON" optimize "$TMP/m.graph" -o "$TMP/out.graph" --add-rules "$TMP/right.rules" >/dev/null || { echo "a rule that holds: exit status $?"; bad=1; }
[ "$(ls "$TMP"/tenon/*.verified | wc -l)" = 1 ] || { echo "a verified file is not remembered"; bad=1; }

# what cannot be checked is said in every report, also where the file was checked before; half a mark is none
cat >"$TMP/open.rules" <<'R'
(include "tensor.rules")
(include "targets.rules")
(op mystery (in (x ..d)) (out ..d) (cost 5))
(rule drop (=> (mystery (mystery ?x)) (mystery ?x)))
(rule swap (=> (mystery (relu ?x)) (relu (mystery ?x))) (trusted))
(rule never (=> (neg (neg ?x)) ?x) (when (< (rank ?x) 0)))
R
echo '(graph m (input x f32 [2 3]) (let y (mystery (mystery x))) (output y))' >"$TMP/open.graph"
rm "$TMP"/tenon/*.verified
for run in first second half; do
	[ $run != half ] || truncate -s 10 "$TMP"/tenon/*.verified
	"$TENON" optimize "$TMP/open.graph" --rules "$TMP/open.rules" --no-verify --json "$TMP/r.json" >"$TMP/said" 2>"$TMP/err" ||
		{ echo "open.rules, $run: exit status $?"; cat "$TMP/err"; bad=1; }
	grep -q '^unverified *drop, swap (trusted), never (no instance)$' "$TMP/said" && grep -q '"unverified": "drop, swap (trusted), never (no instance)"' "$TMP/r.json" ||
		{ echo "$run: the report does not say what cannot be checked:"; cat "$TMP/said"; bad=1; }
	[ $run = second ] || grep -q ': drop: not checkable' "$TMP/err" || { echo "$run: not looked at"; bad=1; }
done
exit $bad
