#!/usr/bin/env bash
# What is asked for goes where it was asked, whole or not at all: an input is never written over, a full disk is said, and
# what was there stays.
set -u
bad=0
note() { echo "$1"; bad=1; }
# status and a text of what is said
expect() {
	local status=$1 want=$2 rc
	shift 2
	"$@" >"$TMP/out" 2>"$TMP/err"
	rc=$?
	[ $rc = "$status" ] || note "$*: status $rc, not $status: $(cat "$TMP/err")"
	grep -qF -e "$want" "$TMP/err" || note "$*: wanted '$want', found '$(cat "$TMP/err")'"
}
printf '(graph m (input x f32 [n 3]) (output (relu (relu x)) "y"))\n' >"$TMP/m.graph"
"$TENON" optimize "$TMP/m.graph" -o "$TMP/m.onnx" --no-rules >/dev/null || note "no model"
printf '((a => (b a)))\n' >"$TMP/any.rules"
cp tests/egraph/ac9.terms "$TMP/t.terms"
"$TENON" saturate --rules tests/egraph/ac.rules "$TMP/t.terms" -n 1 --egraph "$TMP/e.json" >/dev/null || note "no e-graph"

# ---- inputs ----
(cd "$TMP" && sha256sum m.graph m.onnx any.rules t.terms e.json) >"$TMP/sums"
for option in --json --dot --egraph; do
	expect 2 'is the input' "$TENON" optimize "$TMP/m.onnx" $option "$TMP/m.onnx"
	expect 2 'is the input' "$TENON" optimize "$TMP/m.graph" -f -o "$TMP/o.graph" $option "$TMP/./m.graph"
done
expect 2 'is the input' "$TENON" show "$TMP/m.onnx" --dot "$TMP/m.onnx"
expect 2 'is the input' "$TENON" import-rules "$TMP/any.rules" -o "$TMP/any.rules"
expect 2 'is the input' "$TENON" saturate --rules tests/egraph/ac.rules "$TMP/t.terms" --json "$TMP/t.terms"
for option in --json --write-lp --write-mps; do
	expect 2 'is the input' "$TENON" extract "$TMP/e.json" $option "$TMP/e.json"
done
(cd "$TMP" && sha256sum --quiet -c sums) || note "an input was written over"

# ---- standard output: a report in another form stays alone there, and a full disk is said ----
"$TENON" optimize "$TMP/m.onnx" --json - >"$TMP/out" 2>"$TMP/err" || note "to standard output: $(cat "$TMP/err")"
[ "$(head -c 1 "$TMP/out")$(tail -n 1 "$TMP/out")" = '{}' ] || note "more than the report: $(cat "$TMP/out")"
grep -q '^operators' "$TMP/err" || note "the table is nowhere"
if [ -e /dev/full ]; then
	for command in "optimize $TMP/m.onnx -o $TMP/o.onnx" "compare $TMP/m.onnx $TMP/m.graph" "show $TMP/m.onnx" rules model help \
		"saturate --rules tests/egraph/ac.rules $TMP/t.terms -n 1" "extract $TMP/e.json" "verify rules/activation.rules" --version; do
		# shellcheck disable=SC2086 # words are meant
		"$TENON" $command >/dev/full 2>"$TMP/err"
		[ $? = 2 ] || note "$command to a full disk: status $?"
		grep -q 'No space left' "$TMP/err" || note "$command to a full disk: $(cat "$TMP/err")"
	done
	for option in -o --json --dot --egraph; do
		expect 2 'No space left' "$TENON" optimize "$TMP/m.onnx" $option /dev/full
	done
	ln -s /dev/full "$TMP/full.gz"
	expect 2 'No space left' "$TENON" optimize "$TMP/m.onnx" --egraph "$TMP/full.gz"
fi

# ---- a write that fails leaves what was there, and nothing beside it ----
expect 2 "tenon: $TMP/absent/o.onnx: No such file" "$TENON" optimize "$TMP/m.onnx" -o "$TMP/absent/o.onnx"
"$TENON" model squeezenet -o "$TMP/net.onnx" >/dev/null
mkdir "$TMP/there"
echo kept >"$TMP/there/o.onnx"
(
	trap '' XFSZ
	ulimit -f 100
	expect 2 "tenon: $TMP/there/o.onnx: File too large" "$TENON" optimize "$TMP/net.onnx" -o "$TMP/there/o.onnx" --no-rules
	exit $bad
) || bad=1
[ "$(cat "$TMP"/there/*)" = kept ] || note "what was there is gone, or something was left: $(ls "$TMP/there")"

# ---- others may not read what the user does not let them ----
(umask 077 && "$TENON" optimize "$TMP/m.onnx" -o "$TMP/private.onnx" --json "$TMP/private.json" >/dev/null)
[ "$(stat -c %a "$TMP/private.onnx" "$TMP/private.json" | tr '\n' ' ')" = '600 600 ' ] || note "the umask is not kept"
exit $bad
