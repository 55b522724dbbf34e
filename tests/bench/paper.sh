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
#	VERIFY=300			seconds of folding constants, and of comparing each optimised model with its original
#	GROWTH=100			per cent that folding may add to the weights; the paper has no such limit
#	JOBS=…				cells that run at once: as many as there are processors
#	DIR=build/paper			where all this goes
#
# Every run is kept under cells/ there, by the program that made it: what was stopped goes on where it was.  Costs are
# modelled.  Columns called published are from other hardware and say nothing about this machine.
#
# Status 1: a cell did not end, values differ or were not compared, a cost is above the original's or the greedy choice's,
# or one of the models that are to gain does not.
set -u
cd "$(dirname "$0")/../.." || exit 2
TENON=${TENON:-build/tenon}
LIMIT=${LIMIT:-20} VERIFY=${VERIFY:-300} GROWTH=${GROWTH:-100} JOBS=${JOBS:-$(nproc)}
read -ra ks <<<"${K:-0 1 2 3}"
read -ra sets <<<"${SETS:-published all}"
read -ra targets <<<"${TARGETS:-t4 a100}"
read -ra tables <<<"${TABLES:-sweep methods filters programs}"
models=("$@")
[ $# != 0 ] || models=(nasrnn bert resnext50 nasneta squeezenet vgg19 inceptionv3 resnet50 mobilenetv2 bert-full)
dir=${DIR:-build/paper}
cells=$dir/cells/$(cat "$TENON" rules/compared/published.rules | cksum | cut -d' ' -f1)-$GROWTH
mkdir -p "$cells"
exec 3>&1

# what fails the run; said at once, and in the report
: >"$dir/faults"
fault() { echo "$1" | tee -a "$dir/faults" >&3; }

# ---- cells -------------------------------------------------------------------------------------------------------

# number or word of a report: FILE OBJECT KEY
value() { tr -d '\n' <"$1" | sed -n 's/.*"'"$2"'": {[^}]*"'"$3"'": "\{0,1\}\([^",}]*\).*/\1/p'; }

# FILE MODEL: what stands for the graph that was chosen; it is there once values of that graph were compared
mark_of() { echo "$cells/$2-$(sed -n 's/^  "result": "\([0-9a-f]*\)".*/\1/p' "$1").equal"; }

# FILE OPTIONS...: one run of optimize; FILE.late: how it ended, if badly
optimize() {
	local file=$1
	shift
	timeout $((6 * LIMIT + 3 * VERIFY)) "$TENON" optimize "$@" --json "$file.new" >"${file%.json}.txt" 2>&1
	case $? in
	0) mv "$file.new" "$file" ;;
	124) echo >"$file.late" ;;
	*) tail -1 "${file%.json}.txt" >"$file.late" ;;
	esac
}

# FILE MODEL OPTIONS...: the run of a cell.  Of one graph, whatever it was chosen for, values are compared once; --no-verify: only
# its cost is wanted.
run_cell() {
	local file=$1 model=$2
	shift 2
	if [[ " $* " = *" --no-verify "* ]]; then
		optimize "$file" "$@"
		return
	fi
	optimize "$file" "$@" --no-verify
	[ ! -e "$file.late" ] && [ "$(value "$file" values result)" = "not verified" ] && [ ! -e "$(mark_of "$file" "$model")" ] || return
	optimize "$file" "$@" --verify-time "$VERIFY"
	[ -e "$file.late" ] || [ "$(value "$file" values result)" != equal ] || : >"$(mark_of "$file" "$model")"
}

# in turn, JOBS at a time: COMMAND ARGUMENTS...
start() {
	while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done
	"$@" &
}

# MODEL SET K TARGET OPTIONS...: $file is the report of a run of optimize, which is started if it was not made before
declare -A started
cell() {
	local model=$1 set=$2 k=$3 target=$4 rules=()
	shift 4
	file=$cells/$model-$set-$k-$target$(printf '%s' "$*" | tr -cd 'a-z0-9-').json
	[ -z "${started[$file]:-}" ] && [ ! -s "$file" ] && [ ! -e "$file.late" ] || return 0
	started[$file]=1
	[ "$set" = all ] || rules=(--rules rules/compared/published.rules)
	echo "$model, $set rules, k = $k, $target $*" >&3
	start run_cell "$file" "$model" "$dir/$model.graph" --target "$target" --time "$LIMIT" --extract-time "$LIMIT" \
		--fold-time "$VERIFY" --max-growth "$GROWTH" --iterations 15 --nodes 50000 --multi-iterations "$k" "${rules[@]}" "$@"
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

# FILE: "proven", or what the cost may be above the least, and whether that is what weights may not grow to
proof() {
	local why=
	[ "$(value "$1" extraction proven)" = true ] && { echo proven; return; }
	! grep -q 'max-growth excludes' "${1%.json}.txt" || why=" (growth)"
	awk -v after="$(value "$1" cost_ns after)" -v bound="$(value "$1" extraction bound_ns)" -v why="$why" \
		'BEGIN { if (bound > 0) printf "gap %.2f %%%s\n", 100 * (after - bound) / bound, why; else print "no bound" }'
}

# FILE MODEL: how the values compared
values() {
	local how
	how=$(value "$1" values result)
	[ "$how" != "not verified" ] || [ ! -e "$(mark_of "$1" "$2")" ] || how=equal
	echo "$how" | tr ',' ';'
}

microseconds() { awk -v ns="$1" 'BEGIN { printf "%.1f", ns / 1e3 }'; }

percent() {
	awk -v a="$(value "$1" cost_ns before)" -v b="$(value "$1" cost_ns after)" \
		'BEGIN { printf "%.2f", a ? 100 * (b - a) / a : 0 }'
}

columns=e-nodes,e-classes,log2_choices,explore_s,extract_s,before_us,after_us,change_%,proof,values

# MODEL: the columns of the cell in $file
row() {
	local f=$file how
	if [ -e "$f.late" ] || [ ! -s "$f" ]; then
		fault "$f: $(cat "$f.late" 2>/dev/null)"
		printf '%s,,,,,,,,,\n' "$(tr ',\n' ';  ' <"$f.late" 2>/dev/null || echo none)" | sed 's/^ *,/> stopped,/'
		return
	fi
	how=$(values "$f" "$1")
	[ "$how" != "not verified" ] || fault "$f: values were not compared"
	[ "$(value "$f" cost_ns after)" -le "$(value "$f" cost_ns before)" ] || fault "$f: dearer than the original"
	printf '%s,%s,%s,%s,%s,%s,%s,%s,%s\n' "$(value "$f" egraph nodes)" "$(value "$f" egraph classes)" \
		"$(value "$f" egraph log2_choices)" "$(times "$f")" "$(microseconds "$(value "$f" cost_ns before)")" \
		"$(microseconds "$(value "$f" cost_ns after)")" "$(percent "$f")" "$(proof "$f")" "$how"
}

is_wanted() { [[ " ${tables[*]} " = *" $1 "* ]]; }

for model in "${models[@]}"; do
	[ -s "$dir/$model.graph" ] || "$TENON" model "$model" -o "$dir/$model.graph" || exit 1
done
# compiled once, outside all cells; from then on it is in the cache
"$TENON" rules --rules rules/compared/published.rules >/dev/null || exit 1

# ---- tables ------------------------------------------------------------------------------------------------------

# in an order that has different models side by side: cells of one often choose the same graph, and values of that are compared once
sweep_cells() {
	local how options
	for how in ilp dag; do
		options=()
		[ "$how" = ilp ] || options=(--extract "$how" --no-verify)
		for k in "${ks[@]}"; do
			for set in "${sets[@]}"; do
				for target in "${targets[@]}"; do
					for model in "${models[@]}"; do cell "$model" "$set" "$k" "$target" "${options[@]}"; done
				done
			done
		done
	done
}

# e-graphs, times and costs by k (figure 7); beside them greed on the same e-graph, and the best of k so far
sweep() {
	local ours best dag greedy
	is_ready || { sweep_cells; return; }
	echo "model,rules,k,device,$columns,greedy_us,best_us"
	for model in "${models[@]}"; do
		for set in "${sets[@]}"; do
			for target in "${targets[@]}"; do
				best=
				for k in "${ks[@]}"; do
					cell "$model" "$set" "$k" "$target" --extract dag --no-verify
					greedy=$file
					cell "$model" "$set" "$k" "$target"
					dag=$(value "$greedy" cost_ns after 2>/dev/null)
					ours=$(value "$file" cost_ns after 2>/dev/null)
					[ -n "$dag" ] || fault "$greedy: $(cat "$greedy.late" 2>/dev/null)"
					[ -z "$dag" ] || [ "${ours:-0}" -le "$dag" ] || fault "$file: dearer than the greedy choice"
					[ -n "$best" ] && [ "${ours:-$best}" -ge "$best" ] || best=$ours
					echo "$model,$set,$k,$target,$(row "$model"),$(microseconds "$dag"),$(microseconds "$best")"
				done
			done
		done
	done
}

# greed against the exact program (table 4)
methods() {
	local options
	echo "model,extract,$columns"
	for model in "${models[@]}"; do
		for how in tree dag ilp; do
			options=(--extract "$how")
			[ "$how" != ilp ] || options=()
			cell "$model" published 1 "${targets[0]}" "${options[@]}"
			! is_ready || echo "$model,$how,$(row "$model")"
		done
	done
}

# exploration under filters (table 6)
filters() {
	local options
	echo "model,k,cycles,$columns"
	for model in "${models[@]}"; do
		for k in 1 2; do
			for how in vanilla efficient none; do
				options=(--cycles "$how")
				[ "$how" != none ] || options=()
				cell "$model" published "$k" "${targets[0]}" "${options[@]}"
				! is_ready || echo "$model,$k,$how,$(row "$model")"
			done
		done
	done
}

# TEXT E-GRAPH OPTIONS...: one program, kept
run_program() {
	local text=$1
	shift
	timeout $((4 * LIMIT)) "$TENON" extract "$@" --time "$LIMIT" >"$text.new" 2>&1 || echo "> stopped" >>"$text.new"
	mv "$text.new" "$text"
}

# The same, started if it was not made before; seconds and what it came to.
program() {
	local text
	text=$cells/$(basename "$1" .json)$(printf '%s' "${*:2}" | tr -cd 'a-z-').program
	[ -s "$text" ] || start run_program "$text" "$@"
	! is_ready || awk -v limit="$LIMIT" '
		/^choice/ { s = $(NF - 1) } /^cost/ { proof = $3 == "proven" ? "proven" : "gap " $4 " %" } { last = $0 }
		END { if (s == "") print last ","; else print (s >= limit ? "> " limit : s) "," proof }' "$text"
}

# MODEL K WHOLE FILTERED: those of the published program, and ours
programs_of() {
	local how
	for how in "real order:$3:ilp-plain --cycles real" "whole order:$3:ilp-plain --cycles whole" "lazy cuts:$3:ilp-plain --cycles lazy" \
		"filtered:$4:ilp-plain --cycles lazy" "reductions and cuts:$3:ilp"; do
		IFS=: read -r name egraph method <<<"$how"
		read -ra method <<<"$method"
		is_ready && printf '%s,%s,%s,' "$1" "$2" "$name"
		program "$egraph" --method "${method[@]}"
	done
}

# extraction with cycle constraints, with lazy cuts, on a filtered e-graph, and by our own program, on the models of table 5
programs() {
	local whole filtered
	echo "model,k,how,extract_s,proof"
	for model in "${models[@]}"; do
		[[ " bert nasrnn nasneta " = *" $model "* ]] || continue
		for k in 1 2; do
			whole=$cells/$model-$k.whole.json filtered=$cells/$model-$k.filtered.json
			cell "$model" published "$k" "${targets[0]}" --extract tree --egraph "$whole"
			cell "$model" published "$k" "${targets[0]}" --extract tree --cycles efficient --egraph "$filtered"
			if [ -s "$whole" ] && [ -s "$filtered" ]; then
				programs_of "$model" "$k" "$whole" "$filtered"
			elif is_ready; then
				fault "$model, k = $k: no e-graph to extract from"
			fi
		done
	done
}

# All that the tables want is run first.
ready=0
is_ready() { [ $ready = 1 ]; }
run_all() {
	for t in "${tables[@]}"; do "$t" >/dev/null; done
	wait
}
run_all
run_all		# programs, which take e-graphs that cells made
ready=1
for t in "${tables[@]}"; do
	"$t" >"$dir/$t.new.csv" || exit 1
	mv "$dir/$t.new.csv" "$dir/$t.csv"
	echo "$dir/$t.csv"
done

# ---- report ------------------------------------------------------------------------------------------------------

# beside what was published: ours of the sweep at k = 1 on the first device
published() {
	echo "model,rules,explore_s + extract_s,TENSAT published s,share of it %,TASO published s,change_% modelled,TENSAT published" \
		"speedup %,TASO published speedup %"
	awk -F, -v target="${targets[0]}" '
		NR == FNR { p[$1] = $2; r[$1] = $3; q[$1] = $4 "," $5; next }
		$3 == 1 && $4 == target && ($1 in p) {
			is_late = $8 ~ /^>/ || $9 ~ /^>/
			s = is_late ? $8 " + " $9 : sprintf("%.3f", $8 + $9)
			share = is_late ? "" : sprintf("%.1f", 100 * ($8 + $9) / p[$1])
			print $1 "," $2 "," s "," p[$1] "," share "," r[$1] "," $12 "," q[$1]
		}' <(sed 's/ *#.*//' tests/bench/paper.csv) "$dir/sweep.csv"
}

# FILE: rules, and how often each was applied on the way to the choice
contributed() {
	sed -n '/"contributed"/,/\]/s/.*"name": "\(.*\)", "applications": \([0-9]*\).*/\1 \2/p' "$1" | paste -sd';' | sed 's/;/; /g'
}

# the rules that made the cheapest graph of each model, whatever k
gains() {
	local ours best best_k
	echo "model,rules,device,k,change_%,made by"
	for model in "${models[@]}"; do
		for set in "${sets[@]}"; do
			best='' best_k=''
			for k in "${ks[@]}"; do
				cell "$model" "$set" "$k" "${targets[0]}"
				[ -s "$file" ] || continue
				ours=$(value "$file" cost_ns after)
				[ -n "$best" ] && [ "$ours" -ge "$best" ] || best=$ours best_k=$k
			done
			[ -n "$best" ] || continue
			cell "$model" "$set" "$best_k" "${targets[0]}"
			echo "$model,$set,${targets[0]},$best_k,$(percent "$file"),$(contributed "$file")"
			[[ " nasrnn bert squeezenet inceptionv3 nasneta resnext50 " != *" $model "* ]] || [ "$set" != all ] ||
				[ "$best" -lt "$(value "$file" cost_ns before)" ] || fault "$model: nothing was gained"
		done
	done
}

# CSV as a Markdown table
table() { sed 's/^/| /;s/,/ | /g;s/$/ |/' "$1" | sed '1{p;s/[^|]*[^| ][^|]*/ --- /g}'; }

section() {
	is_wanted "$1" || return
	printf '\n## %s\n\n' "$2"
	[ -z "${3:-}" ] || printf '%s\n\n' "$3"
	table "$dir/$1.csv"
}

! is_wanted sweep || { published >"$dir/published.csv"; gains >"$dir/gains.csv"; }
{
	echo "# Published networks"
	echo
	echo "Costs are modelled, for ${targets[*]}; tables without a device are of ${targets[0]}.  50,000 e-nodes, 15" \
		"iterations.  A cell has $LIMIT s to explore and $LIMIT s to extract and says \"> $LIMIT\" past them; $JOBS ran at once, so that each" \
		"shared the machine.  log2_choices is the sum of log2 of the number of nodes over the classes that outputs reach: no fewer" \
		"choices than there are graphs.  A gap is what the cost may be above the least in the e-graph; \"(growth)\": the cheapest is" \
		"known, and folding it would make the weights grow by more than $GROWTH %."
	echo
	echo "values: the optimised model was computed beside its original, on two seeds, and is equal; cells of a model in which the" \
		"same graph was chosen share one comparison."
	echo
	if [ -s "$dir/faults" ]; then
		printf '## Faults\n\n'
		sed 's/^/* /' "$dir/faults"
		echo
	fi
	echo "What is called published was measured elsewhere, on other hardware (one T4 and 16 cores), and is no statement" \
		"about this machine."
	if is_wanted sweep; then
		printf '\n## Beside the published figures: k = 1 (table 1)\n\n'
		table "$dir/published.csv"
		printf '\n## Rules that made the gain: the cheapest of all k\n\n'
		table "$dir/gains.csv"
	fi
	section sweep "Multi-pattern iterations (figure 7)" \
		"More multi-pattern iterations make more e-nodes, so that the limits are met earlier and other rules are kept from what they \
would have found: the cost does not fall with every step of k.  best_us is what one has who keeps the best so far; greedy_us is greed's \
choice in the same e-graph, never less than ours."
	if is_wanted sweep && command -v gnuplot >/dev/null; then
		printf '\n![cost](cost.svg) ![e-nodes](nodes.svg) ![exploration](explore.svg)\n'
	fi
	section methods "Greed against the exact program: published rules, k = 1 (table 4)" \
		"Published, ms: original, greedy, ILP: BERT 1.88, 1.88, 1.73; NasNet-A 17.8, 22.5, 16.6."
	section filters "Cycle filters: published rules (table 6)" \
		"Published exploration, k = 2, vanilla against efficient: NasRNN 2932 s, 1.47 s; NasNet-A > 3600 s, 8.62 s."
	section programs "Programs as published and our own: published rules, the models of table 5" \
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
		echo "set terminal svg size 800,500; set key outside; set xlabel 'multi-pattern iterations'; set xtics 1"
		printf 'set output "%s"; set title "%s"\n' "$dir/$3.svg" "$2"
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
[ ! -s "$dir/faults" ]
