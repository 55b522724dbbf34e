#!/usr/bin/env bash
# TN_MATCH_ABI changes with the headers that generated code sees; tests/abi.txt holds the number and what it stood for.
# After a change, BLESS=1 tests/run scripts abi raises the number and records it.
set -u
folder=runtime/include/tenon

# the header and those it includes, each once
closure() {
	local header
	for header in "$@"; do
		grep -qxF "$header" "$TMP/seen" && continue
		echo "$header" >>"$TMP/seen"
		# shellcheck disable=SC2046 # several names are meant
		closure $(sed -n 's/^#include "\(.*\)"$/\1/p' "$folder/$header")
	done
}
: >"$TMP/seen"
closure match.h
sort -o "$TMP/seen" "$TMP/seen"

bad=0
# objects in the cache of `tenon --rules` are told apart by the same headers
listed=$(sed -n '/^hash_headers/,/^}/s/.*name\[\] = {\(.*\)};/\1/p' gen/compile.c | grep -o '[a-z]*\.h' | sort)
[ "$listed" = "$(cat "$TMP/seen")" ] || { echo "gen/compile.c hashes other headers than match.h includes:"; diff <(echo "$listed") "$TMP/seen"; bad=1; }

# without comments, the number itself, and how it is set in lines
sum=$(cd $folder && while read -r header; do cat "$header"; done <"$TMP/seen" |
	perl -0pe 's{/\*.*?\*/}{}gs; s/#define TN_MATCH_ABI \d+//; s/\s+/ /g' | sha256sum | cut -c 1-16)
number=$(sed -n 's/^#define TN_MATCH_ABI \([0-9]*\)$/\1/p' $folder/match.h)
read -r old_number old_sum <tests/abi.txt
if [ -n "${BLESS:-}" ] && [ "$sum" != "$old_sum" ]; then
	number=$((old_number + 1))
	sed -i "s/^\(#define TN_MATCH_ABI\) .*/\1 $number/" $folder/match.h
	echo "$number $sum" >tests/abi.txt
	old_number=$number old_sum=$sum
fi
if [ "$sum" != "$old_sum" ]; then
	echo "a header that generated code includes has changed, and code made for the old one must not be loaded:"
	echo "BLESS=1 tests/run scripts abi raises TN_MATCH_ABI and records it"
	bad=1
elif [ "$number" != "$old_number" ]; then
	echo "TN_MATCH_ABI is $number, and tests/abi.txt says $old_number"
	bad=1
fi
exit $bad
