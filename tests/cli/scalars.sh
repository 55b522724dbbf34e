#!/usr/bin/env bash
# Factors leave for the weights that take them along, attention over channels is added to 1 where there is one number a
# channel, a 1x1 convolution behind a convolution goes into it; and a number everywhere is not free for an operator
# that needs it in memory.
set -u
bad=0
# NAME OPTIONS...: optimize NAME.graph
optimize() {
	local name=$1
	shift
	"$TENON" optimize "$TMP/$name.graph" -o "$TMP/o.graph" "$@" >"$TMP/out" 2>&1 || { echo "$name: status $?"; cat "$TMP/out"; bad=1; }
	grep -q '^values  *\(equal\|unchanged\)' "$TMP/out" || { echo "$name: values are not equal"; cat "$TMP/out"; bad=1; }
}
# NAME OPERATORS: those of the result, in order of their names
operators() {
	local is
	is=$(sed -n 's/^  (let [^ ]* (\([a-z0-9-]*\).*/\1/p;s/^  (output (\([a-z0-9-]*\).*/\1/p' "$TMP/o.graph" | sort | tr '\n' ' ')
	[ "$is" = "$2 " ] || { echo "$1: operators are $is"; cat "$TMP/o.graph"; bad=1; }
}

stays() { cmp -s "$TMP/$1.graph" "$TMP/o.graph" || { echo "$1: it did not stay"; cat "$TMP/o.graph"; bad=1; }; }

# x k, then 0.94 h(x k) - 0.85 times attention: the factor ends in the last kernel
cat >"$TMP/factor.graph" <<'G'
(graph factor
  (input x f32 [1 16 32 32])
  (weight j f32 [16 16 1 1] :seed 1)
  (weight k f32 [8 16 1 1] :seed 2)
  (let h (hard-swish (conv2d x j)))
  (let t (add (mul h 0.94) -0.85))
  (let s (expand (hard-sigmoid (reduce-mean h :axis 2 :count 2)) :axes [0 1 2 3] :shape [1 16 32 32]))
  (output (conv2d (mul t s) k) "y"))
G
optimize factor
operators factor 'add conv2d conv2d expand hard-sigmoid hard-swish mul reduce-mean'

# x s + x = x (s + 1)
cat >"$TMP/attention.graph" <<'G'
(graph attention
  (input x f32 [1 16 32 32])
  (let s (hard-sigmoid (reduce-mean x :axis 2 :count 2)))
  (output (add x (mul x (expand s :axes [0 1 2 3] :shape [1 16 32 32]))) "y"))
G
optimize attention
operators attention 'add expand hard-sigmoid mul reduce-mean'

# a 3x3 with stride and padding, then a 1x1 with a stride and an activation, both with biases; not if it has more channels
cat >"$TMP/behind.graph" <<'G'
(graph behind
  (input x f32 [1 3 17 16])
  (weight j f32 [8 3 3 3] :seed 1) (weight p f32 [8] :seed 2)
  (weight k f32 [4 8 1 1] :seed 3) (weight q f32 [4] :seed 4)
  (let a (conv2d x j p :strides [2 1] :pads [1 0 1 2]))
  (output (conv2d a k q :strides [1 2] :act relu) "y"))
G
optimize behind --max-growth 1000
operators behind conv2d
sed -i 's/k f32 \[4 8/k f32 [16 8/;s/q f32 \[4\]/q f32 [16]/' "$TMP/behind.graph"
optimize behind --max-growth 1000
stays behind

# a shift before a padded convolution with a stride is one channel of one image apart, if that is less to read; it is
# computed for each size anew, so it is not free: a small image stays
cat >"$TMP/shift.graph" <<'G'
(graph shift
  (input x f32 [N 4 H W])
  (weight k f32 [4 1 3 3] :seed 1)
  (output (conv2d (add x 2.5) k :strides [2 2] :pads [1 1 1 1] :groups 4) "y"))
G
optimize shift --at x=1,4,640,640
operators shift 'add conv2d conv2d expand fill'
grep -q 'fill :value 2.5 :shape \[1 1 H W\]' "$TMP/o.graph" || { echo "shift: more than a channel"; cat "$TMP/o.graph"; bad=1; }
optimize shift --at x=1,4,64,64
stays shift
exit $bad
