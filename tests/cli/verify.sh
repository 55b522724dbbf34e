#!/usr/bin/env bash
# tenon verify: published forms that do not hold are refuted with a counter-example, repaired ones and the rules we ship hold.
set -u
bad=0

"$TENON" verify tests/unsound/published.rules >"$TMP/out"
[ $? = 1 ] || { echo "published.rules: exit status is not 1"; bad=1; }
for rule in $(sed -n 's/^(rule \([^ )]*\).*/\1/p' tests/unsound/published.rules); do
	grep -q ": $rule: refuted$" "$TMP/out" || { echo "$rule is not refuted"; bad=1; }
	grep -A20 ": $rule: refuted$" "$TMP/out" | grep -q '^    element \[.* on the left, .* on the right (' ||
		{ echo "$rule: no counter-example"; bad=1; }
done

"$TENON" verify -v tests/unsound/repaired.rules >"$TMP/out" || { echo "repaired.rules: exit status $?"; bad=1; }
for rule in $(sed -n 's/^(rule \([^ )]*\).*/\1/p' tests/unsound/repaired.rules); do
	grep -q ": $rule: holds on " "$TMP/out" || { echo "$rule does not hold:"; grep ": $rule:" "$TMP/out"; bad=1; }
done

# the published laws are a set of their own, beside the standard ones
"$TENON" verify --json "$TMP/out.json" $(ls rules/*.rules | grep -v published) >"$TMP/out" || { echo "the standard rules:"; cat "$TMP/out"; bad=1; }
"$TENON" verify rules/published.rules >"$TMP/out" || { echo "published.rules:"; cat "$TMP/out"; bad=1; }
"$TENON" verify --json "$TMP/one.json" rules/geometry.rules >/dev/null
"$TENON" verify --json "$TMP/again.json" rules/geometry.rules >/dev/null
cmp "$TMP/one.json" "$TMP/again.json" || { echo "two runs differ"; bad=1; }

"$TENONC" --check tests/unsound/published.rules >"$TMP/checked"
[ $? = 1 ] && grep -q ': gelu-silu-exp: refuted$' "$TMP/checked" || { echo "tenonc --check does not refute"; bad=1; }

# nothing to check it by, a guard that admits nothing, a file that is none
cat >"$TMP/odd.rules" <<'R'
(op mystery (in (x ..d)) (out ..d))
(op same (in (x ..d)) (out ..d) (def (x ..d)))
(rule unknown (=> (mystery (mystery ?x)) (mystery ?x)))
(rule never (=> (same ?x) ?x) (when (< (rank ?x) 0)))
R
"$TENON" verify -v "$TMP/odd.rules" >"$TMP/out"
[ $? = 1 ] || { echo "odd.rules: exit status is not 1"; bad=1; }
grep -q ': unknown: not checkable: ' "$TMP/out" || { echo "unknown: it is not said that it cannot be checked"; bad=1; }
grep -q ': never: no instance: ' "$TMP/out" || { echo "never: it is not said that it has no instance"; bad=1; }
"$TENON" verify "$TMP/none.rules" 2>/dev/null
[ $? = 2 ] || { echo "a missing file: exit status is not 2"; bad=1; }
exit $bad
