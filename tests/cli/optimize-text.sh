#!/usr/bin/env bash
# Without rules a graph comes out as it was read, twins and all; an operator on numbers alone has a price too.
set -eu
cat >"$TMP/twins.graph" <<'G'
(graph "twins"
  (input x f32 [n 4])
  (let a (abs x))
  (let b (abs x))
  (output (add a (exp b)) "y"))
G
"$TENON" optimize "$TMP/twins.graph" --no-rules -o "$TMP/same.graph" >"$TMP/out"
[ "$(grep -c '(abs x)' "$TMP/same.graph")" = 2 ] || { cat "$TMP/same.graph"; exit 1; }
"$TENON" optimize "$TMP/twins.graph" -o "$TMP/one.graph" >"$TMP/out"
[ "$(grep -c '(abs x)' "$TMP/one.graph")" = 1 ] || { cat "$TMP/one.graph"; exit 1; }

# the width of a product that is all one number follows from no other operand
cat >"$TMP/one.graph" <<'G'
(graph "one"
  (input x f32 [n 4 1])
  (weight w f32 [1 1] :data [0.5])
  (output (matmul x w) "y"))
G
"$TENON" optimize "$TMP/one.graph" -o "$TMP/out.graph" >"$TMP/out"
grep -q '^operators *1 *1' "$TMP/out" || { cat "$TMP/out"; exit 1; }

# what was read is what is written, though the model came from a pipe, which can be read but once
mkfifo "$TMP/pipe.graph"
cat "$TMP/twins.graph" >"$TMP/pipe.graph" &
timeout 60 "$TENON" optimize "$TMP/pipe.graph" --no-rules -o "$TMP/out.graph" >"$TMP/out" || { cat "$TMP/out"; echo "a pipe is no model"; exit 1; }
wait
cmp "$TMP/twins.graph" "$TMP/out.graph"
