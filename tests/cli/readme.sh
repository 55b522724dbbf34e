#!/usr/bin/env bash
# The rules that the README shows compile, and simplify the circuit that it names.
set -eu
sed -n '/^    (op not/,/^    (rule as-nand/s/^    //p' README.md >"$TMP/readme.rules"
[ "$(grep -c '^(' "$TMP/readme.rules")" = 7 ] || { echo "the README's rules are not where they were"; exit 1; }
"$TENONC" "$TMP/readme.rules" -o "$TMP/readme.c"
"$TENON" saturate --rules "$TMP/readme.rules" examples/custom-ops/circuit.terms >"$TMP/out"
grep -q '^saturated' "$TMP/out" || { cat "$TMP/out"; exit 1; }

# the other commands that it shows, in order; the one with rules of one's own waits for a compiler, and is tested elsewhere
mkdir "$TMP/work" && ln -s "$PWD/rules" "$TMP/work/rules"
printf '(graph g (input x f32 [1 3 h w]) (output (relu (mul x 1)) y))\n' >"$TMP/model.graph"
"$TENON" optimize "$TMP/model.graph" -o "$TMP/work/model.onnx" --no-rules >/dev/null
folder=$PWD n=0
while read -r command; do
	n=$((n + 1))
	case $command in
	*my.rules*) continue ;;
	*cpu*) "$TENON" targets cpu >/dev/null 2>&1 || continue ;;	# nothing to measure
	esac
	case $command in *examples/*) cd "$folder" ;; *) cd "$TMP/work" ;; esac
	command=${command//build\/tenonc/$TENONC -I $folder/rules}
	command=${command//-o boolean.c/-o $TMP/work/boolean.c}
	bash -c "${command//build\/tenon /$TENON }" >"$TMP/out" 2>&1 || { echo "$command: status $?"; cat "$TMP/out"; exit 1; }
done < <(sed -n 's/^    \(build\/tenon.*\)$/\1/p' "$folder/README.md")
[ $n -ge 8 ] || { echo "only $n commands in the README"; exit 1; }
