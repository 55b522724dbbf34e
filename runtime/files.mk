# Files of this folder, one a line, so that a stray one is not built; read by the Makefile.

base = \
	runtime/base/arena.c \
	runtime/base/buf.c \
	runtime/base/dtype.c \
	runtime/base/map.c \
	runtime/base/mem.c \
	runtime/base/num.c \
	runtime/base/rand.c \
	runtime/base/sx.c \
	runtime/base/version.c

expr = \
	runtime/expr/cond.c \
	runtime/expr/dims.c \
	runtime/expr/poly.c \
	runtime/expr/print.c

egraph = \
	runtime/egraph/check.c \
	runtime/egraph/egraph.c \
	runtime/egraph/explain.c \
	runtime/egraph/gzip.c \
	runtime/egraph/json.c \
	runtime/egraph/memo.c \
	runtime/egraph/proof.c \
	runtime/egraph/rebuild.c \
	runtime/egraph/region.c \
	runtime/egraph/serialize.c \
	runtime/egraph/snapshot.c

saturate = \
	runtime/saturate/apply.c \
	runtime/saturate/backoff.c \
	runtime/saturate/cycles.c \
	runtime/saturate/join.c \
	runtime/saturate/matches.c \
	runtime/saturate/reach.c \
	runtime/saturate/saturate.c \
	runtime/saturate/scalar.c \
	runtime/saturate/search.c \
	runtime/saturate/terms.c

extract = \
	runtime/extract/ascent.c \
	runtime/extract/bound.c \
	runtime/extract/branch.c \
	runtime/extract/brute.c \
	runtime/extract/choice.c \
	runtime/extract/component.c \
	runtime/extract/count.c \
	runtime/extract/dag.c \
	runtime/extract/dominator.c \
	runtime/extract/equal.c \
	runtime/extract/extract.c \
	runtime/extract/file.c \
	runtime/extract/file_write.c \
	runtime/extract/flowcut.c \
	runtime/extract/frontier.c \
	runtime/extract/guide.c \
	runtime/extract/limits.c \
	runtime/extract/local.c \
	runtime/extract/loopcut.c \
	runtime/extract/lp.c \
	runtime/extract/maxflow.c \
	runtime/extract/mip.c \
	runtime/extract/mip_write.c \
	runtime/extract/must.c \
	runtime/extract/plain.c \
	runtime/extract/pool.c \
	runtime/extract/prog.c \
	runtime/extract/program.c \
	runtime/extract/reduce.c \
	runtime/extract/reduce_ascent.c \
	runtime/extract/reduce_bound.c \
	runtime/extract/reduce_contract.c \
	runtime/extract/reduce_cycle.c \
	runtime/extract/reduce_dominance.c \
	runtime/extract/reduce_edge.c \
	runtime/extract/reduce_force.c \
	runtime/extract/reduce_inline.c \
	runtime/extract/reduce_override.c \
	runtime/extract/reduce_trim.c \
	runtime/extract/relax.c \
	runtime/extract/rens.c \
	runtime/extract/scc.c \
	runtime/extract/solve.c \
	runtime/extract/swap.c \
	runtime/extract/tree.c \
	runtime/extract/unit.c

tensor = \
	runtime/tensor/at.c \
	runtime/tensor/bind.c \
	runtime/tensor/calc.c \
	runtime/tensor/calc_seq.c \
	runtime/tensor/ctx.c \
	runtime/tensor/dims.c \
	runtime/tensor/dot.c \
	runtime/tensor/element.c \
	runtime/tensor/fold.c \
	runtime/tensor/graph.c \
	runtime/tensor/guard.c \
	runtime/tensor/infer.c \
	runtime/tensor/random_op.c \
	runtime/tensor/same_op.c \
	runtime/tensor/stage.c \
	runtime/tensor/steps.c \
	runtime/tensor/tensors.c \
	runtime/tensor/text_read.c \
	runtime/tensor/text_value.c \
	runtime/tensor/text_write.c \
	runtime/tensor/type.c \
	runtime/tensor/uniform.c \
	runtime/tensor/value.c \
	runtime/tensor/walk.c \
	runtime/tensor/weight.c

cost = \
	runtime/cost/costs.c \
	runtime/cost/device.c \
	runtime/cost/graph.c \
	runtime/cost/problem.c \
	runtime/cost/table.c \
	runtime/cost/view.c \
	runtime/cost/work.c

ref = \
	runtime/ref/array.c \
	runtime/ref/compare.c \
	runtime/ref/domain.c \
	runtime/ref/domain_chain.c \
	runtime/ref/domain_ratio.c \
	runtime/ref/domain_real.c \
	runtime/ref/execute.c \
	runtime/ref/flat.c \
	runtime/ref/flat_emit.c \
	runtime/ref/flat_list.c \
	runtime/ref/flat_run.c \
	runtime/ref/items.c \
	runtime/ref/list.c \
	runtime/ref/merge.c \
	runtime/ref/npy.c \
	runtime/ref/walk.c

target = \
	runtime/target/build.c \
	runtime/target/check.c \
	runtime/target/fuse.c \
	runtime/target/host.c \
	runtime/target/load.c \
	runtime/target/make.c \
	runtime/target/measure.c \
	runtime/target/memory.c \
	runtime/target/place.c \
	runtime/target/price.c \
	runtime/target/race.c \
	runtime/target/rounding.c \
	runtime/target/run.c \
	runtime/target/selftest.c \
	runtime/target/value.c \
	runtime/target/view.c

# plug-ins, which are not in the library, and what they share
plugin = \
	runtime/target/kernel.c \
	runtime/target/loop.c \
	runtime/target/matrix.c \
	runtime/target/move.c \
	runtime/target/reduction.c \
	runtime/target/view.c

cpu_target = \
	runtime/target/cpu.c \
	runtime/target/cpu_cache.c \
	runtime/target/cpu_dnnl.c \
	runtime/target/cpu_map.c \
	runtime/target/cpu_move.c \
	runtime/target/cpu_name.c \
	runtime/target/cpu_reduce.c

cuda_target = \
	runtime/target/cuda.c \
	runtime/target/cuda_blas.c \
	runtime/target/cuda_conv.c \
	runtime/target/cuda_dnn.c \
	runtime/target/cuda_gen.c \
	runtime/target/cuda_opgraph.c \
	runtime/target/cuda_rtc.c

onnx = \
	runtime/onnx/apart.c \
	runtime/onnx/claim.c \
	runtime/onnx/emit.c \
	runtime/onnx/equal.c \
	runtime/onnx/export.c \
	runtime/onnx/external.c \
	runtime/onnx/file.c \
	runtime/onnx/forms.c \
	runtime/onnx/legalise.c \
	runtime/onnx/lower.c \
	runtime/onnx/lower_element.c \
	runtime/onnx/lower_linear.c \
	runtime/onnx/lower_reduce.c \
	runtime/onnx/lower_resize.c \
	runtime/onnx/lower_shape.c \
	runtime/onnx/map.c \
	runtime/onnx/match.c \
	runtime/onnx/model.c \
	runtime/onnx/narrow.c \
	runtime/onnx/order.c \
	runtime/onnx/parse.c \
	runtime/onnx/plan.c \
	runtime/onnx/plan_order.c \
	runtime/onnx/raise.c \
	runtime/onnx/raise_element.c \
	runtime/onnx/raise_extent.c \
	runtime/onnx/raise_linear.c \
	runtime/onnx/raise_shape.c \
	runtime/onnx/raise_tensor.c \
	runtime/onnx/read.c \
	runtime/onnx/shapes.c \
	runtime/onnx/symbolic.c \
	runtime/onnx/tensor.c \
	runtime/onnx/types.c \
	runtime/onnx/unchanged.c \
	runtime/onnx/values.c \
	runtime/onnx/wire.c \
	runtime/onnx/write.c

explain = \
	runtime/explain/alone.c \
	runtime/explain/chain.c \
	runtime/explain/check.c \
	runtime/explain/make.c \
	runtime/explain/read.c \
	runtime/explain/reason.c \
	runtime/explain/spot.c \
	runtime/explain/write.c

verify = \
	runtime/verify/aim.c \
	runtime/verify/aim_find.c \
	runtime/verify/axiom.c \
	runtime/verify/build.c \
	runtime/verify/check.c \
	runtime/verify/choose.c \
	runtime/verify/compute.c \
	runtime/verify/cover.c \
	runtime/verify/draw.c \
	runtime/verify/draw_attrs.c \
	runtime/verify/instance.c \
	runtime/verify/joint.c \
	runtime/verify/near.c \
	runtime/verify/numbers.c \
	runtime/verify/operands.c \
	runtime/verify/tell.c \
	runtime/verify/values.c \
	runtime/verify/whole.c \
	runtime/verify/wish.c

# tenon optimize, which is the whole of optimizers that tenonc makes, and so in the library
optimize = \
	runtime/cmd/choose.c \
	runtime/cmd/explain.c \
	runtime/cmd/finalists.c \
	runtime/cmd/given.c \
	runtime/cmd/growth.c \
	runtime/cmd/journal.c \
	runtime/cmd/measured.c \
	runtime/cmd/measuring.c \
	runtime/cmd/model.c \
	runtime/cmd/optimize.c \
	runtime/cmd/optimizer.c \
	runtime/cmd/option.c \
	runtime/cmd/output.c \
	runtime/cmd/prices.c \
	runtime/cmd/problem.c \
	runtime/cmd/program.c \
	runtime/cmd/progress.c \
	runtime/cmd/race.c \
	runtime/cmd/report.c \
	runtime/cmd/report_race.c \
	runtime/cmd/sizes.c \
	runtime/cmd/status.c \
	runtime/cmd/steps.c \
	runtime/cmd/trust.c

cmd = \
	runtime/cmd/bench.c \
	runtime/cmd/compare.c \
	runtime/cmd/costs.c \
	runtime/cmd/extract.c \
	runtime/cmd/import.c \
	runtime/cmd/import_tensat.c \
	runtime/cmd/job.c \
	runtime/cmd/main.c \
	runtime/cmd/network.c \
	runtime/cmd/profile.c \
	runtime/cmd/rules.c \
	runtime/cmd/run.c \
	runtime/cmd/saturate.c \
	runtime/cmd/show.c \
	runtime/cmd/targets.c \
	runtime/cmd/verify.c
