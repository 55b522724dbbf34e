#!/usr/bin/env bash
# The examples of the manual pages do what the pages say: rules compile, commands run, the program builds.
set -u
bad=0
fail() { echo "$*"; bad=1; }

# the displayed texts of tenon-rules.5, a file each
awk '/^\.Ed$/ { on = 0 } on { sub(/^\\&/, ""); print >(dir "/block" n ".rules") } /^\.Bd -literal/ { on = 1; n++ }' \
	dir="$TMP" man/tenon-rules.5
n=$(find "$TMP" -name 'block*.rules' | wc -l)
[ "$n" -ge 4 ] || fail "tenon-rules.5 shows $n pieces of text, not 4 or more"
for text in "$TMP"/block*.rules; do
	# what stands in no example: the functions that the operator calls by an attribute; the operators of the rules
	case $(sed -n '/^(/{p;q}' "$text") in
	'(op conv2d') before='(enum act none relu) (fn none (v) v) (fn relu (v) (max v 0))' ;;
	'(rule '*) before='(include "tensor.rules")' ;;
	*) before= ;;
	esac
	{ echo "$before"; cat "$text"; } >"$TMP/whole.rules"
	"$TENONC" -I rules "$TMP/whole.rules" -o "$TMP/whole.c" || { fail "an example of tenon-rules.5 does not compile:"; cat "$text"; }
done

# the command lines of tenon.1 and tenonc.1, in order, in a folder with what they name
mkdir "$TMP/work" "$TMP/bin"
ln -s "$TENON" "$TENONC" "$TMP/bin"
printf '(graph g (input x f32 [1 3 h w]) (output (relu (mul x 1)) y))\n' >"$TMP/work/model.graph"
cp examples/custom-ops/boolean.rules "$TMP/work/my.rules"
export PATH=$TMP/bin:$PATH TENON_INCLUDE=$PWD/runtime/include TENON_RULES=$PWD/rules
folder=$PWD
cd "$TMP/work" || exit 1
tenon optimize model.graph -o model.onnx >"$TMP/log" 2>&1 || { fail "no model.onnx"; cat "$TMP/log"; }
ncommand=0
while read -r command; do
	ncommand=$((ncommand + 1))
	bash -c "$command" >"$TMP/log" 2>&1 || { fail "$command: status $?"; cat "$TMP/log"; }
done < <(sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl //p' "$folder/man/tenon.1" "$folder/man/tenonc.1")
[ $ncommand -ge 5 ] || fail "only $ncommand command lines in the pages"
cd "$folder" || exit 1

# the program that tenon.3 points to; under a sanitizer the library wants the sanitizer's own link
if [ "$BUILD" != asan ]; then
	grep -q '^\.Pa examples/installed/main\.c' man/tenon.3 || fail "tenon.3 names no example"
	${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -Iruntime/include -o "$TMP/program" examples/installed/main.c \
		"$B/libtenon.so" && ln -s "$PWD/$B/libtenon.so" "$TMP/libtenon.so.0" &&
		LD_LIBRARY_PATH=$TMP "$TMP/program" | grep -q 'x + 0 is x$' || fail "examples/installed/main.c"
fi
exit $bad
