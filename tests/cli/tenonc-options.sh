#!/usr/bin/env bash
# tenonc's help and its manual name the same options; wrong use ends with status 2 and says how it is.
set -u
bad=0
fail() { echo "$*"; bad=1; }
"$TENONC" --help >"$TMP/help" || fail "--help fails"
help=$(sed -n 's/^  \(-[^ ]*\).*/\1/p' "$TMP/help" | sed 's/,$//; s/SLUG$//' | sort)
page=$(sed -n '/^\.Sh DESCRIPTION/,/^\.Sh EXIT/s/^\.It Fl \([^ ]*\).*/-\1/p' man/tenonc.1 | sort)
[ "$help" = "$page" ] || { fail "options differ:"; diff <(echo "$help") <(echo "$page"); }
for phase in ast typed plan tree; do grep -q "^\.It Cm $phase" man/tenonc.1 || fail "tenonc.1 does not explain -d $phase"; done

usage() {
	"$TENONC" "$@" >/dev/null 2>"$TMP/err"
	[ $? = 2 ] || fail "tenonc $*: not status 2"
	grep -q '^tenonc: ' "$TMP/err" || fail "tenonc $*: says $(cat "$TMP/err")"
}
usage
usage --no-such-option tests/gen/lists.rules
usage -Wno-such-warning tests/gen/lists.rules
usage tests/gen/lists.rules
usage tests/gen/lists.rules -o
usage -d nonsense tests/gen/lists.rules
usage "$TMP/no-such-file.rules" -o "$TMP/out.c"
usage "$TMP" -o "$TMP/out.c"
usage --name 'two words' tests/gen/lists.rules -o "$TMP/out.c"
usage --name '' tests/gen/lists.rules -o "$TMP/out.c"

# what cannot be written is said
for phase in '-d ast' '-d typed' '-d plan' '-d tree' --format; do
	# shellcheck disable=SC2086 # an option and its value
	"$TENONC" $phase tests/gen/lists.rules 2>"$TMP/err" >/dev/full
	[ $? = 2 ] && grep -q '^tenonc: standard output: ' "$TMP/err" || fail "tenonc $phase does not notice a full device"
done

printf '(op f (in (x)) (out))\n(rule r (=> (f (f ?x)) (f ?x)) (let $m 1))\n' >"$TMP/warn.rules"
"$TENONC" "$TMP/warn.rules" -o "$TMP/out.c" 2>"$TMP/err" || fail "a warning, and a failure"
slug=$(sed -n 's/.*\[\(.*\)\]$/\1/p' "$TMP/err" | head -1)
[ -n "$slug" ] || fail "no warning: $(cat "$TMP/err")"
"$TENONC" -Wno-"$slug" "$TMP/warn.rules" -o "$TMP/out.c" 2>"$TMP/err" && [ ! -s "$TMP/err" ] || fail "-Wno-$slug: $(cat "$TMP/err")"
"$TENONC" -Werror "$TMP/warn.rules" -o "$TMP/never.c" 2>/dev/null
[ $? = 1 ] && [ ! -e "$TMP/never.c" ] || fail "-Werror: not status 1, or an output"
exit $bad
