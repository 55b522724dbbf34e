#!/usr/bin/env bash
# tenon optimize: what is reckoned folded may be made of what is priced, as that would make the weights grow, and that of it:
# then it is chosen once more, and the run does not fail.
set -u
"$TENON" model squeezenet -o "$TMP/net.graph" >/dev/null || exit 1
"$TENON" optimize "$TMP/net.graph" --json "$TMP/report.json" --extract dag --target a100 --multi-iterations 3 --no-verify >"$TMP/out" 2>&1 &&
	[ "$(sed -n 's/.*"limited": \([a-z]*\).*/\1/p' "$TMP/report.json")" = true ] && exit 0
cat "$TMP/out"
exit 1
