#!/usr/bin/env bash
# What there is to run where a GPU is, in one go of at most ten minutes.
#
#	tests/device.sh [FOLDER [MODEL…]]	where the GPU is: all of it; squeezenet, nasrnn and bert without models
#	tests/device.sh carry			where Tenon can be built: programs and libraries to build/carry, for a machine with a GPU
#						that cannot build; copy it there with the sources
#
# FOLDER (OUT, or build/device) gets four files, each written as soon as there is something to say: log, operators and
# operators-more, and results.tar.gz with tables, reports and times.  The programs are build/carry's, if they were made of these
# sources; else those that make gives; else build/carry's all the same, which is said.  PROGRAMS names another folder of them,
# LIMIT_S the seconds in all, USES and RUNS how often operators and models run, RULES a file of the operators.
#
# Every operator against the reference executor, in some uses; original and optimised models on the device, in turns; operators
# in more uses; a table of measured costs of each network, what is optimised with it, and that on the device.  What fails stops
# nothing else.  Ends with status 0 if all of it ran and agreed, 1 if not, 3 where no GPU can be used or nothing can be built.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
carry=build/carry
end=$((SECONDS + ${LIMIT_S:-570}))
bad=0

# one number for all that programs are made of
sources() { find Makefile dsl gen runtime rules models -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum; }

# ---- building ---------------------------------------------------------------------------------------------------------

# The programs, the plug-in, and those of their libraries that are no system's own.
carry() {
	local library
	make -s all || return 1
	[ -e build/targets/cuda.so ] || { echo "no CUDA target was built: CUDA or cuDNN is missing"; return 3; }
	rm -rf $carry
	mkdir -p $carry/targets $carry/lib && cp build/tenon $carry && cp build/targets/cuda.so $carry/targets || return 2
	ldd build/tenon | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | while read -r library; do
		case ${library##*/} in
		libc.so* | libm.so* | libdl.so* | libpthread.so*) ;;
		*) cp -L "$library" $carry/lib || return 2 ;;
		esac
	done || return
	sources >$carry/sources
	echo "$carry: $(du -sk $carry | cut -f 1) kB"
}

# what make lacks here, in words
lacking() {
	local tool header
	for tool in "${CC:-cc}" make flex bison; do command -v "$tool" >/dev/null || echo "$tool"; done
	for header in lpsolve/lp_lib.h jansson.h zlib.h cudnn.h; do
		echo "#include <$header>" | "${CC:-cc}" -I/usr/local/cuda/include -E - >/dev/null 2>&1 || echo "$header"
	done
}

# Sets programs to the folder of tenon and of targets/ (PROGRAMS, where that is set); false: there are none.
find_programs() {
	local lacks
	programs=${PROGRAMS:-$carry}
	[ -n "${PROGRAMS:-}" ] && return
	[ -e $carry/tenon ] && chmod +x $carry/tenon
	[ -x $carry/tenon ] && [ "$(sources)" = "$(cat $carry/sources)" ] && return
	programs=build
	lacks=$(lacking | tr '\n' ' ')
	if [ -z "$lacks" ]; then
		make -s all && [ -e build/targets/cuda.so ] && return
		lacks="a build without errors"
	fi
	programs=$carry
	[ -x $carry/tenon ] && { echo "take care: $carry is of other sources than these"; return; }
	echo "nothing can be built here, for want of: $lacks"
	echo "'tests/device.sh carry' makes $carry where it can, for this machine to run"
	return 1
}

# Folders of libraries that the loader does not find by itself: Python's packages bring some of CUDA's.
find_libraries() {
	local library at
	for library in $(ldd "$programs/targets/cuda.so" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p') libcuda.so.1; do
		ldconfig -p 2>/dev/null | grep -F "$library" >/dev/null && continue
		at=$(find /usr /opt ${HOME:+"$HOME"} -name "$library" ! -path '*/stubs/*' -print -quit 2>/dev/null)
		[ -z "$at" ] && echo "$library is not here" && continue
		LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${at%/*}
	done
	export LD_LIBRARY_PATH
}

# ---- stages -----------------------------------------------------------------------------------------------------------

# results so far, in one piece; models can be made again, and are large
save() { tar -C "$work" --exclude='*.onnx' -czf "$work.tar.gz" . && mv "$work.tar.gz" "$out/results.tar.gz"; }

# within SECONDS COMMAND…: and within what is left; 124: the time was up
within() {
	local most=$1
	shift
	[ $((end - SECONDS)) -lt "$most" ] && most=$((end - SECONDS))
	[ "$most" -gt 0 ] || { echo "no time is left for: $*" >&2; return 124; }
	timeout -s INT -k 10 "$most" "$@"
}

# stage SECONDS FILE COMMAND…: what it prints goes to the file
stage() {
	local most=$1 file=$2 rc=0 start=$SECONDS
	shift 2
	within "$most" "$@" >"$file" 2>"$work/stderr" || rc=$?
	[ $rc = 0 ] && return
	cat "$work/stderr"
	echo "status $rc after $((SECONDS - start)) s: $*"
	bad=1
	return $rc
}

# operators FILE USES SEED.  A fault of one may leave the device useless to its process: those behind it are tried again, each by
# itself.
operators() {
	local file=$out/$1 op first=
	shift
	printf '\n== operators in %s random uses each, against the reference executor ==\n' "$1"
	set -- "$tenon" targets --selftest cuda --uses "$1" --seed "$2" ${RULES:+--rules "$RULES"}
	stage 240 "$file" "$@" || for op in $(sed -n 's/^(op \([^ ]*\).*/\1/p' "${RULES:-rules/tensor.rules}"); do
		grep -q "^$op .*: equal$" "$file" && continue
		[ -n "$first" ] || { first=$op; continue; }
		stage 30 "$work/operator" "$@" --only "$op"
		sed -e '1s/.*/by itself:/' -e '$d' "$work/operator" >>"$file"
	done
	grep -v ': equal$' "$file" | sed 1d
}

# each model on the device and by the reference executor
compare() {
	local name
	for name; do
		stage 60 "$work/$name.compare" "$tenon" compare --target cuda --seeds 1 "$work/$name.onnx" &&
			echo "$name: $(tail -n 1 "$work/$name.compare")"
	done
}

# three times each of the models, in turns
times() {
	local name
	for _ in 1 2 3; do
		for name; do
			stage 30 "$work/$name.run" "$tenon" run --target cuda --bench "${RUNS:-200}" -v "$work/$name.onnx" &&
				sed -n "s/.* runs on /$name: &/p" "$work/$name.run" | tee -a "$work/times"
		done
	done
}

limits="--iterations 4 --nodes 3000"

# optimised for a model of the device
modelled() {
	printf '\n== %s, optimised with modelled costs ==\n' "$1"
	# shellcheck disable=SC2086
	stage 60 "$work/$1-modelled.report" "$tenon" optimize "$work/$1.onnx" -f -o "$work/$1-modelled.onnx" --target h200 $limits \
		--extract-time 20 --verify-time 30 || return
	compare "$1" "$1-modelled"
	times "$1" "$1-modelled"
}

# optimised with what was measured; the table keeps what there was time for, the rest is modelled
measured() {
	local rc=0
	printf '\n== %s, optimised with measured costs ==\n' "$1"
	# shellcheck disable=SC2086
	within 60 "$tenon" profile --target cuda --device h200 $limits -o "$work/$1.costs" "$work/$1.onnx" \
		>"$work/$1.profile" 2>&1 || rc=$?
	tail -n 2 "$work/$1.profile"
	case $rc in
	0) ;;
	124 | 130) echo "not all was measured within 60 s" ;;
	*) echo "status $rc: tenon profile $1"; bad=1 ;;
	esac
	# shellcheck disable=SC2086
	stage 120 "$work/$1-measured.report" "$tenon" optimize "$work/$1.onnx" -f -o "$work/$1-measured.onnx" --target cuda \
		--costs "$work/$1.costs" $limits --extract-time 20 --verify-time 30 || return
	cat "$work/$1-measured.report"
	compare "$1-measured"
	times "$1" "$1-measured"
}

# ---- all of it --------------------------------------------------------------------------------------------------------

all() {
	local model name names=()
	nvidia-smi -L 2>/dev/null
	find_programs || exit 3
	tenon=$programs/tenon
	[ -d "$programs/lib" ] && LD_LIBRARY_PATH=$PWD/$programs/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	find_libraries
	"$tenon" targets cuda 2>&1 | tee "$work/targets" || exit 3
	operators operators "${USES:-4}" 1
	save
	for model; do
		name=${model##*/}
		name=${name%.*}
		if [ -e "$model" ]; then
			stage 60 "$work/$name.model" "$tenon" optimize --no-rules --no-verify "$model" -o "$work/$name.onnx" || continue
		else
			stage 60 "$work/$name.model" "$tenon" model "$model" -o "$work/$name.onnx" || continue
		fi
		names+=("$name")
	done
	for name in "${names[@]}"; do modelled "$name"; save; done
	operators operators-more "${USES:-20}" 2
	for name in "${names[@]}"; do measured "$name"; save; done
	printf '\n'
	[ -e "$work/times" ] && sort "$work/times"
	[ $bad = 0 ] && echo "all of it ran and agreed" || echo "something failed, see above"
	exit $bad
}

[ "${1:-}" = carry ] && { carry; exit; }
out=${1:-${OUT:-build/device}}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- squeezenet nasrnn bert
mkdir -p "$out" && work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
(all "$@") 2>&1 | tee "$out/log"
