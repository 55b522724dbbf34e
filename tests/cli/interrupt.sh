#!/usr/bin/env bash
# Ctrl-C while values are compared: what was found is reported, and what was not verified is not written.
set -u
bad=0
note() { echo "$1"; bad=1; }
# a minute of work for the slow executor
cat >"$TMP/slow.graph" <<'GRAPH'
(graph slow (input x f32 [4000 4000]) (output (relu (relu (matmul x x))) "y"))
GRAPH
"$TENON" optimize "$TMP/slow.graph" -o "$TMP/o.graph" --egraph "$TMP/e.json" --verify-time 0 >"$TMP/out" 2>&1 &
pid=$!
# extraction comes after the e-graph is written, and takes no time here
for _ in $(seq 600); do [ -s "$TMP/e.json" ] && break; sleep 0.1; done
sleep 2
kill -INT $pid
wait $pid
rc=$?
[ $rc = 130 ] || note "status $rc: $(cat "$TMP/out")"
grep -q '^values  *not verified, nothing was written' "$TMP/out" || note "it says: $(cat "$TMP/out")"
[ ! -e "$TMP/o.graph" ] || note "what was not verified was written"

sed 's/(relu (relu/(relu (abs/' "$TMP/slow.graph" >"$TMP/other.graph"
"$TENON" compare "$TMP/slow.graph" "$TMP/other.graph" >"$TMP/out" 2>&1 &
pid=$!
sleep 2
kill -INT $pid
wait $pid
rc=$?
[ $rc = 130 ] || note "compare: status $rc: $(cat "$TMP/out")"

# between two seeds too, where nothing is left undone but the seeds that follow
if "$TENON" targets cpu >/dev/null 2>&1; then
	printf '(graph small (input x f32 [4]) (output (relu x) "y"))' >"$TMP/small.graph"
	"$TENON" compare --target cpu --seeds 1000000 "$TMP/small.graph" >"$TMP/out" 2>&1 &
	pid=$!
	sleep 1
	kill -INT $pid
	wait $pid
	rc=$?
	[ $rc = 130 ] || note "compare on a target: status $rc: $(tail -1 "$TMP/out")"
fi
exit $bad
