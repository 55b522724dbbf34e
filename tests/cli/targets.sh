#!/usr/bin/env bash
# tenon targets: what lies in a folder of plug-ins and is none, or is one of another version, is said in one sentence, status 3,
# and does not keep the others from being listed; an identity names all that costs depend on.
set -u
bad=0
note() { echo "$1"; cat "$TMP/out"; bad=1; }
mkdir "$TMP/all" "$TMP/first"

plugin() {	# NAME, the C of what it exports
	printf '#include "tenon/target.h"\n%s\n' "$2" | ${CC:-cc} -shared -fPIC -Iruntime/include -x c - -o "$TMP/all/$1.so" || exit 1
}
plugin old 'extern const struct tn_target_plugin tn_target_plugin; const struct tn_target_plugin tn_target_plugin = {.abi = TN_TARGET_ABI - 1};'
plugin none 'extern int nothing; int nothing;'
plugin unbound 'int nowhere(void), here(void); int here(void) { return nowhere(); }'
plugin absent 'extern const struct tn_target_plugin tn_target_plugin;
static void *no(const struct tn_target_options *o, struct tn_error *e)
{ (void)o; e->code = TN_E_MISSING; __builtin_strcpy(e->msg, "there is no such device"); return 0; }
const struct tn_target_plugin tn_target_plugin = {.abi = TN_TARGET_ABI, .name = "absent", .open = no};'
head -c 9000 "$TMP/all/old.so" >"$TMP/all/torn.so"
: >"$TMP/all/empty.so"
head -c 20000 /dev/zero >"$TMP/all/zeros.so"
mkdir "$TMP/all/folder.so"
ln -s nowhere "$TMP/all/dangling.so"

names='absent dangling empty folder none old torn unbound zeros'
for name in $names nowhere; do
	TENON_TARGETS=$TMP/all "$TENON" targets "$name" >"$TMP/out" 2>&1
	[ $? = 3 ] && [ "$(wc -l <"$TMP/out")" = 1 ] && grep -q '^tenon: ' "$TMP/out" || note "$name: no sentence, or another status"
done
TENON_TARGETS=$TMP/all "$TENON" targets >"$TMP/out" 2>&1 || note "the list ends with status $?"
[ "$(cut -d' ' -f1 "$TMP/out" | tr '\n' ' ')" = "$names " ] || note "not all are listed, or in another order"
! grep -v ' not here: ' "$TMP/out" || note "one of them is not refused"
grep -q '^old .* its ABI is ' "$TMP/out" || note "it is not said that one is of another version"
grep -q '^absent *not here: there is no such device$' "$TMP/out" || note "what the plug-in says is not told"

# the first of a name counts
cp "$TMP/all/none.so" "$TMP/first/absent.so"
TENON_TARGETS=/nonexistent::$TMP/first:$TMP/all "$TENON" targets absent >"$TMP/out" 2>&1
grep -q "first/absent.so is no target" "$TMP/out" || note "the second of a name is taken"

"$TENON" targets >"$TMP/out"
grep -q '^cpu *cpu onednn-' "$TMP/out" || { echo "skipped: no CPU target was built"; exit $((bad ? 1 : 77)); }
grep -qE '^cpu +cpu onednn-[0-9.]+ nhwc [0-9]+-thread [a-z0-9.-]+ [^ ]+$' "$TMP/out" || note "version, layout, threads, instructions, processor: one is missing"
"$TENON" targets cpu --threads 3 >"$TMP/out"
grep -q ' 3-thread ' "$TMP/out" || note "other threads have the same identity"
ONEDNN_MAX_CPU_ISA=SSE41 "$TENON" targets cpu >"$TMP/out"
grep -q ' sse4.1 ' "$TMP/out" || note "other instructions have the same identity"
exit $bad
