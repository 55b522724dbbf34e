#!/usr/bin/env bash
# Two builds in two folders give the same bytes: the libraries, the programs, the generated code, optimizers.
set -eu
copy() {
	mkdir -p "$1"
	tar cf - --exclude=./build --exclude=./.git --exclude=node_modules . | tar xf - -C "$1"
}
copy "$TMP/one" && copy "$TMP/some/where/else"
for dir in "$TMP/one" "$TMP/some/where/else"; do
	make -s -C "$dir" BUILD=release all >"$TMP/log" 2>&1 || { tail -20 "$TMP/log"; exit 1; }
	make -s -C "$dir" BUILD=release optimizer TARGET=dsp COSTS=examples/custom-ops/signal.costs RULES=examples/custom-ops/signal.rules \
		>"$TMP/log" 2>&1 || { tail -20 "$TMP/log"; exit 1; }
done
for file in obj/builtin.c libtenon.so libtenon.a tenonc tenon optimizer-dsp.c optimizer-dsp; do
	cmp "$TMP/one/build/$file" "$TMP/some/where/else/build/$file"
done
