#!/usr/bin/env bash
# The evaluation of TENSAT, repeated: build/paper/report.md, and its tables as CSV.
#
#	tests/bench/paper.sh [MODEL …]
#
# A cell has 20 seconds (LIMIT) and prints "> 20" past them.  Costs are modelled; the columns called
# published are from other hardware and say nothing about this machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
TENON=${TENON:-build/tenon}
LIMIT=${LIMIT:-20}
dir=build/paper
mkdir -p "$dir"
models=("$@")
[ $# != 0 ] || models=(nasrnn bert resnext50 nasneta squeezenet vgg19 inceptionv3 resnet50 mobilenetv2)

# seconds of TENSAT's exploration and extraction on a T4, k = 1 (paper, table 1)
published() {
	case $1 in
	bert) echo 1.4 ;; resnext50) echo 0.7 ;; nasneta) echo 10.6 ;; nasrnn) echo 0.5 ;;
	inceptionv3) echo 5.1 ;; squeezenet) echo 0.3 ;; vgg19) echo 0.4 ;; *) echo - ;;
	esac
}

# value of a key of a report: at its first place, or inside an object
field() { tr -d '\n' <"$1" | grep -oE "$2" | head -1 | grep -oE '[-0-9.]+|true|false' | tail -1; }

# NAME, options: one run as "seconds operators costs e-nodes …", or "> LIMIT"
run() {
	local name=$1 json=$dir/run.json from to status
	shift
	rm -f "$json"
	from=$(date +%s.%N)
	timeout "$((LIMIT * 3))" "$TENON" optimize "$dir/$name.graph" --json "$json" --time "$LIMIT" --extract-time "$LIMIT" \
		--iterations 15 --nodes 50000 "$@" >"$dir/run.txt" 2>&1
	status=$?
	to=$(date +%s.%N)
	if [ $status = 124 ] || [ $status = 130 ]; then
		echo "> $LIMIT,,,,,,,"
		return
	fi
	if [ $status != 0 ] || [ ! -s "$json" ]; then
		echo "failed: $(tail -1 "$dir/run.txt" | tr ',' ' '),,,,,,,"
		return
	fi
	local explore extract
	explore=$(sed -n 's/^e-graph.* \([0-9.]*\) s$/\1/p' "$dir/run.txt")
	extract=$(sed -n 's/^extraction.* \([0-9.]*\) s$/\1/p' "$dir/run.txt")
	printf '%s,%s,%s,%s,%s,%s,%s,%s\n' "$(awk "BEGIN { printf \"%.1f\", $to - $from }")" "$explore" "$extract" \
		"$(field "$json" '"nodes": *[0-9]+')" "$(field "$json" '"classes": *[0-9]+')" \
		"$(field "$json" '"cost_ns": *\{"before": *[0-9]+')" "$(field "$json" '"after": *[0-9]+\},? *"extraction|"cost_ns": *\{[^}]*"after": *[0-9]+')" \
		"$(field "$json" '"proven": *(true|false)')"
}

# CSV as a Markdown table
table() { sed '1{p;s/[^,]*/---/g};s/^/| /;s/,/ | /g;s/$/ |/' "$1"; }

columns=total_s,explore_s,extract_s,e-nodes,e-classes,cost_before_ns,cost_after_ns,proven
for name in "${models[@]}"; do
	"$TENON" model "$name" -o "$dir/$name.graph" || exit 1
done

# compiled once, outside all cells; from then on it is in the cache
"$TENON" rules --rules rules/published.rules >/dev/null || exit 1

sweep=$dir/sweep.csv
echo "model,rules,k,$columns,published_s" >"$sweep"
for name in "${models[@]}"; do
	for set in published all; do
		rules=()
		[ $set = all ] || rules=(--rules rules/published.rules)
		for k in 0 1 2 3; do
			p=-
			[ $k != 1 ] || p=$(published "$name")
			echo "$name,$set,$k,$(run "$name" "${rules[@]}" --multi-iterations $k --no-verify),$p" | tee -a "$sweep"
		done
	done
done

# greed against the exact program (table 4), on the published rules
methods=$dir/methods.csv
echo "model,extract,$columns" >"$methods"
for name in "${models[@]}"; do
	for how in tree dag ilp; do
		echo "$name,$how,$(run "$name" --rules rules/published.rules --extract $how --no-verify)" | tee -a "$methods"
	done
done

# every optimised model, compared with its original
verified=$dir/verified.csv
echo "model,values,rules" >"$verified"
for name in "${models[@]}"; do
	run "$name" --verify-time 120 >"$dir/verified.txt"
	echo "$name,$(sed -n 's/^values *//p' "$dir/run.txt" | tr ',' ';'),$(sed -n 's/^rules *//p' "$dir/run.txt" | tr ',' ';')" | tee -a "$verified"
done

# cycles, where the program can filter them (table 6)
filters=$dir/filters.csv
if "$TENON" optimize --help | grep -q -- --cycles; then
	echo "model,cycles,$columns" >"$filters"
	for name in "${models[@]}"; do
		for how in vanilla efficient none; do
			echo "$name,$how,$(run "$name" --rules rules/published.rules --cycles $how --no-verify)" | tee -a "$filters"
		done
	done
fi

{
	echo "# Published networks"
	echo
	echo "Costs are $(sed -n 's/.*(.*, \(modelled [a-z0-9]*\)).*/\1/p' "$dir/run.txt" | head -1), in nanoseconds. 50,000 e-nodes, 15 iterations; a cell has $LIMIT s."
	echo "published_s is TENSAT's exploration and extraction on a T4 with 16 cores: published elsewhere, on other hardware."
	echo
	echo "## Multi-pattern iterations"
	echo
	table "$sweep"
	echo
	echo "## Greed against the exact program, published rules, k = 1"
	echo
	table "$methods"
	[ ! -e "$filters" ] || { echo; echo "## Cycle filters, published rules, k = 1"; echo; table "$filters"; }
	echo
	echo "## Values, all rules, k = 1"
	echo
	table "$verified"
} >"$dir/report.md"
echo "$dir/report.md"
