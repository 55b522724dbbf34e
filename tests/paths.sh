#!/usr/bin/env bash
# Every path of the project that the documents name exists.
set -u
bad=0
for doc in README.md NEWS.md man/*.[0-9]; do
	[ -e "$doc" ] || continue
	while read -r path; do
		case $path in build/*) continue ;; esac
		[ -e "$path" ] || { echo "$doc names $path, which is not there"; bad=1; }
	done < <(grep -oE '\b(dsl|gen|runtime|rules|models|tests|examples|man|\.ci)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' "$doc" | sort -u)
done
exit $bad
