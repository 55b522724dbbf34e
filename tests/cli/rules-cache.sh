#!/usr/bin/env bash
# Rules are compiled once for one content: kept, loaded without a compiler, compiled anew when they,
# or a file that they include, change; two runs at once do not disturb each other.
set -u
bad=0
fail() { echo "$*"; bad=1; }
export XDG_CACHE_HOME=$TMP/cache
unset CC
mkdir "$TMP/cache"
printf '(op neg (in (x)) (out))\n' >"$TMP/ops.rules"
printf '(include "ops.rules")\n(rule twice (=> (neg (neg ?x)) ?x))\n' >"$TMP/my.rules"
list() { "$TENON" rules --rules "$TMP/my.rules" 2>&1; }
objects() { find "$TMP/cache/tenon" -name '*.so' | wc -l; }

list >"$TMP/one" & list >"$TMP/two" & wait
for run in one two; do grep -q ' twice ' "$TMP/$run" || fail "two runs at once: $(cat "$TMP/$run")"; done
[ "$(find "$TMP/cache/tenon" -type f | wc -l)" = 1 ] || fail "left behind: $(ls "$TMP/cache/tenon")"
PATH=/nonexistent list | grep -q ' twice ' || fail "not loaded from the cache"

printf '(op neg "Minus." (in (x)) (out))\n' >"$TMP/ops.rules"
PATH=/nonexistent list >"$TMP/out"
grep -q 'C compiler' "$TMP/out" || fail "an included file changed, and the old object was taken"
PATH=/nonexistent "$TENON" rules --rules "$TMP/my.rules" >/dev/null 2>&1
[ $? = 3 ] || fail "no compiler, and not status 3"
list | grep -q ' twice ' || fail "not compiled anew"
[ "$(objects)" = 2 ] || fail "$(objects) objects, not 2"

# what is not whole, or another file's, is compiled anew
for object in "$TMP"/cache/tenon/*.so; do truncate -s 3000 "$object"; done
list | grep -q ' twice ' || fail "half an object: $(list)"
for object in "$TMP"/cache/tenon/*.so; do echo junk >"$object"; done
list | grep -q ' twice ' || fail "no object: $(list)"
printf '(op neg (in (x)) (out))\n(rule other (=> (neg (neg (neg ?x))) (neg ?x)))\n' >"$TMP/other.rules"
"$TENON" rules --rules "$TMP/other.rules" | grep -q ' other ' || fail "other rules"
other=$(ls -t "$TMP"/cache/tenon/*.so | head -1)
for object in "$TMP"/cache/tenon/*.so; do [ "$object" = "$other" ] || cp "$other" "$object"; done
list | grep -q ' twice ' || fail "another file's object: $(list)"
rm "$other"

CC='cc -fno-such-option' list >"$TMP/out"
grep -q 'refuses' "$TMP/out" || fail "a compiler that fails: $(cat "$TMP/out")"
[ "$(find "$TMP/cache/tenon" -type f | wc -l)" = 2 ] || fail "left behind by a compiler that fails: $(ls "$TMP/cache/tenon")"
printf '(rule broken (=> (neg ?x) ?y))\n' >>"$TMP/my.rules"
"$TENON" rules --rules "$TMP/my.rules" >/dev/null 2>"$TMP/err"
[ $? = 1 ] || fail "wrong rules, and not status 1"
grep -q 'my.rules:3:.*unbound' "$TMP/err" || fail "wrong rules: $(cat "$TMP/err")"
exit $bad
