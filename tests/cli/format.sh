#!/usr/bin/env bash
# Canonical text means what the file meant: --format changes lines, not rules; twice is once.
set -u
bad=0
for file in rules/*.rules; do
	name=$TMP/$(basename "$file")
	"$TENONC" --format "$file" >"$name" || { echo "$file has no canonical text"; bad=1; continue; }
	"$TENONC" --format "$name" | cmp - "$name" || bad=1
	"$TENONC" -I rules -d typed "$file" | sed 's/  [^ ]*:[0-9]*//' >"$TMP/before"
	"$TENONC" -I rules -d typed "$name" | sed 's/  [^ ]*:[0-9]*//' >"$TMP/after"
	[ -s "$TMP/before" ] || { echo "$file is not typed"; bad=1; }
	cmp "$TMP/before" "$TMP/after" || bad=1
done

printf '(op f)  ; a comment\n)\n' >"$TMP/wrong.rules"
"$TENONC" --format "$TMP/wrong.rules" >"$TMP/out" 2>"$TMP/err"
[ $? = 1 ] && [ ! -s "$TMP/out" ] && grep -q '\[unopened\]' "$TMP/err" || { echo "a file that cannot be read was formatted"; bad=1; }
exit $bad
