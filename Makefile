# Tenon.  Everything that is built goes under build/; `make` alone builds the programs and libraries.
#
#	make demo check			set up the machine, build, show or test
#	make check-asan check-valgrind check-oracle lint bench fuzz cov
#	make install PREFIX=/usr DESTDIR=…
#
# Settings go on the command line or into config.mk (not kept in git); `make config` prints them.

-include config.mk

all:

# As many jobs as there are processors, unless the user says otherwise.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

VERSION = 0.1.0
BUILD ?= release
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share/tenon
CC ?= cc
FLEX ?= flex
BISON ?= bison

# build/ itself is the release; other kinds live in folders of their own beneath it.
B = build$(if $(filter-out release,$(BUILD)),/$(BUILD))
O = $(B)/obj

KIND_release = -O2 -g -DNDEBUG
KIND_debug = -O1 -g -DTN_TEST
KIND_asan = -O1 -g -DTN_TEST -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# (gcc takes the sanitizer's own null checks for null formats.)
KIND_asan += -Wno-unknown-warning-option -Wno-format-truncation
KIND_cov = -O0 -g -DTN_TEST --coverage
WARN = -Wall -Wextra -Wpedantic -Wshadow
# Contraction of a*b+c would make results depend on the machine.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DTN_VERSION='"$(VERSION)"' -fvisibility=hidden -fPIC -ffp-contract=off \
	-ffile-prefix-map=$(CURDIR)=. $(WARN) -Iruntime/include -Iruntime -I. $(KIND_$(BUILD)) $(CFLAGS)
LD ?= ld
OBJCOPY ?= objcopy
LIBS = -llpsolve55 -lcolamd -ljansson -lz -ldl -lm
ALL_LDFLAGS = $(filter -fsanitize% --coverage,$(KIND_$(BUILD))) $(LDFLAGS)

# ---- files, spelled out so that a stray one is not built -------------------------------------------

base = runtime/base/arena.c runtime/base/buf.c runtime/base/dtype.c runtime/base/map.c runtime/base/mem.c runtime/base/num.c runtime/base/rand.c runtime/base/sx.c runtime/base/version.c
expr = runtime/expr/cond.c runtime/expr/dims.c runtime/expr/poly.c runtime/expr/print.c
dsl = $(addprefix dsl/,check.c check_expr.c check_op.c check_rule.c cover.c cover_index.c diag.c dump.c format.c lint.c names.c op_def.c op_in.c op_let.c op_scope.c reader.c rule_body.c rule_scope.c rule_term.c rule_value.c sexp.c siblings.c source.c symmetry.c)
gen = $(addprefix gen/,alike.c apply.c compile.c def.c def_dim.c def_list.c def_node.c def_read.c draw.c emit.c eval.c file.c func.c gen.c guard.c join.c match.c names.c ops.c place.c place_stmt.c plan.c plan_ask.c shape.c shape_x.c table.c tree.c typed.c)
egraph = $(addprefix runtime/egraph/,check.c egraph.c explain.c gzip.c json.c memo.c rebuild.c region.c serialize.c snapshot.c)
saturate = $(addprefix runtime/saturate/,apply.c backoff.c cycles.c join.c matches.c reach.c saturate.c scalar.c search.c terms.c)
extract = $(addprefix runtime/extract/,brute.c choice.c dag.c extract.c frontier.c local.c lp.c solve.c swap.c tree.c)
extract += $(addprefix runtime/extract/,dominator.c equal.c must.c prog.c reduce.c reduce_bound.c reduce_contract.c reduce_cycle.c reduce_dominance.c reduce_edge.c reduce_force.c reduce_inline.c reduce_override.c reduce_trim.c scc.c)
extract += $(addprefix runtime/extract/,bound.c branch.c component.c flowcut.c guide.c loopcut.c maxflow.c pool.c relax.c rens.c)
extract += $(addprefix runtime/extract/,file.c file_write.c mip.c mip_write.c plain.c program.c unit.c)
tensor = $(addprefix runtime/tensor/,at.c bind.c calc.c calc_seq.c ctx.c dims.c dot.c element.c fold.c graph.c guard.c infer.c stage.c steps.c tensors.c text_read.c text_value.c text_write.c type.c uniform.c value.c walk.c weight.c)
cost = $(addprefix runtime/cost/,costs.c device.c graph.c problem.c table.c view.c work.c)
ref = $(addprefix runtime/ref/,array.c compare.c domain.c domain_chain.c domain_ratio.c domain_real.c execute.c items.c list.c merge.c npy.c walk.c)
onnx = $(addprefix runtime/onnx/,apart.c claim.c emit.c equal.c export.c file.c forms.c legalise.c lower.c lower_element.c lower_linear.c lower_reduce.c lower_shape.c map.c match.c model.c narrow.c order.c parse.c plan.c raise.c raise_element.c raise_linear.c raise_shape.c raise_tensor.c read.c shapes.c symbolic.c tensor.c types.c unchanged.c wire.c write.c)
verify = $(addprefix runtime/verify/,build.c check.c choose.c compute.c draw.c draw_attrs.c values.c)
cmd = $(addprefix runtime/cmd/,choose.c compare.c extract.c given.c growth.c import.c import_tensat.c main.c model.c network.c optimize.c option.c problem.c program.c progress.c report.c rules.c saturate.c show.c sizes.c steps.c trust.c verify.c)
models = $(addprefix models/,bert.c inception.c mobilenet.c nasnet.c nasrnn.c net.c networks.c resnet.c squeezenet.c vgg.c)
rule_files = $(addprefix rules/,tensor.rules targets.rules arith.rules activation.rules linear.rules norm.rules geometry.rules order.rules algebra.rules join.rules siblings.rules)

lib_src = $(base) $(expr) $(dsl) $(gen) $(egraph) $(saturate) $(extract) $(tensor) $(cost) $(ref) $(verify) $(onnx) $(models)
lib_obj = $(lib_src:%.c=$(O)/%.o) $(front_obj) $(O)/builtin.o
front_obj = $(O)/dsl/parser.o $(O)/dsl/lexer.o
tenonc_obj = $(addprefix $(O)/,$(patsubst %.c,%.o,$(base) $(expr) $(dsl) $(gen) gen/main.c)) $(front_obj)
cmd_obj = $(cmd:%.c=$(O)/%.o)

all: $(B)/tenon $(B)/tenonc $(B)/libtenon.a $(B)/libtenon.so

# ---- programs and libraries ----------------------------------------------------------------------------

# tenonc needs no lp_solve: it is built first, and compiles the built-in rules.
$(B)/tenonc: $(tenonc_obj)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(tenonc_obj) -ldl -lm

# From the objects, as the program uses base/ too.  -rdynamic: rules compiled on the way are loaded as
# shared objects and call tn_* of the program; all else is hidden.
$(B)/tenon: $(cmd_obj) $(lib_obj)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic -o $@ $(cmd_obj) $(lib_obj) $(LIBS)

# One relocatable object whose hidden symbols are made local: the archive exports tn_* and no more.
$(B)/libtenon.a: $(lib_obj)
	$(LD) -r -o $(O)/libtenon.o $(lib_obj)
	$(OBJCOPY) --localize-hidden $(O)/libtenon.o
	rm -f $@
	$(AR) rcs $@ $(O)/libtenon.o

# The _pic archive and --exclude-libs, or a thousand of lp_solve's symbols would be exported.
$(B)/libtenon.so: $(lib_obj)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,libtenon.so.0 -Wl,--exclude-libs,ALL -o $@ $(lib_obj) \
		-llpsolve55_pic -lcolamd -ljansson -lz -ldl -lm

$(O)/builtin.c: $(B)/tenonc $(rule_files)
	$(B)/tenonc --name builtin --file-prefix-map $(CURDIR)/= $(filter %.rules,$(rule_files)) -o $@

$(O)/builtin.o: $(O)/builtin.c Makefile
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I$(O) -MMD -MP -c -o $@ $<

$(O)/dsl/parser.c $(O)/dsl/parser.h &: dsl/parser.y Makefile
	@mkdir -p $(@D)
	$(BISON) -Werror -Wcounterexamples --file-prefix-map=$(O)/= --header=$(O)/dsl/parser.h -o $(O)/dsl/parser.c $<

$(O)/dsl/lexer.c $(O)/dsl/lexer.h &: dsl/lexer.l $(O)/dsl/parser.h Makefile
	@mkdir -p $(@D)
	$(FLEX) --header-file=$(O)/dsl/lexer.h -o $(O)/dsl/lexer.c $<

# flex's own code compares signed with unsigned.
$(O)/dsl/lexer.o: WARN += -Wno-sign-compare
$(O)/dsl/lexer.o $(O)/dsl/parser.o: $(O)/dsl/%.o: $(O)/dsl/%.c
	$(CC) $(ALL_CFLAGS) -I$(O) -MMD -MP -c -o $@ $<
$(dsl:%.c=$(O)/%.o): | $(O)/dsl/parser.h $(O)/dsl/lexer.h

# ---- tests ------------------------------------------------------------------------------------------------

unit = $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))
bench = $(patsubst tests/bench/%.c,$(B)/bench/%,$(wildcard tests/bench/*.c))
oracle_obj = $(patsubst %.c,$(O)/%.o,$(wildcard tests/oracle/*.c))

# every object, tests and benches too, for who only wants to hear the compiler
objects: all $(patsubst %.c,$(O)/%.o,$(wildcard tests/unit/*.c tests/bench/*.c tests/fuzz/*.c)) $(oracle_obj)

# Unit tests see the internals: they link the objects, not the archive.
$(B)/tests/%: $(O)/tests/unit/%.o $(lib_obj) $(oracle_obj)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic -o $@ $^ $(LIBS)

$(B)/bench/%: $(O)/tests/bench/%.o $(lib_obj)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic -o $@ $^ $(LIBS)

# Tests run on a build with small limits and all internal checks.
check:
	@.ci/deps check
	@$(MAKE) BUILD=release all
	@$(MAKE) BUILD=debug all unit
	@BUILD=debug tests/run

check-asan:
	@.ci/deps check
	@for cc in gcc clang; do \
		$(MAKE) BUILD=asan CC=$$cc B=build/asan-$$cc all unit && B=build/asan-$$cc BUILD=asan tests/run || exit 1; \
	done

check-valgrind:
	@.ci/deps valgrind
	@$(MAKE) BUILD=debug all unit
	@BUILD=debug WRAP='valgrind -q --suppressions=tests/valgrind.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite' tests/run unit

# README's table of costs.
readme:
	@.ci/deps oracle
	@$(MAKE) all
	@tests/oracle/run real
	@tests/oracle/table write

check-oracle:
	@.ci/deps oracle
	@$(MAKE) all
	@tests/oracle/run

unit: $(unit)

bench: all $(bench)
	@for b in $(bench); do $$b || exit 1; done
	@tests/bench/paper.sh

# Rules changed in one place each: does the checker refute them?
$(B)/mutants: $(O)/tests/mutants.o $(lib_obj)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic -o $@ $^ $(LIBS)
mutants: $(B)/mutants
	@$(B)/mutants $(rule_files)

demo:
	@.ci/deps demo
	@$(MAKE) all
	@examples/demo.sh

deps:
	@.ci/deps check

lint:
	@.ci/deps lint
	+@tests/lint

cov:
	@.ci/deps check
	@$(MAKE) BUILD=cov all unit
	@BUILD=cov tests/run
	@cd build/cov && gcov -r -s $(CURDIR) -o obj $$(find obj -name '*.gcda') >coverage.txt && tail -1 coverage.txt

# libFuzzer wants clang.  FUZZ_TIME is in seconds, for each target.
FUZZ_TIME ?= 60
fuzz_targets = $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/*.c))
$(B)/fuzz/%: $(O)/tests/fuzz/%.o $(lib_obj)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -rdynamic -o $@ $^ $(LIBS)
fuzz-programs: $(fuzz_targets)
fuzz:
	@.ci/deps fuzz
	@$(MAKE) BUILD=asan CC=clang CFLAGS='-fsanitize=fuzzer-no-link $(CFLAGS)' B=build/fuzz fuzz-programs
	@for t in $(notdir $(fuzz_targets)); do \
		mkdir -p build/fuzz/corpus/$$t && \
		build/fuzz/fuzz/$$t -max_total_time=$(FUZZ_TIME) -timeout=10 -rss_limit_mb=4096 -artifact_prefix=build/fuzz/$$t- \
			build/fuzz/corpus/$$t tests/fuzz/$$t || exit 1; \
	done

config:
	@$(foreach v,CC CFLAGS LDFLAGS BUILD PREFIX BINDIR LIBDIR INCDIR MANDIR DATADIR FLEX BISON,echo '$v = $($v)';)

# ---- installing ---------------------------------------------------------------------------------------------

headers = $(wildcard runtime/include/tenon/*.h)
pages = $(wildcard man/*.[0-9])

install: all
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCDIR)/tenon $(DESTDIR)$(DATADIR)/rules
	install -m 755 $(B)/tenon $(B)/tenonc $(DESTDIR)$(BINDIR)
	install -m 644 $(B)/libtenon.a $(DESTDIR)$(LIBDIR)
	install -m 755 $(B)/libtenon.so $(DESTDIR)$(LIBDIR)/libtenon.so.0
	ln -sf libtenon.so.0 $(DESTDIR)$(LIBDIR)/libtenon.so
	install -m 644 $(headers) $(DESTDIR)$(INCDIR)/tenon
	install -m 644 $(filter %.rules,$(rule_files)) rules/published.rules $(DESTDIR)$(DATADIR)/rules
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCDIR@|$(INCDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		tenon.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/tenon.pc
	for p in $(pages); do install -D -m 644 $$p $(DESTDIR)$(MANDIR)/man$${p##*.}/$${p##*/} || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/tenon $(DESTDIR)$(BINDIR)/tenonc $(DESTDIR)$(LIBDIR)/pkgconfig/tenon.pc
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libtenon.a libtenon.so libtenon.so.0)
	rm -rf $(DESTDIR)$(INCDIR)/tenon $(DESTDIR)$(DATADIR)
	for p in $(pages); do rm -f $(DESTDIR)$(MANDIR)/man$${p##*.}/$${p##*/}; done

# Install into an empty folder, build against it through pkg-config, remove, and find nothing left.
distcheck: all
	+@tests/distcheck

clean:
	rm -rf build

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all mutants readme check check-asan check-valgrind check-oracle unit objects bench demo deps lint cov fuzz fuzz-programs config \
	install uninstall distcheck clean

-include $(shell [ -d $(O) ] && find $(O) -name '*.d')
