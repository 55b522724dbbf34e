# For cases on the target whose times are written down: sourced, it makes a small graph, and a script's name, in $TMP.
[ -e "$B/stand-in/scripted.so" ] || { echo "skipped: the scripted target was not built, make unit does"; exit 77; }
export TENON_TARGETS=$PWD/$B/stand-in SCRIPT=$TMP/script
cat >"$TMP/net.graph" <<'G'
(graph net
  (input x f32 [4 8])
  (weight a f32 [8 8] :seed 1)
  (weight b f32 [8 8] :seed 2)
  (let p (matmul x a))
  (let q (matmul x b))
  (output (relu (add p q)) "y"))
G
