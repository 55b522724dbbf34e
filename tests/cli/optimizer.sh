#!/usr/bin/env bash
# Optimizers that tenonc makes: rules and a table of costs compiled in, with the options of tenon optimize, its results, and
# neither compiler nor files when they run.
set -u
bad=0
fail() { echo "$*"; bad=1; }
own=examples/custom-ops

# ---- what tenonc says ----
refused() {
	local status=$1 text=$2
	shift 2
	"$TENONC" "$@" -o "$TMP/no.c" 2>"$TMP/err"
	rc=$?
	[ $rc = "$status" ] && [ ! -e "$TMP/no.c" ] && grep -qF "$text" "$TMP/err" || fail "status $rc, wanted '$text', found '$(cat "$TMP/err")'"
}
refused 1 "signal.costs:2: these costs are of 'dsp board-1 scales-in-the-multiplier', not of target 'cuda'" \
	--target cuda --costs $own/signal.costs $own/signal.rules
sed '5s/\t0\t/\tnought\t/' $own/signal.costs >"$TMP/bad.costs"
refused 1 "bad.costs:5: nanoseconds are a whole number" --costs "$TMP/bad.costs" $own/signal.rules
sed '3s/dsp/abacus/' $own/signal.costs >"$TMP/bad.costs"
refused 1 "the rules describe no device 'abacus'" --costs "$TMP/bad.costs" $own/signal.rules
refused 1 "the rules describe no device 'cuda'" --target cuda $own/signal.rules
refused 2 "no.costs: No such file" --costs "$TMP/no.costs" $own/signal.rules

# ---- what it writes: the same from every folder, whatever else is there ----
for dir in one some/other; do
	mkdir -p "$TMP/$dir" && cp $own/signal.rules $own/signal.costs "$TMP/$dir"
	"$TENONC" --file-prefix-map "$TMP/$dir/=" --costs "$TMP/$dir/signal.costs" "$TMP/$dir/signal.rules" -o "$TMP/$dir/opt.c" || fail "$dir"
done
cmp "$TMP/one/opt.c" "$TMP/some/other/opt.c" || fail "the folder is in the output"
[ ! -e "$TMP/one/opt.h" ] || fail "a program of its own has a header"
grep -q '{"filter f32 \[4096\] f32 \[3\] -> f32 \[4094\]", {21400, 0.02, 100}},' "$TMP/one/opt.c" || fail "the table is not in the code"

# ---- what comes of it, as users build it ----
# (under a sanitizer the library wants the sanitizer's own link)
[ "$BUILD" != asan ] || exit $bad
ln -s "$PWD/$B/libtenon.so" "$TMP/libtenon.so.0"
export LD_LIBRARY_PATH=$TMP
link() { ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -Iruntime/include -o "$1" "$1.c" "$B/libtenon.so"; }
make -s -C "$TMP" -f "$PWD/$own/Makefile" TENONC="$TENONC" CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' TENON_CFLAGS="-I$PWD/runtime/include" \
	TENON_LIBS="$PWD/$B/libtenon.so" >"$TMP/log" 2>&1 || { cat "$TMP/log"; fail "the example does not build"; exit 1; }
opt=$TMP/signal-opt
"$opt" --version >"$TMP/out" || fail "--version: status $?"
grep -q '^signal-opt: Tenon ' "$TMP/out" && grep -q '^rules *4 on 3 operators' "$TMP/out" &&
	grep -q '^costs *7 measured on dsp board-1 scales-in-the-multiplier; others are modelled as dsp times 0.75$' "$TMP/out" ||
	{ fail "the identity:"; cat "$TMP/out"; }

# the same bytes as tenon's, and the same report but for seconds; neither PATH nor a cache nor the rules are there
"$TENON" optimize $own/signal.graph --rules $own/signal.rules --costs $own/signal.costs -o "$TMP/want.graph" --json "$TMP/want.json" \
	>"$TMP/want.out" || fail "tenon: status $?"
(cd "$TMP" && cp "$OLDPWD/$own/signal.graph" . && rm signal-opt.c && env -i LD_LIBRARY_PATH="$TMP" "$opt" signal.graph -o made.graph \
	--json made.json >out 2>&1) || { fail "the optimizer:"; cat "$TMP/out"; }
cmp "$TMP/want.graph" "$TMP/made.graph" || fail "another graph than tenon's"
for json in want made; do sed '/"seconds"/d; s/_s": [0-9.]*/_s"/g; /"model": ".*graph"/d' "$TMP/$json.json" >"$TMP/$json.txt"; done
diff "$TMP/want.txt" "$TMP/made.txt" || fail "another report than tenon's"
for out in want.out out; do sed 's/[0-9.]* s$//' "$TMP/$out" >"$TMP/$out.txt"; done
diff "$TMP/want.out.txt" "$TMP/out.txt" || fail "another table than tenon's"
grep -q '"measured": 1, "modelled": 0' "$TMP/made.json" || fail "the table does not decide"

# its options are those of tenon optimize but for what is compiled in; it calls itself by its name
names() { sed -n 's/^  .\{4\}--\([a-z-]*\).*/\1/p' | sort; }
diff <("$TENON" optimize --help | names | grep -vx 'rules\|add-rules\|unsafe-rules\|target\|costs') <("$opt" --help | names) || fail "options differ"
"$opt" --help | grep -q '^usage: signal-opt \[options\] IN -o OUT$' || fail "the usage"
"$opt" --costs x "$TMP/signal.graph" 2>"$TMP/err"
[ $? = 2 ] && [ "$(cat "$TMP/err")" = "signal-opt: unknown option '--costs'
signal-opt: try 'signal-opt --help'" ] || { fail "an option that is not there:"; cat "$TMP/err"; }
"$opt" "$TMP/none.graph" -o "$TMP/o.graph" 2>"$TMP/err"
[ $? = 2 ] && grep -q '^signal-opt: .*none.graph: ' "$TMP/err" || { fail "no model:"; cat "$TMP/err"; }
"$opt" --version >/dev/full 2>"$TMP/err"
[ $? = 2 ] && grep -q '^signal-opt: standard output: ' "$TMP/err" || { fail "a full device:"; cat "$TMP/err"; }

# costs decide: taps that are an input cannot be folded, and a gain of them is less work, but not where gains are free
cat >"$TMP/taps.graph" <<'G'
(graph taps (input x f32 [4096]) (input h f32 [3]) (output (gain (filter x h) :by 2) y))
G
"$opt" "$TMP/taps.graph" -o "$TMP/free.graph" >/dev/null || fail "taps: status $?"
grep -q '(gain n[0-9]* :by 2)\|(gain (filter' "$TMP/free.graph" || { fail "a free gain is moved:"; cat "$TMP/free.graph"; }
"$TENONC" --target dsp $own/signal.rules -o "$TMP/modelled.c" && link "$TMP/modelled" || fail "a modelled one does not build"
"$TMP/modelled" --version | grep -q '^costs *modelled dsp$' || fail "modelled costs are not called so"
"$TMP/modelled" "$TMP/taps.graph" -o "$TMP/model.graph" >/dev/null || fail "modelled: status $?"
grep -q '(gain h :by 2)' "$TMP/model.graph" || { fail "by the model the gain is not moved:"; cat "$TMP/model.graph"; }

# without rule files it has the standard rules, which are in the library
"$TENONC" --costs tests/small.costs -o "$TMP/standard.c" && link "$TMP/standard" || fail "the standard rules do not build"
"$TMP/standard" --version | grep -q '^costs *16 measured on cpu onednn-' || fail "the standard rules' table"
"$TMP/standard" tests/small.graph --finalists 1 -o "$TMP/small.graph" >"$TMP/out" || fail "the standard rules: status $?"
"$TENON" optimize tests/small.graph --costs tests/small.costs --finalists 1 -o "$TMP/want.graph" >/dev/null && cmp "$TMP/want.graph" "$TMP/small.graph" ||
	fail "the standard rules give another graph than tenon's"
"$TENONC" --check --target t4 2>"$TMP/err"
[ $? = 2 ] || fail "--check of no rules"

# on a target that is here, but is not the one that was measured, nothing is run, and who asks for that is told
if "$TENON" targets cpu >/dev/null 2>&1; then
	sed '2s/.*/identity cpu elsewhere 1-thread/' tests/small.costs >"$TMP/other.costs"
	"$TENONC" --target cpu --costs "$TMP/other.costs" -o "$TMP/other.c" && link "$TMP/other" || fail "costs of elsewhere do not build"
	"$TMP/other" tests/small.graph -o "$TMP/o.graph" >"$TMP/out" && cmp "$TMP/small.graph" "$TMP/o.graph" || fail "elsewhere: status $?"
	"$TMP/other" tests/small.graph -o "$TMP/o.graph" --finalists 2 >/dev/null 2>"$TMP/err"
	[ $? = 1 ] && grep -q "^other: the costs are of 'cpu elsewhere 1-thread', and here is 'cpu " "$TMP/err" || { fail "elsewhere:"; cat "$TMP/err"; }
fi

# what was made for another version of the library is refused
sed 's/= TN_OPTIMIZER_ABI/= TN_OPTIMIZER_ABI + 1/' "$TMP/one/opt.c" >"$TMP/later.c"
link "$TMP/later" || fail "a later one does not build"
"$TMP/later" "$TMP/taps.graph" -o "$TMP/o.graph" 2>"$TMP/err"
[ $? = 4 ] && grep -q 'made for another version of Tenon' "$TMP/err" || { fail "another version:"; cat "$TMP/err"; }

# a table without lines, and one with what must not be chosen
head -3 $own/signal.costs >"$TMP/empty.costs"
printf 'gain f32 [3] :by 2 -> f32 [3]\t1000000000000000\t0\t1\n' | cat "$TMP/empty.costs" - >"$TMP/never.costs"
for name in empty never; do
	"$TENONC" --name $name --no-lines --costs "$TMP/$name.costs" $own/signal.rules -o "$TMP/$name.c" && link "$TMP/$name" || fail "$name does not build"
	"$TMP/$name" "$TMP/taps.graph" -o "$TMP/$name.graph" >/dev/null || fail "$name: status $?"
done
grep -q '(gain h' "$TMP/empty.graph" || fail "an empty table is not modelled"
grep -q '(gain h' "$TMP/never.graph" && fail "what must not be chosen is"
exit $bad
