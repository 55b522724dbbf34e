#!/usr/bin/env bash
# Rules that tidy come first: in the one iteration that multi-pattern rules have, they find operators with their biases
# and activations taken along, however the model spells them.
set -eu

# products of one input, one with its bias beside it, one with it inside, all under relu
cat >"$TMP/m.graph" <<'END'
(graph linear
  (input x f32 [64 8192])
  (weight v f32 [8192 16] :seed 1) (weight p f32 [16] :seed 2)
  (weight w f32 [8192 16] :seed 3) (weight q f32 [16] :seed 4)
  (weight u f32 [8192 16] :seed 5) (weight r f32 [16] :seed 6)
  (let a (relu (add (matmul x v) (expand p :axes [1] :shape [64 16]))))
  (let b (relu (matmul x w q)))
  (let c (matmul x u r :act relu))
  (output a) (output b) (output c))
END
operators() { sed -n 's/^operators *[0-9]* *//p' "$TMP/out"; }

# one product, three slices
"$TENON" optimize "$TMP/m.graph" -o "$TMP/o.graph" --iterations 4 >"$TMP/out"
[ "$(operators)" = 4 ] || { cat "$TMP/out"; exit 1; }
grep -q '^values  *equal' "$TMP/out"

# a bias that is not taken along stays behind
"$TENON" optimize "$TMP/m.graph" -o "$TMP/p.graph" --iterations 4 --disable matmul-bias >"$TMP/out"
[ "$(operators)" -gt 4 ] || { cat "$TMP/out"; exit 1; }
