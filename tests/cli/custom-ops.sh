#!/usr/bin/env bash
# examples/custom-ops: operators of one's own, without definitions and with, are compiled, checked, priced and
# optimized with nothing written in C.
set -u
bad=0
fail() { echo "$*"; bad=1; }
own=examples/custom-ops

"$TENON" saturate --rules $own/boolean.rules $own/circuit.terms >"$TMP/out" || fail "boolean: status $?"
grep -q '^saturated' "$TMP/out" || { fail "boolean:"; cat "$TMP/out"; }

# Its prices are those that it states: two nots and an or for 4, a nand for 1.
printf '(graph "circuit" (input a f32 []) (input b f32 []) (output (or (not a) (not b)) y))\n' >"$TMP/circuit.graph"
"$TENON" optimize "$TMP/circuit.graph" --rules $own/boolean.rules --no-verify -o "$TMP/nand.graph" \
	--json "$TMP/out.json" >"$TMP/out" 2>&1 || { fail "circuit: status $?"; cat "$TMP/out"; }
grep -q '"cost_ns": {"before": 4, "after": 1}' "$TMP/out.json" || { fail "circuit, priced:"; cat "$TMP/out"; }
grep -q '(nand a b)' "$TMP/nand.graph" || { fail "circuit, optimized:"; cat "$TMP/nand.graph"; }

# Without definitions there are no values to compare, and nothing is written unless that is asked for.
"$TENON" optimize "$TMP/circuit.graph" --rules $own/boolean.rules -o "$TMP/none.graph" >/dev/null 2>"$TMP/err"
[ $? = 1 ] && [ ! -e "$TMP/none.graph" ] && grep -q 'has no def, so its values.*--no-verify' "$TMP/err" || { fail "no definition:"; cat "$TMP/err"; }

"$TENON" verify $own/signal.rules >"$TMP/out" || fail "signal: verify ends with $?"
grep -q '^4 rules: 4 hold ' "$TMP/out" || { fail "signal, verified:"; cat "$TMP/out"; }
for name in boolean signal; do
	"$TENONC" -Werror $own/$name.rules -o "$TMP/$name.c" || fail "$name: tenonc ends with $?"
done

# The gains go into the taps and are folded, and the two filters are one.
"$TENON" optimize $own/signal.graph --rules $own/signal.rules --target dsp -o "$TMP/out.graph" --json "$TMP/out.json" \
	>"$TMP/out" || { fail "signal: status $?"; cat "$TMP/out"; }
grep -q '"operators": {"before": 6, "after": 1}' "$TMP/out.json" || { fail "signal, optimized:"; cat "$TMP/out"; }
grep -q '"result": "equal"' "$TMP/out.json" || { fail "signal: values"; cat "$TMP/out"; }
exit $bad
