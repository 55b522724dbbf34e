#!/usr/bin/env bash
# Files that are no rule files, or of absurd sizes, get one message and a status, never a crash.
set -u
bad=0

# expect STATUS TEXT FILE
expect() {
	timeout 60 "$TENONC" "$3" -o /dev/null >"$TMP/out" 2>"$TMP/err"
	local rc=$?
	[ $rc = "$1" ] || { echo "$3: status $rc, not $1"; head -c 1000 "$TMP/err"; bad=1; }
	grep -q -e "$2" "$TMP/err" || { echo "$3: no '$2' in"; head -c 1000 "$TMP/err"; bad=1; }
	[ "$(wc -c <"$TMP/err")" -lt 20000 ] || { echo "$3: $(wc -c <"$TMP/err") bytes of messages"; bad=1; }
}

mkdir "$TMP/folder.rules"
expect 2 'tenonc: .*folder.rules: Is a directory' "$TMP/folder.rules"
expect 2 'tenonc: .*absent.rules: No such file' "$TMP/absent.rules"
if [ "$(id -u)" != 0 ]; then
	echo >"$TMP/secret.rules" && chmod 0 "$TMP/secret.rules"
	expect 2 'tenonc: .*secret.rules: Permission denied' "$TMP/secret.rules"
fi

printf '(op f (in (x ..d)) (out ..d))\n(op g\0 (in (x ..d)) (out ..d))\n' >"$TMP/nul.rules"
expect 1 'nul.rules:2:6: error: byte 0x00.*\[bad-byte\]' "$TMP/nul.rules"

head -c 100000000 /dev/zero | tr '\0' a >"$TMP/line.rules"
expect 1 'line.rules:1:1: error: .*\[too-large\]' "$TMP/line.rules"

head -c 200000 /dev/zero | tr '\0' '(' >"$TMP/deep.rules"
expect 1 'deep.rules:1:257: error: .*\[too-deep\]' "$TMP/deep.rules"

head -c 1000000 /dev/zero | tr '\0' '}' >"$TMP/run.rules"
expect 1 '\[bad-byte\]' "$TMP/run.rules"

# twenty messages, then a count
for i in $(seq 50); do echo "(opp f$i)"; done >"$TMP/many.rules"
expect 1 '^30 more errors$' "$TMP/many.rules"
[ "$(grep -c ': error: ' "$TMP/err")" = 20 ] || { echo "not 20 errors"; bad=1; }

# functions that nest each other too deep, and lists that are too long
{
	echo '(fn f0 (v) (neg v))'
	for i in $(seq 700); do echo "(fn f$i (v) (f$((i - 1)) v))"; done
} >"$TMP/fn.rules"
expect 1 '\[too-deep\]' "$TMP/fn.rules"
{ echo '(enum e'; seq -f 'v%.0f' 20000; echo ')'; } >"$TMP/long.rules"
expect 1 '\[too-large\]' "$TMP/long.rules"

{ printf '(op f "'; head -c 5000 /dev/zero | tr '\0' a; echo '" (in (x ..d)) (out ..d))'; } >"$TMP/doc.rules"
expect 1 'doc.rules:1:7: error: .* in one string \[too-large\]' "$TMP/doc.rules"

# more variables, arrows, rules than numbers of 8 and 16 bits tell apart
{
	echo '(op f' && seq -f '(attr a%.0f int)' 60 && echo '(in (x ..d)) (out ..d)) (op g (in (x ..d)) (out ..d)) (rule r'
	awk 'BEGIN { for (i = 0; i < 200; i++) { print "(=> (f ?x"; for (k = 1; k <= 60; k++) print ":a" k, "$v" i "-" k; print ") (g ?x))" } print ")" }'
} >"$TMP/names.rules"
expect 1 '\[too-large\]' "$TMP/names.rules"
{
	echo '(op f (in (x ..d)) (out ..d)) (op g (in (x ..d)) (out ..d)) (rule r'
	for i in $(seq 256); do echo "(=> (f ?x$i) (g ?x$i))"; done
	echo ')'
} >"$TMP/arrows.rules"
expect 1 'a rule has at most 255 arrows \[too-large\]' "$TMP/arrows.rules"
# a long rule many times
{
	for i in $(seq 1000); do echo "(op f$i (in (x ..d)) (out ..d))"; done
	echo '(rule r (for f (' && seq -f 'f%.0f' 1000 && echo ')) (=> (f (f1 ?x)) (f ?x)) (when (= (shape ?x) ['
	seq 2000 && echo '])))'
} >"$TMP/for.rules"
expect 1 '\[too-large\]' "$TMP/for.rules"

# a pipe is read like a file
printf '(op f (in (x ..d)) (out ..e))\n' | timeout 60 "$TENONC" /dev/stdin -o /dev/null >"$TMP/out" 2>"$TMP/err"
grep -q '^/dev/stdin:1:25: error: .*\[unknown-name\]$' "$TMP/err" || { cat "$TMP/err"; bad=1; }
exit $bad
