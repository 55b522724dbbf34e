#!/usr/bin/env bash
# Generated code is what tests/gen holds, compiles without a warning, is the same each time, and its
# #line directives are true.  BLESS=1 rewrites what is expected.
set -u
bad=0
fail() { echo "$*"; bad=1; }
compilers=()
for cc in gcc clang; do command -v $cc >/dev/null && compilers+=("$cc"); done
[ ${#compilers[@]} -gt 0 ] || compilers=("${CC:-cc}")
flags=(-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -Iruntime/include -c -o "$TMP/out.o")

# generate NAME from rules: the text, without the version and the place of the output; what is kept in
# tests/gen is without the number of the ABI, too
generate() {
	"$TENONC" "$2" -o "$TMP/$1.c" --file-prefix-map "$TMP/=" && sed -i 's/tenonc [0-9][0-9.]*/tenonc VERSION/' "$TMP/$1.c"
}

for rules in tests/gen/*.rules; do
	name=$(basename "$rules" .rules)
	generate "$name" "$rules" >"$TMP/log" 2>&1 || { fail "$rules: not compiled"; cat "$TMP/log"; continue; }
	[ -s "$TMP/log" ] && { fail "$rules: has messages"; cat "$TMP/log"; }
	sed 's/\(TN_MATCH_ABI !=\|matcher ABI\) [0-9]*/\1 ABI/' "$TMP/$name.c" >"$TMP/kept.c"
	[ -n "${BLESS:-}" ] && cp "$TMP/kept.c" "tests/gen/$name.c"
	diff -u "tests/gen/$name.c" "$TMP/kept.c" || fail "$rules: other code"
	for cc in "${compilers[@]}"; do
		"$cc" "${flags[@]}" "$TMP/$name.c" || fail "$cc refuses what is made of $rules"
		printf '#include "%s.h"\nint nrule(void);\nint nrule(void)\n{\n\treturn tn_program.nrule;\n}\n' "$name" >"$TMP/user.c"
		"$cc" "${flags[@]}" -I"$TMP" "$TMP/user.c" || fail "$cc refuses the header of $rules"
	done
done

# all that ships, too; without #line there is none
shipped=()
for file in rules/*.rules; do
	case $file in *unrelated*) ;; *) shipped+=("$file") ;; esac
done
for more in "" --no-lines; do
	"$TENONC" "${shipped[@]}" -o "$TMP/all.c" $more || fail "the rules that ship"
	for cc in "${compilers[@]}"; do "$cc" "${flags[@]}" "$TMP/all.c" || fail "$cc refuses what is made of rules/ $more"; done
done
grep -n '^#line' "$TMP/all.c" && fail "--no-lines has lines"

# the way back: every directive that names the output gives the number of the line after it
generate lines tests/gen/guards.rules
awk '/^#line/ && $3 == "\"lines.c\"" { n++; if ($2 != NR + 1) { print "line " NR " says " $2; bad = 1 } }
	END { exit bad || !n }' "$TMP/lines.c" || fail "#line back is wrong"
# the way out: a fault in the guard's own text is reported where its author wrote it
sed 's/tn_v_rank(search, c)/no_such_thing/; /^when2_cheaper/,/^}/s/return tn_v_holds/return no_such_guard/' "$TMP/lines.c" >"$TMP/fault.c"
line=$(grep -n '(!= (dtype ?a) f16)' tests/gen/guards.rules | cut -d: -f1)
for cc in "${compilers[@]}"; do
	"$cc" "${flags[@]}" -fno-diagnostics-color "$TMP/fault.c" 2>"$TMP/log" && fail "$cc takes a planted fault"
	grep -q "tests/gen/guards.rules:$line:.*no_such_guard" "$TMP/log" || { fail "$cc: the fault is not in line $line"; cat "$TMP/log"; }
done

# the same bytes each time, and an output that is up to date keeps its time
generate again tests/gen/lists.rules && generate once tests/gen/lists.rules
diff <(sed 's/again\.c/once.c/' "$TMP/again.c") "$TMP/once.c" || fail "two runs differ"
"$TENONC" tests/gen/lists.rules -o "$TMP/kept.c" && touch -d '2001-01-01' "$TMP/kept.c" && "$TENONC" tests/gen/lists.rules -o "$TMP/kept.c"
[ "$(date -r "$TMP/kept.c" +%Y)" = 2001 ] || fail "an output that is up to date was written again"

# no output where there is an error; what is no regular file is written directly
! "$TENONC" tests/fail/unbound-variable.rules -o "$TMP/none.c" 2>/dev/null || fail "an error, and status 0"
[ ! -e "$TMP/none.c" ] && [ ! -e "$TMP/none.h" ] || fail "an error, and yet an output"
"$TENONC" tests/gen/lists.rules -o /dev/null || fail "/dev/null"
"$TENONC" tests/gen/lists.rules -o /dev/stdout --file-prefix-map /dev/stdout=once.c | sed 's/tenonc [0-9][0-9.]*/tenonc VERSION/' |
	cmp - "$TMP/once.c" || fail "/dev/stdout"
"$TENONC" tests/gen/lists.rules -o "$TMP/no/such/place.c" 2>/dev/null
[ $? = 2 ] || fail "a folder that is not there, and not status 2"

# what a person can see of it
for phase in ast typed plan tree; do
	"$TENONC" -d $phase tests/gen/attributes.rules >"$TMP/$phase" || fail "-d $phase"
	[ -s "$TMP/$phase" ] || fail "-d $phase prints nothing"
done
grep -q '^	n0:act = none$\|n1:act = none' "$TMP/plan" || fail "-d plan lacks a step"
exit $bad
