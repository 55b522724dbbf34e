#!/usr/bin/env bash
# What a table predicts of a run is what runs: operators, reorders as the transposes that they are, nothing for what is made up.
set -u
bad=0
note() { echo "$1"; cat "$TMP/said"; bad=1; }
# shellcheck source=tests/stand-in/scripted.sh
. tests/stand-in/scripted.sh
says() { grep -q -- "$1" "$TMP/said" || note "it does not say: $1"; }
cat >"$TMP/image.graph" <<'G'
(graph image
  (input x f32 [2 3 6 7])
  (weight k f32 [8 3 3 3] :seed 1)
  (let a (relu (conv2d x k)))
  (let o (opaque a 11 "Resize 1"))
  (output (add (result o 0 f32 [2 8 4 5]) a) "y"))
G
printf 'conv2d 700\nrelu 50\nadd 60\ntranspose 40\n!reorder 40\n!images 1\n!copy 5000\n' >"$TMP/script"
"$TENON" profile --target scripted --original -o "$TMP/t.costs" "$TMP/image.graph" >"$TMP/said" 2>&1 || note "status $?"
grep '^transpose' "$TMP/t.costs" >"$TMP/said"
cat >"$TMP/want" <<'T'
transpose f32 [2 20 8] :perm [0 2 1] -> f32 [2 8 20]	40	0	100
transpose f32 [2 3 42] :perm [0 2 1] -> f32 [2 42 3]	40	0	100
transpose f32 [2 8 20] :perm [0 2 1] -> f32 [2 20 8]	40	0	100
T
diff "$TMP/want" "$TMP/said" || note "reorders are not measured as transposes"
"$TENON" run --target scripted "$TMP/image.graph" --bench 3 --costs "$TMP/t.costs" >"$TMP/said" 2>&1 || note "status $?"
says '0.700 us .* predicted *0.700 us (  +0 %)  1 conv2d$'
says '0.120 us .* predicted *0.120 us (  +0 %)  3 reorder$'
says '0.930 us  steps *predicted *0.930 us (  +0 %)  all of a run$'
says '0.930 us  a run *predicted *0.930 us (  +0 %), from 6 operators measured and 0 modelled'
grep ' 1 Resize$' "$TMP/said" | grep -q '^ *0.000 us' || note "what is made up takes time"
grep ' 1 Resize$' "$TMP/said" | grep -q predicted && note "what is made up is predicted"
# a table that knows no reorders predicts them as it models them
grep -v ^transpose "$TMP/t.costs" >"$TMP/less.costs"
"$TENON" run --target scripted "$TMP/image.graph" --bench 3 --costs "$TMP/less.costs" >"$TMP/said" 2>&1 || note "status $?"
says 'from 3 operators measured and 3 modelled'
exit $bad
