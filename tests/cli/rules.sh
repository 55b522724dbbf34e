#!/usr/bin/env bash
# The list of the standard rules: each with its family, the place where it is written, and its author's words;
# --only, --disable and --enable choose among them.
set -u
bad=0
fail() { echo "$*"; bad=1; }

"$TENON" rules >"$TMP/list" || fail "tenon rules: status $?"
# A rule without a word of why is followed by the next one.
awk '/^[a-z]/ { if (name) { print name ": no doc"; bad = 1 } name = $2; n++; next }
	/^ +[^ ]/ { name = ""; next }
	END { if (name || !n) { print name ": no doc"; bad = 1 } exit bad }' "$TMP/list" || bad=1

while read -r family name place; do
	name=${name%%/*}
	sed -n "${place##*:}p" "${place%:*}" 2>/dev/null | grep -qxF -e "(rule ${name%"~back"}" || fail "$name: not at $place"
	[ "$place" = "rules/$family.rules:${place##*:}" ] || fail "$name: of family $family, and in $place"
done < <(awk '/^[a-z]/ { print $1, $2, $3 }' "$TMP/list")
for file in $(cat rules/standard); do
	for name in $(sed -n 's/^(rule \([^ ]*\).*/\1/p' "rules/$file"); do
		grep -q "^[a-z]* *${name}[ /]" "$TMP/list" || fail "$name of $file is not listed"
	done
done

on() { "$TENON" rules "$@" | awk '/^[a-z]/ && !/\(off\)/ { printf "%s ", $2 }'; }
on=$(on --only 'gelu*')
[ "$on" = 'gelu-half-inside gelu-half-outside ' ] || fail "--only: $on"
on=$(on --only 'gelu*' --disable '*outside')
[ "$on" = 'gelu-half-inside ' ] || fail "--only and --disable: $on"
on=" $(on --disable max-zero)"
case $on in *' max-zero '*) fail "--disable left it on" ;; *' relu-is-clip '*) ;; *) fail "--disable took others" ;; esac
# the second shares nothing between its patterns: off unless it is asked for
printf '(op f (in (x)) (out))\n(rule twice (=> (f (f ?x)) ?x))\n(rule apart (=> (f ?x) ?y) (=> (f ?y) ?x))\n' >"$TMP/my.rules"
on=$(on --rules "$TMP/my.rules" 2>/dev/null)
[ "$on" = 'twice ' ] || fail "by default: $on"
on=$(on --rules "$TMP/my.rules" --enable 'ap*' 2>/dev/null)
[ "$on" = 'twice apart ' ] || fail "--enable: $on"
"$TENON" rules --disable 'none-of-*' >/dev/null 2>&1 && fail "a pattern that names no rule passes"
exit $bad
