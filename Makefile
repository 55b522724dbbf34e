# Tenon.  Everything that is built goes under build/; `make` alone builds the programs and libraries.
#
#	make demo check			set up the machine, build, show or test
#	make optimizer TARGET=…		a program with one target's rules and costs
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

# ---- files -----------------------------------------------------------------------------------------------

include dsl/files.mk gen/files.mk runtime/files.mk models/files.mk
# the standard rules, in the order in which they are built in
rule_files = $(addprefix rules/,$(file <rules/standard))

lib_src = $(base) $(expr) $(dsl) $(gen) $(egraph) $(saturate) $(extract) $(tensor) $(cost) $(ref) $(explain) $(verify) $(onnx) $(target) $(models) $(optimize)
lib_obj = $(lib_src:%.c=$(O)/%.o) $(front_obj) $(O)/builtin.o
front_obj = $(O)/dsl/parser.o $(O)/dsl/lexer.o
tenonc_obj = $(addprefix $(O)/,$(patsubst %.c,%.o,$(base) $(expr) $(dsl) $(gen) gen/main.c) runtime/cost/table.o) $(front_obj)
cmd_obj = $(cmd:%.c=$(O)/%.o)

comma = ,
# A target is built where its library is found.
has = $(shell printf '\043include <%s>\n' $(1) | $(CC) $(2) $(CFLAGS) -E - >/dev/null 2>&1 && echo yes)
CUDA ?= $(firstword $(wildcard /usr/local/cuda /usr/lib/cuda /opt/cuda))
CUDA_CFLAGS = $(if $(CUDA),-isystem $(CUDA)/include)
CUDA_LIB = $(if $(CUDA),$(firstword $(wildcard $(CUDA)/lib64 $(CUDA)/lib)))
CUDA_RPATH = $(if $(CUDA_LIB),-Wl$(comma)-rpath$(comma)$(CUDA_LIB))
CUDA_LIBS = $(if $(CUDA_LIB),-L$(CUDA_LIB)) -lcudnn -lcublas -lnvrtc -lcudart
targets := $(if $(call has,oneapi/dnnl/dnnl.h),$(B)/targets/cpu.so) $(if $(call has,cudnn.h,$(CUDA_CFLAGS)),$(B)/targets/cuda.so)

all: $(B)/tenon $(B)/tenonc $(B)/libtenon.a $(B)/libtenon.so $(targets)

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

# Plug-ins use the program's tn_*, and base/ of their own; they export their table alone.
$(B)/targets/cpu.so: $(cpu_target:%.c=$(O)/%.o) $(plugin:%.c=$(O)/%.o) $(O)/base.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,--exclude-libs,ALL -o $@ $^ -ldnnl -lm
$(B)/targets/cuda.so: $(cuda_target:%.c=$(O)/%.o) $(plugin:%.c=$(O)/%.o) $(O)/base.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,--exclude-libs,ALL $(CUDA_RPATH) -o $@ $^ $(CUDA_LIBS) -lm
$(cuda_target:%.c=$(O)/%.o): WARN += $(CUDA_CFLAGS)
$(O)/base.a: $(base:%.c=$(O)/%.o)
	rm -f $@
	$(AR) rcs $@ $^
# Loops over elements are worth vectors; nobody looks at exceptions or errno of theirs.
$(cpu_target:%.c=$(O)/%.o) $(plugin:%.c=$(O)/%.o): KIND_release += -O3 -fno-trapping-math -fno-math-errno

$(O)/builtin.c: $(B)/tenonc $(rule_files) rules/standard
	$(B)/tenonc --name builtin --file-prefix-map $(CURDIR)/= $(filter %.rules,$^) -o $@

# Loops of compiled defs are made for compilers that take several elements at once.
$(O)/builtin.o: $(O)/builtin.c Makefile
	$(CC) $(ALL_CFLAGS) $(if $(filter release,$(BUILD)),-O3) -MMD -MP -c -o $@ $<

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

# The CUDA target over a stand-in for the device, to test what is the target's own.
stand_in_obj = $(addprefix $(O)/tests/stand-in/,cuda.o cuda_libraries.o cuda_opgraph.o)
$(B)/stand-in/cuda.so: $(cuda_target:%.c=$(O)/%.o) $(plugin:%.c=$(O)/%.o) $(stand_in_obj) $(O)/base.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -o $@ $^ -ldl -lm
$(stand_in_obj) $(O)/tests/stand-in/calls.o $(O)/tests/stand-in/plans.o: WARN += $(CUDA_CFLAGS)
$(B)/stand-in/calls: $(sort $(O)/tests/stand-in/calls.o $(cuda_target:%.c=$(O)/%.o) $(plugin:%.c=$(O)/%.o) $(lib_obj)) $(stand_in_obj)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic -o $@ $^ $(LIBS)
# Over the real cuDNN, as far as it goes without a device.
$(B)/stand-in/plans: $(sort $(O)/tests/stand-in/plans.o $(cuda_target:%.c=$(O)/%.o) $(plugin:%.c=$(O)/%.o) $(lib_obj))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic $(CUDA_RPATH) -o $@ $^ $(CUDA_LIBS) $(LIBS)
# A target whose times are written down, to test what is made of them.
$(B)/stand-in/scripted.so: $(O)/tests/stand-in/scripted.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -o $@ $^
stand_in := $(B)/stand-in/scripted.so $(if $(filter %/cuda.so,$(targets)),$(addprefix $(B)/stand-in/,cuda.so calls plans))

# ---- optimizers ---------------------------------------------------------------------------------------------

# make optimizer TARGET=NAME [COSTS=FILE] [RULES=FILES] [MODELS=FILES] [THREADS=N]: a program with the costs of one target compiled
# in, and with the standard rules or those of RULES.  Without a table the operators of MODELS, or of all networks, are measured if
# the target is here, on N threads of a CPU (an interrupted run goes on where it was); else the costs are modelled, where the rules
# describe the device.
OPTIMIZER ?= $(B)/optimizer-$(TARGET)
optimizer: all
	@[ -n "$(TARGET)" ] || { echo "make: which target?  say TARGET=NAME" >&2; exit 2; }
	@$(if $(RULES),$(B)/tenonc -I rules --check $(RULES))
	@costs="$(COSTS)"; \
	if [ -n "$$costs" ]; then :; \
	elif $(B)/tenon targets $(TARGET) >/dev/null; then \
		costs=$(OPTIMIZER).costs; \
		$(B)/tenon profile --target $(TARGET) $(addprefix --threads ,$(THREADS)) $(addprefix --rules ,$(RULES)) -o $$costs $(or $(MODELS),--all-models) || exit; \
	else \
		echo "make: all costs are modelled, as on a '$(TARGET)'" >&2; \
	fi; \
	$(B)/tenonc --target $(TARGET) $${costs:+--costs $$costs} -I rules --file-prefix-map $(CURDIR)/= $(RULES) -o $(OPTIMIZER).c
	$(CC) $(ALL_CFLAGS) -O3 $(ALL_LDFLAGS) -rdynamic -o $(OPTIMIZER) $(OPTIMIZER).c $(B)/libtenon.a $(LIBS)
	@$(OPTIMIZER) --version || { rm -f $(OPTIMIZER); exit 1; }

# ---- tests ------------------------------------------------------------------------------------------------

unit = $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))
bench = $(patsubst tests/bench/%.c,$(B)/bench/%,$(wildcard tests/bench/*.c))
oracle_obj = $(patsubst %.c,$(O)/%.o,$(wildcard tests/oracle/*.c))

# every object, tests and benches too, for who only wants to hear the compiler
objects: all $(patsubst %.c,$(O)/%.o,$(wildcard tests/*.c tests/unit/*.c tests/bench/*.c tests/fuzz/*.c)) $(oracle_obj) \
	$(if $(stand_in),$(stand_in_obj) $(O)/tests/stand-in/calls.o $(O)/tests/stand-in/plans.o)

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
	@$(MAKE) all $(B)/testdata
	@tests/oracle/run

unit: $(unit) $(stand_in)

bench:
	@.ci/deps bench
	@$(MAKE) all $(bench)
	@for b in $(bench); do $$b || exit 1; done
	@tests/bench/paper.sh
	@tests/bench/measured.sh

$(B)/mutants $(B)/testdata: $(B)/%: $(O)/tests/%.o $(lib_obj)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -rdynamic -o $@ $^ $(LIBS)

# Rules changed in one place each: does the checker refute them?  A report for each file of rules, and the sum; what was
# done is not done again.
mutant_reports = $(patsubst rules/%.rules,$(B)/mutants.d/%.txt,$(filter-out rules/tensor.rules rules/targets.rules,$(wildcard rules/*.rules rules/*/*.rules)))
$(B)/mutants.d/%.txt: rules/%.rules $(B)/mutants
	@mkdir -p $(@D)
	@nice $(B)/mutants -v $< >$@ || [ $$? = 1 ]
	@echo "$<: $$(tail -n 1 $@)"

mutants: $(mutant_reports)
	@tests/mutants-sum $^

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
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCDIR)/tenon $(DESTDIR)$(DATADIR)/rules/compared
	install -m 755 $(B)/tenon $(B)/tenonc $(DESTDIR)$(BINDIR)
	install -m 644 $(B)/libtenon.a $(DESTDIR)$(LIBDIR)
	install -m 755 $(B)/libtenon.so $(DESTDIR)$(LIBDIR)/libtenon.so.0
	ln -sf libtenon.so.0 $(DESTDIR)$(LIBDIR)/libtenon.so
	$(if $(targets),install -d $(DESTDIR)$(LIBDIR)/tenon/targets && install -m 755 $(targets) $(DESTDIR)$(LIBDIR)/tenon/targets)
	install -m 644 $(headers) $(DESTDIR)$(INCDIR)/tenon
	install -m 644 $(rule_files) rules/unrelated.rules rules/standard $(DESTDIR)$(DATADIR)/rules
	install -m 644 rules/compared/published.rules $(DESTDIR)$(DATADIR)/rules/compared
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCDIR@|$(INCDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		tenon.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/tenon.pc
	for p in $(pages); do install -D -m 644 $$p $(DESTDIR)$(MANDIR)/man$${p##*.}/$${p##*/} || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/tenon $(DESTDIR)$(BINDIR)/tenonc $(DESTDIR)$(LIBDIR)/pkgconfig/tenon.pc
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libtenon.a libtenon.so libtenon.so.0)
	rm -rf $(DESTDIR)$(INCDIR)/tenon $(DESTDIR)$(LIBDIR)/tenon $(DESTDIR)$(DATADIR)
	for p in $(pages); do rm -f $(DESTDIR)$(MANDIR)/man$${p##*.}/$${p##*/}; done

# Install into an empty folder, build against it through pkg-config, remove, and find nothing left.
distcheck: all
	+@tests/distcheck

clean:
	rm -rf build

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all optimizer mutants readme check check-asan check-valgrind check-oracle unit objects bench demo deps lint cov fuzz fuzz-programs config \
	install uninstall distcheck clean

-include $(shell [ -d $(O) ] && find $(O) -name '*.d')
