#!/usr/bin/env bash
# tenon targets --selftest: every operator on the CPU target agrees with the reference executor, a wrong kernel is found,
# and an operator without one is counted.
set -e
fail() { echo "$1"; cat "$TMP/out"; exit 1; }

rc=0; "$TENON" targets --selftest nowhere >"$TMP/out" 2>&1 || rc=$?
[ $rc = 3 ] || fail "a target that is not there ends with status $rc"
rc=0; "$TENON" targets --selftest >"$TMP/out" 2>&1 || rc=$?
[ $rc = 2 ] || fail "no target ends with status $rc"
"$TENON" targets | grep -q '^cpu *cpu onednn-' || { echo "skipped: no CPU target was built"; exit 77; }

"$TENON" targets --selftest cpu --threads 1 >"$TMP/out" || fail "an operator differs"
head -1 "$TMP/out" | grep -q '^cpu onednn-.* 1-thread' || fail "the identity is not told"
[ "$(grep -c ' uses on cpu.*: equal$' "$TMP/out")" = "$(grep -c '^(op ' rules/tensor.rules)" ] || fail "not every operator is told"
grep -E '^[a-z]' "$TMP/out" | sed '1d;$d' | awk '$2 < 20 { bad = 1 } END { exit bad }' || fail "an operator ran fewer than 20 times"
tail -1 "$TMP/out" | grep -q ' 0 of them without a kernel, .* all equal the reference executor' || fail "the sum is not told"

# the draws are the seed's
"$TENON" targets --selftest cpu --threads 1 --seed 5 --uses 3 >"$TMP/a"
"$TENON" targets --selftest cpu --threads 1 --seed 5 --uses 3 | cmp - "$TMP/a"

# some of them
"$TENON" targets --selftest cpu --threads 1 --uses 1 --only 'reduce-*' --only neg >"$TMP/out"
grep -q '^5 operators, ' "$TMP/out" || fail "other operators were tested than those asked for"
rc=0; "$TENON" targets --selftest cpu --only nothing >"$TMP/out" 2>&1 || rc=$?
[ $rc = 2 ] && grep -q "^tenon: no operator's name matches 'nothing'" "$TMP/out" || fail "no operator ends with status $rc"

# The target knows another 'sub', which is not asked, and the same 'neg'; nobody has a kernel for 'twice'.
cat >"$TMP/own.rules" <<'R'
(op sub "The sum, by a wrong name." (in (a ..d) (b ..d)) (out ..d) (def (+ (a ..d) (b ..d))))
(op neg "Negation." (in (x ..d)) (out ..d) (def (neg (x ..d))))
(op twice "Twice." (in (x ..d)) (out ..d) (def (* 2 (x ..d))))
R
"$TENON" targets --selftest cpu --rules "$TMP/own.rules" >"$TMP/out" || fail "operators of one's own differ"
for line in '^sub  *0 uses on cpu, 320 on the host: equal$' '^neg  *20 uses on cpu: equal$' \
	'^twice  *0 uses on cpu, 320 on the host: equal$' '^3 operators, 2 of them without a kernel, .* all equal'; do
	grep -q "$line" "$TMP/out" || fail "not told: $line"
done

# a kernel that is wrong: the scripted target's compute nothing
[ -e "$B/stand-in/scripted.so" ] || { echo "skipped: the scripted target was not built, make unit does"; exit 77; }
cat >"$TMP/two.rules" <<'R'
(op neg "Negation." (in (x ..d)) (out ..d) (def (neg (x ..d))))
(op twice "Twice." (in (x ..d)) (out ..d) (def (* 2 (x ..d))))
R
echo 'twice 1' >"$TMP/script"
rc=0
TENON_TARGETS=$PWD/$B/stand-in SCRIPT=$TMP/script "$TENON" targets --selftest scripted --rules "$TMP/two.rules" >"$TMP/out" || rc=$?
[ $rc = 4 ] || fail "a wrong kernel ends with status $rc"
grep -q '^twice  *[0-9]* uses on scripted.*: y, element ' "$TMP/out" || fail "it is not said which operator differs, and where"
grep -q '(twice x' "$TMP/out" || fail "the use that differs is not printed"
grep -q '^neg  *0 uses on scripted, 320 on the host: equal$' "$TMP/out" || fail "what is right is not told"
tail -1 "$TMP/out" | grep -q '^2 operators, 1 of them without a kernel.*1 operators are wrong$' || fail "the sum is wrong"
