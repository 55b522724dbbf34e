#!/usr/bin/env bash
# Operators that use the definition language in unusual ways compute compiled what they do walked.
set -eu
"$TENONC" --name odd tests/cli/odd-ops.rules -o "$TMP/odd.c"
${CC:-cc} -std=c11 -O1 -fPIC -shared -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Werror \
	-Iruntime/include "$TMP/odd.c" -o "$TMP/odd.so"
"$B/tests/shape_random" "$TMP/odd.so" tn_odd
"$B/tests/eval_random" "$TMP/odd.so" tn_odd
