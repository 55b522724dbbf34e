#!/usr/bin/env bash
# What pkg-config gives to compile generated C with keeps every product rounded before it is added, as definitions say: no
# compiler makes one operation of both, though the machine has it.
set -u
case $(uname -m) in
x86_64) machine=-march=haswell fused='vfn?m(add|sub)' ;;
aarch64) machine=-march=armv8-a fused='fn?m(add|sub|la|ls)' ;;
*) echo "skipped: no machine whose assembler this knows"; exit 77 ;;
esac
flags=$(sed -n 's/^Cflags: -I[^ ]* *//p' tenon.pc.in)
"$TENONC" -I rules rules/tensor.rules -o "$TMP/ops.c" || exit 1
count() { ${CC:-cc} -O3 $machine "$@" -Iruntime/include -S -o - "$TMP/ops.c" | grep -cE "$fused"; }
# shellcheck disable=SC2086
[ "$(count $flags)" = 0 ] || { echo "with '$flags' products are not rounded"; exit 1; }
[ "$(count)" != 0 ] || { echo "without them they are, too"; exit 1; }
