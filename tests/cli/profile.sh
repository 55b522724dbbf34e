#!/usr/bin/env bash
# A profiler that is killed loses nothing it finished; wrong lines are named by number; two do not work on one table.
fail() { echo "$1"; exit 1; }

"$TENON" targets | grep -q '^cpu *cpu onednn-' || { echo "skipped: no CPU target was built"; exit 77; }
t=$TMP/t.costs
cat >"$TMP/net.graph" <<'G'
(graph net
  (input x f32 [1 8 20 20])
  (weight k f32 [16 8 3 3] :seed 1)
  (let a (conv2d x k :pads [1 1 1 1]))
  (let b (relu (mul a 0.5)))
  (output (max-pool2d b :kernel [2 2] :strides [2 2]) "y"))
G
"$TENON" profile -o "$t" "$TMP/net.graph" --original >"$TMP/out" || fail "it does not profile"
grep -q ': 6 lines, 6 of them new' "$TMP/out" || { cat "$TMP/out"; fail "a convolution, a product, a relu, a pool, two reorders are not six lines"; }
head -2 "$t" | tail -1 | grep -q '^identity cpu onednn-' || fail "the table has no identity"
[ ! -e "$t.part" ] || fail "the part is left behind"

# nothing is measured twice, and the bytes stay
cp "$t" "$TMP/before"
"$TENON" profile -o "$t" "$TMP/net.graph" --original | grep -q ': 6 lines, 0 of them new' || fail "a second run measures again"
grep -v ^model "$t" >"$TMP/a"; grep -v ^model "$TMP/before" >"$TMP/b"; cmp "$TMP/a" "$TMP/b" || fail "a second run changes lines"
"$TENON" costs diff "$t" "$TMP/before" >"$TMP/out" || { cat "$TMP/out"; fail "a table differs from itself"; }
"$TENON" costs show "$t" | tail -1 | grep -q '^6 operators on cpu' || fail "show does not count"

# shards make the whole
"$TENON" profile -o "$TMP/one" --shard 1/2 "$TMP/net.graph" >/dev/null && "$TENON" profile -o "$TMP/two" --shard 2/2 "$TMP/net.graph" >/dev/null ||
	fail "shards do not profile"
"$TENON" costs merge "$TMP/one" "$TMP/two" -o "$TMP/merged" || fail "shards do not merge"
"$TENON" profile -o "$TMP/merged" "$TMP/net.graph" | grep -q ' 0 of them new' || fail "two shards are not the whole"

# a profiler in the background, $pid, once its journal has so many lines
start_profile() {
	rm -f "$t"
	"$TENON" profile -o "$t" --model squeezenet >/dev/null 2>&1 &
	pid=$!
	for _ in $(seq 600); do
		[ -e "$t.part" ] && [ "$(wc -l <"$t.part")" -ge "$1" ] && break
		sleep 0.1
	done
}

# killed in the middle
start_profile 4
# a second profiler is refused while it works
rc=0; "$TENON" profile -o "$t" "$TMP/net.graph" 2>"$TMP/err" || rc=$?
if [ $rc != 2 ] || ! grep -q 'another tenon is at work' "$TMP/err"; then
	kill -9 $pid
	fail "a second profiler is not refused: status $rc"
fi
# nor does merge write what it would write over
rc=0; "$TENON" costs merge "$TMP/one" -o "$t" 2>"$TMP/err" || rc=$?
if [ $rc != 2 ] || ! grep -q 'another tenon is at work' "$TMP/err"; then
	kill -9 $pid
	fail "a table that a profiler works on is merged into: status $rc"
fi
kill -9 $pid; wait $pid 2>/dev/null
"$TENON" costs merge "$TMP/one" -o "$t" && cmp "$TMP/one" "$t" || fail "the lock of a killed profiler stays"
[ -s "$t.part" ] || fail "merging drops what a killed profiler left"
rm "$t"
printf 'conv2d torn' >>"$t.part"
grep -v '^identity\|torn' "$t.part" | sort >"$TMP/kept"
"$TENON" profile -o "$t" "$TMP/net.graph" --original >/dev/null || fail "it does not go on after a kill"
sort "$t" | comm -23 "$TMP/kept" - >"$TMP/lost"
[ ! -s "$TMP/lost" ] || { head -3 "$TMP/lost"; fail "finished measurements are lost"; }

# interrupted, it writes what it has
start_profile 3
grep -v '^identity' "$t.part" | sort >"$TMP/kept"
# and what came to the table from elsewhere
cp "$TMP/one" "$t"
sed 1,3d "$TMP/one" | cut -f1 | sort >"$TMP/elsewhere"
kill -INT $pid
rc=0; wait $pid || rc=$?
[ $rc = 130 ] || fail "an interrupted profiler ends with status $rc"
[ ! -e "$t.part" ] || fail "an interrupted profiler leaves its part"
[ -s "$TMP/kept" ] && [ -z "$(sort "$t" | comm -23 "$TMP/kept" -)" ] || fail "an interrupt loses finished measurements"
[ -s "$TMP/elsewhere" ] && [ -z "$(cut -f1 "$t" | sort | comm -23 "$TMP/elsewhere" -)" ] || fail "a table that was put there meanwhile is lost"

# wrong lines, another identity
sed '4s/\t[0-9]*\t/\tsoon\t/' "$TMP/before" >"$TMP/bad"
rc=0; "$TENON" profile -o "$TMP/bad" "$TMP/net.graph" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q 'bad:4: nanoseconds are a whole number' "$TMP/err" || { cat "$TMP/err"; fail "a wrong line is not named"; }
sed '2s/1-thread/9-thread/' "$TMP/before" >"$TMP/other"
rc=0; "$TENON" profile -o "$TMP/other" "$TMP/net.graph" 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q "these costs are of 'cpu onednn-.* not of" "$TMP/err" || { cat "$TMP/err"; fail "another identity is not refused"; }
rc=0; "$TENON" costs merge "$TMP/before" "$TMP/other" >/dev/null 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q 'not to be mixed' "$TMP/err" || fail "costs of two identities are mixed"

# what another program left in the part is held to the same form; nothing behind it is dropped
for line in 'neg f32 [9] -> f32 [9]\t10\tinf\t5' 'neg f32 [9] -> f32 [9]\t+10\t0\t5' 'neg f32 [9] -> f32 [9]\t10\t0\t1e9'; do
	printf "$(sed -n 2p "$TMP/before")\n$line\n" >"$TMP/new.part"
	rc=0; "$TENON" profile -o "$TMP/new" "$TMP/net.graph" --original 2>"$TMP/err" || rc=$?
	[ $rc = 1 ] && grep -q 'new.part:2: ' "$TMP/err" || { cat "$TMP/err"; fail "a wrong line of the part ends with status $rc"; }
done
printf "$(sed -n 2p "$TMP/before")\n\0\0\nneg f32 [9] -> f32 [9]\t10\t0\t5\n" >"$TMP/new.part"
rc=0; "$TENON" profile -o "$TMP/new" "$TMP/net.graph" --original 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q 'new.part: this is no text' "$TMP/err" || { cat "$TMP/err"; fail "a part with zeros ends with status $rc"; }

# no room: what was finished before stays, and the rest is added later
rm -f "$TMP/full" "$TMP/full.part"
rc=0; (trap '' XFSZ; ulimit -f 1; "$TENON" profile -o "$TMP/full" --model squeezenet --original 2>"$TMP/err") >/dev/null || rc=$?
[ $rc = 2 ] && grep -q 'full.part: File too large' "$TMP/err" && [ ! -e "$TMP/full" ] || { cat "$TMP/err"; fail "no room ends with status $rc"; }
sed '1d;$d' "$TMP/full.part" | sort >"$TMP/kept"
"$TENON" profile -o "$TMP/full" "$TMP/net.graph" --original >/dev/null || fail "it does not go on after there was no room"
[ -s "$TMP/kept" ] && [ -z "$(sort "$TMP/full" | comm -23 "$TMP/kept" -)" ] || fail "where there is no room finished measurements are lost"

# where nothing was measured nothing is left; what another target measured is not dropped
rm -f "$TMP/new" "$TMP/new.part"
rc=0; "$TENON" profile -o "$TMP/new" --model nowhere 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && [ ! -e "$TMP/new" ] && [ ! -e "$TMP/new.part" ] || fail "no model leaves a part"
printf 'identity own\nneg f32 [9] -> f32 [9]\t10\t0\t5\n' >"$TMP/new.part"
rc=0; "$TENON" profile -o "$TMP/new" "$TMP/net.graph" --original 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && [ "$(wc -l <"$TMP/new.part")" = 2 ] || fail "another target's part is dropped"
for shard in 0/2 3/2 1 1/ /2 ' 1/2' -18446744073709551615/2 1/2/3 1/100001; do
	rc=0; "$TENON" profile -o "$TMP/shard" --shard "$shard" "$TMP/net.graph" 2>"$TMP/err" || rc=$?
	[ $rc = 2 ] && grep -q -- "--shard: '$shard' is not I/N" "$TMP/err" || { cat "$TMP/err"; fail "--shard '$shard' ends with status $rc"; }
done

# a table that grows is a plain file
rc=0; (cd "$TMP" && exec "$TENON" profile -o - net.graph >out 2>err) || rc=$?
[ $rc = 2 ] && [ ! -e "$TMP/-.part" ] || fail "standard output as a table ends with status $rc"
mkdir "$TMP/folder"
rc=0; "$TENON" profile -o "$TMP/folder" "$TMP/net.graph" 2>"$TMP/err" || rc=$?
[ $rc = 2 ] && [ ! -e "$TMP/folder.part" ] || fail "a folder as a table ends with status $rc"

# what is optimized with it counts what was measured
"$TENON" optimize "$TMP/net.graph" -o "$TMP/out.graph" --costs "$TMP/merged" --target cpu >"$TMP/out" || fail "optimize does not take the table"
grep -q '^prices *[1-9][0-9]* operators measured, 0 modelled' "$TMP/out" || { cat "$TMP/out"; fail "prices are not the table's"; }

# what it predicts stands beside what is measured
"$TENON" run "$TMP/net.graph" --bench 2 --costs "$TMP/before" >"$TMP/out" || fail "run does not take the table"
grep -q '^ *[0-9.]* us *[0-9.]* %  predicted *[0-9.]* us ( *[+-][0-9]* %)  1 conv2d$' "$TMP/out" || { cat "$TMP/out"; fail "no operator is predicted"; }
grep -q '^ *[0-9.]* us  a run *predicted *[0-9.]* us .* from 6 operators measured and 0 modelled as' "$TMP/out" || { cat "$TMP/out"; fail "no run is predicted"; }
rc=0; "$TENON" run "$TMP/net.graph" --bench 2 --costs "$TMP/other" >/dev/null 2>"$TMP/err" || rc=$?
[ $rc = 1 ] && grep -q "these costs are of 'cpu onednn-.* not of" "$TMP/err" || { cat "$TMP/err"; fail "costs of another identity predict"; }
rc=0; "$TENON" run "$TMP/net.graph" --costs "$TMP/before" 2>/dev/null || rc=$?
[ $rc = 2 ] || fail "--costs without --bench ends with status $rc"
