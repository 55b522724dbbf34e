#!/usr/bin/env bash
# The rules that the README shows compile, and simplify the circuit that it names.
set -eu
sed -n '/^    (op not/,/^    (rule as-nand/s/^    //p' README.md >"$TMP/readme.rules"
[ "$(grep -c '^(' "$TMP/readme.rules")" = 7 ] || { echo "the README's rules are not where they were"; exit 1; }
"$TENONC" "$TMP/readme.rules" -o "$TMP/readme.c"
"$TENON" saturate --rules "$TMP/readme.rules" examples/custom-ops/circuit.terms >"$TMP/out"
grep -q '^saturated' "$TMP/out" || { cat "$TMP/out"; exit 1; }
