#!/usr/bin/env bash
# --input: models that differ at one value only are found different on it; files give sizes; what does not fit is refused.
set -u
bad=0
note() { echo "$1"; bad=1; }
# equal but where x is above 40
printf '(graph a (input x f32 [n 3]) (input s i64 [1]) (output (clip x :min -inf :max 40) "z"))\n' >"$TMP/a.graph"
printf '(graph b (input x f32 [n 3]) (input s i64 [1]) (output (clip x :min -inf :max 50) "z"))\n' >"$TMP/b.graph"
compare() { "$TENON" compare "$TMP/a.graph" "$TMP/b.graph" "$@" >"$TMP/out" 2>&1; }
npy() { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($1), }" >"$2"; }

compare || note "random numbers do not reach 40: $(cat "$TMP/out")"
compare --input x=45
[ $? = 1 ] || note "45 shows the difference: $(cat "$TMP/out")"
compare --input x=30 --input s=7 || note "30 shows none: $(cat "$TMP/out")"
npy '2, 3' "$TMP/x.npy"
printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x34\x42' >>"$TMP/x.npy"	# five times 0, then 45
compare --input "x=$TMP/x.npy"
[ $? = 1 ] || note "the file's last element shows the difference: $(cat "$TMP/out")"
grep -q 'x \[2 3\]' "$TMP/out" || note "the file's shape is the size: $(cat "$TMP/out")"

refused() {
	local want=$1
	shift
	compare "$@"
	[ $? -ge 2 ] || grep -q '^tenon: ' "$TMP/out" || note "taken: $*"
	grep -qF -e "$want" "$TMP/out" || note "wanted '$want', found '$(cat "$TMP/out")'"
}
refused "no input of this name" --input y=1
refused "NAME=VALUE is wanted" --input x
refused "neither a number nor a .npy file" --input x=many
refused "given before" --input x=1 --input x=2
refused "its elements are i64, not 0.5" --input s=0.5
refused "another shape or type" --at x=4,3 --input "x=$TMP/x.npy"
refused "none.npy" --input "x=$TMP/none.npy"

# an optimizer that is given an input compares on it
cat >"$TMP/wrong.rules" <<'RULES'
(include "tensor.rules")
(include "targets.rules")
(rule below-forty (=> (min ?x 40) ?x))
RULES
printf '(graph m (input x f32 [n 3]) (output (relu (min x 40)) "z"))\n' >"$TMP/m.graph"
export XDG_CACHE_HOME=$TMP/cache
"$TENON" optimize "$TMP/m.graph" --rules "$TMP/wrong.rules" --unsafe-rules -o "$TMP/o.graph" >"$TMP/out" 2>&1 ||
	note "random numbers do not find the wrong rule: $(cat "$TMP/out")"
"$TENON" optimize "$TMP/m.graph" --rules "$TMP/wrong.rules" --unsafe-rules -o "$TMP/p.graph" --input x=45 >"$TMP/out" 2>&1
[ $? = 4 ] || note "45 finds the wrong rule: $(cat "$TMP/out")"
[ ! -e "$TMP/p.graph" ] || note "what computes other values was written"

# a number that no element of the input's type is
printf '(graph m (input x u8 [2]) (output (concat x x :axis 0) "y"))\n' >"$TMP/u8.graph"
for value in 300 -1 1.5 inf nan; do
	"$TENON" run "$TMP/u8.graph" --input x=$value >"$TMP/out" 2>&1
	[ $? = 1 ] && grep -q "elements are u8, not $value" "$TMP/out" || note "$value as u8: $(cat "$TMP/out")"
done

# files that are not of the input's type say what they hold, by the option's name; nothing is run
put() { printf "\x93NUMPY\x01\x00\x76\x00%-117s\n" "{'descr': '$2', 'fortran_order': False, 'shape': ($3), }" >"$1"; head -c "$4" /dev/zero >>"$1"; }
printf '(graph m (input x f32 [n 3]) (output (relu x) "y"))\n' >"$TMP/f.graph"
put "$TMP/right.npy" '<f4' '2, 3' 24
put "$TMP/wide.npy" '<f8' '2, 3' 48
put "$TMP/turned.npy" '<f4' '3, 2' 24
put "$TMP/flat.npy" '<f4' '6,' 24
put "$TMP/empty.npy" '<f4' '0, 3' 0
put "$TMP/short.npy" '<f4' '2, 3' 23
put "$TMP/text.npy" '<U1' '2, 3' 24
says() {
	"$TENON" compare "$TMP/f.graph" "$TMP/f.graph" --input "x=$TMP/$1.npy" >"$TMP/out" 2>&1
	[ $? = "$2" ] && grep -q -- "$3" "$TMP/out" || note "$1.npy, wanted '$3': $(cat "$TMP/out")"
}
says right 0 '^equal at x \[2 3\]$'
says wide 1 '^tenon: --input x: .*wide.npy holds f64, and the model wants f32$'
says turned 1 '^tenon: --input x: axis 1 of .*turned.npy is 2, and the model wants 3$'
says flat 1 '^tenon: --input x: .*flat.npy has 1 axes, and the model wants 2$'
says empty 1 '^tenon: --input x: axis 0 of .*empty.npy is empty$'
says short 1 '^tenon: .*short.npy: elements are missing$'
says text 1 '^tenon: .*text.npy: no .npy file of numbers'
for n in 0 -1 1000001 many 99999999999999999999; do
	"$TENON" run "$TMP/f.graph" --bench $n >"$TMP/out" 2>&1; [ $? = 2 ] && grep -q -- "--bench" "$TMP/out" || note "--bench $n: $(cat "$TMP/out")"
done
exit $bad
