#!/usr/bin/env bash
# Real e-graphs whose optimum is known are proven to it, within 1e-6; those that take longer are bench/extract's.
set -u
dir=../shared/bench/egraphs
[ -d $dir ] || { echo "$dir is not there"; exit 77; }
bad=0 n=0
while read -r name want; do
	n=$((n + 1))
	got=$("$TENON" extract --time 120 "$dir/$name.json.gz" | tail -1)
	awk -v want="$want" -v got="$got" 'BEGIN { split(got, w, " "); d = w[2] - want
		exit !(w[1] == "cost" && w[3] == "proven" && d <= 1.000001e-6 && d >= -1.000001e-6) }' || { echo "$name: '$got', not $want"; bad=1; }
done <<'END'
tensat-vgg_acyclic 4.866775
tensat-resnet50_acyclic 4.415993
tensat-resnet50 4.385795
tensat-nasneta_acyclic 11.247721
tensat-nasneta 11.199453
tensat-nasrnn_acyclic 1.068570
rover-box_filter_3iteration 1701
rover-mcm_3_7_21_original_8iteration 1050
flexc-fdbbd205-1519-4880-9a24-07b2ea772d16 105
egg-lambda_fib 1
eggcc-bril-gamma_condition_and.bril 43
diospyros-vector_2d_conv_2x2_2x2_root_36 13.51
END
[ $n = 12 ] || { echo "$n e-graphs, not 12"; bad=1; }

# an interrupt gives the best choice so far, with its bound
"$TENON" extract "$dir/tensat-nasrnn.json.gz" >"$TMP/out" &
pid=$!
until [ -s "$TMP/out" ]; do sleep 0.1; done
sleep 1
kill -INT $pid
wait $pid
rc=$?
[ $rc = 130 ] && tail -1 "$TMP/out" | grep -qE '^cost 0\.9[0-9]+ gap [0-9.]+ %$' || { echo "interrupted: status $rc"; cat "$TMP/out"; bad=1; }
exit $bad
