#!/usr/bin/env bash
# Tables of costs: what is measured decides, what is not is modelled and counted, and a wrong table is refused by line.
set -u
bad=0
note() { echo "$1"; bad=1; }
cat >"$TMP/m.graph" <<'GRAPH'
(graph m
  (input x f32 [n 4 6 6])
  (weight k f32 [4 4 1 1] :seed 1)
  (weight b f32 [4] :seed 2)
  (let y (conv2d x k b))
  (output (relu y) "z"))
GRAPH
head='tenon-costs 1\nidentity cpu own 1-thread\nmodel cpu 2\n'
attrs=':strides [1 1] :pads [0 0 0 0] :dilations [1 1] :groups 1'
conv="conv2d f32 [2 4 6 6] f32 [4 4 1 1] f32 [4] $attrs"
run() { "$TENON" optimize "$TMP/m.graph" -o "$TMP/o.graph" --at x=2,4,6,6 --only 'conv-act*' --costs "$@" >"$TMP/out" 2>&1; }

# the fused form was measured to be slow, so it is not taken; all three prices are known
printf "$head$conv :act none -> f32 [2 4 6 6]\t1000\t0.1\t100\n$conv :act relu -> f32 [2 4 6 6]\t9000\t0.1\t100\n" >"$TMP/slow"
printf 'relu f32 [2 4 6 6] -> f32 [2 4 6 6]\t500\t0\t1\n' >>"$TMP/slow"
run "$TMP/slow" || note "the table is refused: $(cat "$TMP/out")"
grep -q '^cost  *1.5 us  *1.5 us' "$TMP/out" || note "the measured costs do not add up: $(cat "$TMP/out")"
grep -q '2 operators measured, 0 modelled as cpu times 2' "$TMP/out" || note "measured prices are not counted"

# nothing measured: the model, twice
printf "$head" >"$TMP/empty"
run "$TMP/empty" -v || note "the empty table is refused"
grep -q '0 operators measured, 1 modelled' "$TMP/out" || note "modelled prices are not counted"
# what -v says is missing is a line's signature
missing=$(sed -n 's/^not measured *//p' "$TMP/out")
[ "$missing" = "$conv :act relu -> f32 [2 4 6 6]" ] || note "the missing signature reads '$missing'"

# what must not be chosen has no price in microseconds, nor a share of one
never=1000000000000000
printf "${head}abs f32 [9] -> f32 [9]\t1000\t0\t9\nexp f32 [9] -> f32 [9]\t$never\t0\t1\nneg f32 [9] -> f32 [9]\t2000\t0\t9\n" >"$TMP/a.costs"
printf "${head}abs f32 [9] -> f32 [9]\t$never\t0\t1\nneg f32 [9] -> f32 [9]\t3000\t0\t9\n" >"$TMP/b.costs"
if "$TENON" costs diff "$TMP/a.costs" "$TMP/b.costs" >"$TMP/out"; then note "other costs are no difference"; fi
cat >"$TMP/want" <<'DIFF'
         1.000 us ->           never  abs f32 [9] -> f32 [9]
-           never  exp f32 [9] -> f32 [9]
         2.000 us ->        3.000 us (+50 %)  neg f32 [9] -> f32 [9]
3 operators, 2 with another cost, 1 in one table alone
DIFF
diff "$TMP/want" "$TMP/out" || note "never is told as a price"

# a model that has it, and nothing in its stead, keeps it
printf "${head}softmax f32 [1 8 40 40] :axis 3 -> f32 [1 8 40 40]\t$never\t0\t1\n" >"$TMP/softmax.costs"
echo '(graph g (input x f32 [1 8 40 40]) (output (softmax x :axis 3) "y"))' >"$TMP/softmax.graph"
"$TENON" optimize "$TMP/softmax.graph" --costs "$TMP/softmax.costs" -o "$TMP/softmax.out" >"$TMP/out" 2>&1 ||
	note "what must not be chosen, and has to be, ends with status $?: $(tail -1 "$TMP/out")"
grep -q '0 operators measured, 1 modelled' "$TMP/out" || note "what must not be chosen counts as measured"

refused() {
	printf "$2" >"$TMP/bad"
	if run "$TMP/bad" ${3:-}; then note "taken: $1"; fi
	grep -qF "$1" "$TMP/out" || note "wanted '$1', found '$(cat "$TMP/out")'"
}
refused "bad:1: this is no table of costs" 'costs 1\n'
refused "bad:1: this is no table of costs" ''
refused "bad:2: 'identity TARGET" 'tenon-costs 1\n'
refused "bad:2: these costs are of 'cpu own 1-thread', not of target 't4'" "$head" --target=t4
refused "bad:3: 'model DEVICE SCALE'" 'tenon-costs 1\nidentity cpu\nmodel cpu\n'
refused "bad:3: the scale" 'tenon-costs 1\nidentity cpu\nmodel cpu nought\n'
refused "no device is called 'abacus'" 'tenon-costs 1\nidentity cpu\nmodel abacus 1\n'
refused "bad:4: a line is: signature" "${head}relu\t5\n"
refused "bad:4: a line is: signature" "${head}relu\t5\t0\t1\t2\n"
refused "bad:5: nanoseconds are" "${head}a\t5\t0\t1\nb\t-5\t0\t1\n"
refused "bad:4: the spread" "${head}a\t5\tinf\t1\n"
refused "bad:4: samples are" "${head}a\t5\t0\t0\n"
refused "bad:5: signatures must stand in order" "${head}b\t5\t0\t1\na\t5\t0\t1\n"
refused "bad:5: signatures must stand in order" "${head}a\t5\t0\t1\na\t5\t0\t1\n"
refused "bad: this is no text" "${head}a\\000\t5\t0\t1\n"
timeout 60 "$TENON" costs show /dev/zero >"$TMP/out" 2>&1
[ $? = 1 ] && grep -q '^tenon: /dev/zero: this is no text$' "$TMP/out" || note "a device without an end: $(cat "$TMP/out")"
run "$TMP/not-there" && note "a table that is not there is taken"
exit $bad
