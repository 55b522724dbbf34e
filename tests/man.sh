#!/usr/bin/env bash
# The man pages are clean, and their options and exit statuses are those of the programs.
set -u
bad=0
for page in man/*.[0-9]; do
	[ -e "$page" ] || { echo "there are no man pages"; exit 1; }
	if command -v mandoc >/dev/null; then
		out=$(mandoc -T lint -W warning "$page" 2>&1)
	else
		out=$(groff -ww -mdoc -T utf8 "$page" 2>&1 >/dev/null)
	fi
	[ -z "$out" ] || { echo "$out"; bad=1; }
done

# exit.def row: X(NAME, 3, "meaning")
while read -r number; do
	for page in man/tenon.1 man/tenonc.1; do
		grep -q "^\.It $number\b" "$page" || [ "$page $number" = "man/tenonc.1 3" ] || [ "$page $number" = "man/tenonc.1 130" ] ||
			{ echo "$page does not explain exit status $number"; bad=1; }
	done
done < <(sed -n 's/^X([A-Z]*, \([0-9]*\),.*/\1/p' runtime/cmd/exit.def)

for command in $("$TENON" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	[ "$command" = help ] && continue
	grep -q "^\.Ss .*$command" man/tenon.1 || { echo "tenon.1 has no section for '$command'"; bad=1; }
	for option in $("$TENON" "$command" --help | sed -n 's/^  .\{4\}--\([a-z0-9-]*\).*/\1/p'); do
		[ "$option" = help ] || grep -q "^\.It .*Fl -$option\b" man/tenon.1 || { echo "tenon.1 lacks --$option of '$command'"; bad=1; }
	done
done
exit $bad
