#!/usr/bin/env bash
# Who may include whom, and one door for each vendor's header.
set -u
bad=0

# folder: folders whose headers it may include beside its own and tenon/ (the public ones)
allowed() {
	case $1 in
	runtime/base) echo "" ;;
	runtime/expr) echo "base" ;;
	dsl) echo "base expr" ;;
	gen) echo "base expr dsl" ;;
	runtime/egraph) echo "base expr" ;;
	runtime/saturate) echo "base egraph" ;;
	runtime/extract) echo "base egraph" ;;
	runtime/tensor) echo "base expr egraph saturate" ;;
	runtime/cost) echo "base expr tensor" ;;
	runtime/target) echo "base tensor cost" ;;
	runtime/ref) echo "base expr tensor" ;;
	runtime/explain) echo "base egraph tensor" ;;
	runtime/verify) echo "base expr tensor ref" ;;
	runtime/onnx) echo "base expr tensor" ;;
	runtime/cmd) echo "base" ;;
	models) echo "base" ;;
	esac
}

for dir in dsl gen models runtime/*/; do
	dir=${dir%/}
	[ "$dir" = runtime/include ] && continue
	own=${dir##*/}
	for file in "$dir"/*.[chly]; do
		[ -e "$file" ] || continue
		while read -r header; do
			from=${header%%/*}
			case " $own tenon $(allowed "$dir") " in
			*" $from "*) ;;
			*) echo "$file includes $header: $dir may not"; bad=1 ;;
			esac
		done < <(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\(.*\)".*/\1/p' "$file")
	done
done

# header pattern, the files that may name it
door() {
	local hits
	hits=$(grep -lE "#[ ]*include[ ]*<$1" -r dsl gen models runtime --include='*.[chly]' | grep -vE "^($2)$")
	[ -z "$hits" ] || { echo "<$1…> belongs to $2 alone, but stands in:" "$hits"; bad=1; }
}
door 'lpsolve/' 'runtime/extract/lp\.c'
door 'jansson\.h' 'runtime/extract/file\.c'
door 'zlib\.h' 'runtime/egraph/gzip\.c'
door '(cudnn|cublas|cuda|nvrtc)' 'runtime/target/cuda.*\.[ch]'
door '(dnnl|oneapi)' 'runtime/target/cpu.*\.[ch]'
door '(onnx|google/protobuf)' 'none'

# generated code sees one header
if grep -n '#include' build/obj/builtin.c 2>/dev/null | grep -v '"tenon/match.h"'; then
	echo "generated code includes more than tenon/match.h"
	bad=1
fi
exit $bad
