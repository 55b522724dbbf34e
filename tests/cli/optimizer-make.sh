#!/usr/bin/env bash
# make optimizer TARGET=NAME: with a table that is given, or one that it measures; rules that do not hold and costs of
# another target end it in words.
set -u
bad=0
fail() { echo "$*"; bad=1; }
[ "$BUILD" != asan ] || { echo "skipped: a sanitizer's build has a compiler of its own"; exit 77; }
own=examples/custom-ops
build() { MAKEFLAGS='' make -s BUILD="$BUILD" OPTIMIZER="$TMP/opt" "$@" optimizer >"$TMP/log" 2>&1; }

build TARGET=dsp COSTS=$own/signal.costs RULES=$own/signal.rules || { fail "dsp:"; cat "$TMP/log"; }
"$TMP/opt" --version | grep -q '^costs *7 measured on dsp board-1' || fail "the table is not in it"
rm -f "$TMP/opt"

build && fail "without a target it makes something"
grep -q 'say TARGET=NAME' "$TMP/log" || fail "without a target: $(cat "$TMP/log")"
build TARGET=cuda COSTS=$own/signal.costs RULES=$own/signal.rules && fail "costs of another target are taken"
grep -q "these costs are of 'dsp .* not of target 'cuda'" "$TMP/log" || fail "another target: $(cat "$TMP/log")"
build TARGET=abacus RULES=$own/signal.rules && fail "a target that is neither here nor modelled is taken"
grep -q "there is no target 'abacus' here" "$TMP/log" && grep -q "describe no device 'abacus'" "$TMP/log" || fail "no target: $(cat "$TMP/log")"
build TARGET=abacus && fail "a target that is neither here nor modelled is taken with the standard rules"
grep -q "no device is called 'abacus': there are t4" "$TMP/log" || fail "no device: $(cat "$TMP/log")"
printf '(op twice (in (x n)) (out n) (def (* 2 (x n))))\n(rule wrong (=> (twice ?x) ?x))\n' >"$TMP/wrong.rules"
build TARGET=t4 RULES="$TMP/wrong.rules" && fail "a rule that does not hold is taken"
grep -q 'wrong: refuted' "$TMP/log" || fail "a wrong rule: $(cat "$TMP/log")"
[ ! -e "$TMP/opt" ] || fail "what was refused is there all the same"

# measured on the way
"$TENON" targets cpu >/dev/null 2>&1 || exit $bad
printf '(include "tensor.rules")\n(rule relu-relu (=> (relu (relu ?x)) (relu ?x)))\n(target cpu (launch-ns 100) (peak-gflops 50) (bandwidth-gbs 10))\n' \
	>"$TMP/small.rules"
printf '(graph net (input x f32 [1 8 20 20]) (output (relu (relu (mul x 0.5))) y))\n' >"$TMP/net.graph"
build TARGET=cpu RULES="$TMP/small.rules" MODELS="$TMP/net.graph" || { fail "cpu:"; cat "$TMP/log"; }
"$TMP/opt" --version | grep -q '^costs *2 measured on cpu onednn-' || fail "what was measured is not in it"
"$TMP/opt" "$TMP/net.graph" --finalists 1 -o "$TMP/out.graph" >"$TMP/out" || fail "it does not run"
grep -q '^prices *2 operators measured, 0 modelled' "$TMP/out" || { fail "prices are not the table's"; cat "$TMP/out"; }
rm -f "$TMP"/opt*
build TARGET=cpu THREADS=2 RULES="$TMP/small.rules" MODELS="$TMP/net.graph" || { fail "on two threads:"; cat "$TMP/log"; }
"$TMP/opt" --version | grep -q '^costs *2 measured on cpu onednn-.* 2-thread' || fail "it is not two threads that were measured"
"$TMP/opt" "$TMP/net.graph" --threads 2 -o "$TMP/out.graph" | grep -q '^finalists .* on cpu onednn-.* 2-thread' || fail "no finalists run on two threads"
exit $bad
