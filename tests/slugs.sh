#!/usr/bin/env bash
# Every slug of diag.def has a case in tests/fail, and every case shows the slug it is named for.
set -u
bad=0
slugs=$(sed -n 's/^\(ERROR\|WARNING\)([A-Z_]*, "\([a-z-]*\)")$/\2/p' dsl/diag.def)
[ -n "$slugs" ] || { echo "dsl/diag.def lists no slugs"; exit 1; }
for slug in $slugs; do
	[ -e "tests/fail/$slug.rules" ] || { echo "no case tests/fail/$slug.rules"; bad=1; }
done
for case in tests/fail/*.rules; do
	name=$(basename "${case%.rules}")
	slug=$(printf '%s' "$name" | sed 's/-[0-9]*$//')
	grep -q "\[$slug\]\$" "${case%.rules}.err" || { echo "$case does not show [$slug]"; bad=1; }
	while read -r shown; do
		grep -qx "$shown" <<<"$slugs" || { echo "$case shows [$shown], which diag.def does not list"; bad=1; }
	done < <(sed -n 's/^.*: \(error\|warning\): .* \[\([a-z-]*\)\]$/\2/p' "${case%.rules}.err")
	head -1 "$case" | grep -q '^; .*\.$' || { echo "the first line of $case does not say what it shows"; bad=1; }
done
exit $bad
