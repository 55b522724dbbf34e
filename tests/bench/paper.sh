#!/usr/bin/env bash
# The evaluation of TENSAT, repeated: build/paper/report.md, its tables as CSV, and plots where gnuplot is there.
#
#	tests/bench/paper.sh [MODEL ...]
#
#	K="0 1 2 3"			multi-pattern iterations
#	SETS="published all"		rules
#	TARGETS="t4 a100"		modelled devices
#	TABLES="sweep methods filters programs"
#	LIMIT=20			seconds of exploration, and as many of extraction; past them a cell says "> 20"
#	DIR=build/paper			where all this goes
#	VERIFY=60			seconds of comparing each optimised model with its original; 0: not at all
#
# Every run is kept under cells/ there, by the program that made it: what was stopped goes on where it was.  Costs are
# modelled.  Columns called published are from other hardware and say nothing about this machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
TENON=${TENON:-build/tenon}
LIMIT=${LIMIT:-20} VERIFY=${VERIFY:-60}
read -ra ks <<<"${K:-0 1 2 3}"
read -ra sets <<<"${SETS:-published all}"
read -ra targets <<<"${TARGETS:-t4 a100}"
read -ra tables <<<"${TABLES:-sweep methods filters programs}"
models=("$@")
[ $# != 0 ] || models=(nasrnn bert resnext50 nasneta squeezenet vgg19 inceptionv3 resnet50 mobilenetv2 bert-full)
dir=${DIR:-build/paper}
cells=$dir/cells/$(cat "$TENON" rules/published.rules | cksum | cut -d' ' -f1)
mkdir -p "$cells"
failed=0

# ---- cells -------------------------------------------------------------------------------------------------------

# number or word of a report: FILE OBJECT KEY
value() { tr -d '\n' <"$1" | sed -n 's/.*"'"$2"'": {[^}]*"'"$3"'": "\{0,1\}\([^",}]*\).*/\1/p'; }

# MODEL SET K TARGET OPTIONS...: one run of optimize, kept; the name of its report.  FILE.late: it had to be stopped.
cell() {
	local model=$1 set=$2 k=$3 target=$4 rules=() name file
	shift 4
	name=$model-$set-$k-$target$(printf '%s' "$*" | tr -cd 'a-z0-9-')
	file=$cells/$name.json
	echo "$file"
	[ ! -s "$file" ] && [ ! -e "$file.late" ] || return
	[ "$set" = all ] || rules=(--rules rules/published.rules)
	timeout $((4 * LIMIT + VERIFY)) "$TENON" optimize "$dir/$model.graph" --json "$file" --target "$target" --time "$LIMIT" \
		--extract-time "$LIMIT" --fold-time "$LIMIT" --iterations 15 --nodes 50000 --multi-iterations "$k" \
		"${rules[@]}" "$@" >"$cells/$name.txt" 2>&1
	case $? in
	0) ;;
	124) touch "$file.late" ;;
	*) tail -1 "$cells/$name.txt" >"$file.late" ;;
	esac
}

# "> LIMIT" where a limit held
seconds() { if [ "$2" = 1 ]; then echo "> $LIMIT"; else echo "$1"; fi; }

# FILE: exploration and extraction in seconds, as they are printed
times() {
	local explore extract late
	explore=$(value "$1" seconds saturation)
	extract=$(value "$1" seconds extraction)
	[ "$(value "$1" egraph stop)" = "time limit" ] && late=1 || late=0
	printf '%s,' "$(seconds "$explore" $late)"
	late=$(awk "BEGIN { print ($extract >= $LIMIT) }")
	printf '%s' "$(seconds "$extract" "$late")"
}

# FILE: "proven", or what the cost may be above the least
proof() {
	[ "$(value "$1" extraction proven)" = true ] && { echo proven; return; }
	awk -v after="$(value "$1" cost_ns after)" -v bound="$(value "$1" extraction bound_ns)" \
		'BEGIN { if (bound > 0) printf "gap %.2f %%\n", 100 * (after - bound) / bound; else print "no bound" }'
}

percent() {
	awk -v a="$(value "$1" cost_ns before)" -v b="$(value "$1" cost_ns after)" \
		'BEGIN { printf "%.2f", a ? 100 * (b - a) / a : 0 }'
}

columns=e-nodes,e-classes,log2_choices,explore_s,extract_s,before_us,after_us,change_%,proof,values

# FILE: the columns
row() {
	local f=$1
	if [ ! -s "$f" ]; then
		failed=1
		printf '%s,,,,,,,,,\n' "$(tr ',\n' ';  ' <"$f.late" 2>/dev/null || echo none)" | sed 's/^,/> stopped,/'
		return
	fi
	printf '%s,%s,%s,%s,%s,%s,%s,%s,%s\n' "$(value "$f" egraph nodes)" "$(value "$f" egraph classes)" \
		"$(value "$f" egraph log2_choices)" "$(times "$f")" \
		"$(awk "BEGIN { printf \"%.1f\", $(value "$f" cost_ns before) / 1e3 }")" \
		"$(awk "BEGIN { printf \"%.1f\", $(value "$f" cost_ns after) / 1e3 }")" "$(percent "$f")" "$(proof "$f")" \
		"$(value "$f" values result | tr ',' ';')"
}

is_wanted() { [[ " ${tables[*]} " = *" $1 "* ]]; }

for model in "${models[@]}"; do
	[ -s "$dir/$model.graph" ] || "$TENON" model "$model" -o "$dir/$model.graph" || exit 1
done
# compiled once, outside all cells; from then on it is in the cache
"$TENON" rules --rules rules/published.rules >/dev/null || exit 1

# ---- tables ------------------------------------------------------------------------------------------------------

verify=(--verify-time "$VERIFY")
[ "$VERIFY" != 0 ] || verify=(--no-verify)

# e-graphs, times and costs by k (figure 7); values are compared on the first device
sweep() {
	local how
	echo "model,rules,k,device,$columns"
	for model in "${models[@]}"; do
		for set in "${sets[@]}"; do
			for k in "${ks[@]}"; do
				how=("${verify[@]}")
				for target in "${targets[@]}"; do
					echo "$model,$set,$k,$target,$(row "$(cell "$model" "$set" "$k" "$target" "${how[@]}")")"
					how=(--no-verify)
				done
			done
		done
	done
}

# greed against the exact program (table 4)
methods() {
	echo "model,extract,$columns"
	for model in "${models[@]}"; do
		for how in tree dag ilp; do
			echo "$model,$how,$(row "$(cell "$model" published 1 "${targets[0]}" --extract $how --no-verify)")"
		done
	done
}

# exploration under filters (table 6)
filters() {
	echo "model,k,cycles,$columns"
	for model in "${models[@]}"; do
		for k in 1 2; do
			for how in vanilla efficient none; do
				echo "$model,$k,$how,$(row "$(cell "$model" published "$k" "${targets[0]}" --cycles $how --no-verify)")"
			done
		done
	done
}

# One program as published, by lp_solve alone: E-GRAPH OPTIONS...; seconds and what it came to.
program() {
	local file=$1 text
	shift
	text=$cells/$(basename "$file" .json)$(printf '%s' "$*" | tr -cd 'a-z-').program
	if [ ! -s "$text" ]; then
		timeout $((4 * LIMIT)) "$TENON" extract "$file" --time "$LIMIT" "$@" >"$text" 2>&1 || echo "> stopped" >>"$text"
	fi
	awk -v limit="$LIMIT" '/^choice/ { s = $(NF - 1) } /^cost/ { proof = $3 == "proven" ? "proven" : "gap " $4 " %" } { last = $0 }
		END { if (s == "") print last ","; else print (s >= limit ? "> " limit : s) "," proof }' "$text"
}

# extraction with cycle constraints, with lazy cuts, on a filtered e-graph, and by our own program (table 5)
programs() {
	local whole filtered
	echo "model,k,how,extract_s,proof"
	for model in "${models[@]}"; do
		for k in 1 2; do
			whole=$cells/$model-$k.whole.json filtered=$cells/$model-$k.filtered.json
			cell "$model" published "$k" "${targets[0]}" --extract tree --no-verify --egraph "$whole" >/dev/null
			cell "$model" published "$k" "${targets[0]}" --extract tree --no-verify --cycles efficient --egraph "$filtered" >/dev/null
			if [ ! -s "$whole" ] || [ ! -s "$filtered" ]; then
				failed=1
				continue
			fi
			echo "$model,$k,real order,$(program "$whole" --method ilp-plain --cycles real)"
			echo "$model,$k,whole order,$(program "$whole" --method ilp-plain --cycles whole)"
			echo "$model,$k,lazy cuts,$(program "$whole" --method ilp-plain --cycles lazy)"
			echo "$model,$k,filtered,$(program "$filtered" --method ilp-plain --cycles lazy)"
			echo "$model,$k,reductions and cuts,$(program "$whole" --method ilp)"
		done
	done
}

for t in "${tables[@]}"; do
	"$t" >"$dir/$t.new.csv" || exit 1
	mv "$dir/$t.new.csv" "$dir/$t.csv"
	echo "$dir/$t.csv"
done

# ---- report ------------------------------------------------------------------------------------------------------

# beside what was published: ours of the sweep with published rules at k = 1 on the first device
published() {
	echo "model,explore_s + extract_s,TENSAT published s,TASO published s,change_% modelled,TENSAT published speedup %,TASO" \
		"published speedup %"
	awk -F, -v target="${targets[0]}" '
		NR == FNR { p[$1] = $2 "," $3; q[$1] = $4 "," $5; next }
		$2 == "published" && $3 == 1 && $4 == target && ($1 in p) {
			s = ($8 ~ /^>/ || $9 ~ /^>/) ? $8 " + " $9 : sprintf("%.2f", $8 + $9)
			print $1 "," s "," p[$1] "," $12 "," q[$1]
		}' <(sed 's/ *#.*//' tests/bench/paper.csv) "$dir/sweep.csv"
}

# CSV as a Markdown table
table() { sed 's/^/| /;s/,/ | /g;s/$/ |/' "$1" | sed '1{p;s/[^|]*[^| ][^|]*/ --- /g}'; }

section() {
	is_wanted "$1" || return
	printf '\n## %s\n\n' "$2"
	[ -z "${3:-}" ] || printf '%s\n\n' "$3"
	table "$dir/$1.csv"
}

! is_wanted sweep || published >"$dir/published.csv"
{
	echo "# Published networks"
	echo
	echo "Costs are modelled, for ${targets[*]}; tables without a device are of ${targets[0]}.  50,000 e-nodes, 15" \
		"iterations.  A cell has $LIMIT s to explore and $LIMIT s to extract and says \"> $LIMIT\" past them.  log2_choices is the sum of log2 of the" \
		"number of nodes over the classes that outputs reach: no fewer choices than there are graphs."
	echo
	echo "What is called published was measured elsewhere, on other hardware (one T4 and 16 cores), and is no statement" \
		"about this machine."
	if is_wanted sweep; then
		printf '\n## Beside the published figures: published rules, k = 1 (table 1)\n\n'
		table "$dir/published.csv"
	fi
	section sweep "Multi-pattern iterations (figure 7)"
	section methods "Greed against the exact program: published rules, k = 1 (table 4)" \
		"Published, ms: original, greedy, ILP: BERT 1.88, 1.88, 1.73; NasNet-A 17.8, 22.5, 16.6."
	section filters "Cycle filters: published rules (table 6)" \
		"Published exploration, k = 2, vanilla against efficient: NasRNN 2932 s, 1.47 s; NasNet-A > 3600 s, 8.62 s."
	section programs "Programs as published and our own: published rules (table 5)" \
		"Published: NasRNN, k = 1, with cycle constraints 1116 s, without 0.32 s; BERT, NasRNN, NasNet-A, k = 2: with > 3600 s each, \
without 510.3, 356.7, 75.1 s."
} >"$dir/report.md"

# ---- plots -------------------------------------------------------------------------------------------------------

# COLUMN TITLE: by k, a line a model, all rules or the last set
plot() {
	local model
	for model in "${models[@]}"; do
		awk -F, -v m="$model" -v set="${sets[-1]}" -v target="${targets[0]}" -v c="$1" \
			'$1 == m && $2 == set && $4 == target && $c ~ /^-?[0-9.]+$/ { print $3, $c }' "$dir/sweep.csv" >"$dir/$model.dat"
	done
	{
		printf 'set terminal svg size 800,500; set output "%s"; set title "%s"; set xlabel "multi-pattern iterations"; set xtics 1\n' \
			"$dir/$3.svg" "$2"
		[ -z "${4:-}" ] || echo "$4"
		printf 'plot '
		for model in "${models[@]}"; do
			[ ! -s "$dir/$model.dat" ] || printf '"%s" using 1:2 with linespoints title "%s", ' "$dir/$model.dat" "$model"
		done
		echo
	} | gnuplot
}

if ! command -v gnuplot >/dev/null; then
	echo "plots are left out: no gnuplot here"
elif is_wanted sweep; then
	plot 12 "change of the modelled cost, %" cost
	plot 5 "e-nodes" nodes "set logscale y"
	plot 8 "exploration, seconds" explore
fi
echo "$dir/report.md"
[ $failed = 0 ]
