# Tenon.  Everything that is built goes under build/; `make` alone builds the programs and libraries.
#
#	make demo check			set up the machine, build, show or test
#	make check-asan check-valgrind check-oracle lint bench fuzz cov
#	make install PREFIX=/usr DESTDIR=…
#
# Settings go on the command line or into config.mk (not kept in git); `make config` prints them.

-include config.mk

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
KIND_cov = -O0 -g -DTN_TEST --coverage
WARN = -Wall -Wextra -Wpedantic -Wshadow
# Contraction of a*b+c would make results depend on the machine.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DTN_VERSION='"$(VERSION)"' -fvisibility=hidden -fPIC -ffp-contract=off \
	-ffile-prefix-map=$(CURDIR)=. $(WARN) -Iruntime/include -Iruntime -I. $(KIND_$(BUILD)) $(CFLAGS)
LIBS = -llpsolve55 -lcolamd -ldl -lm
ALL_LDFLAGS = $(filter -fsanitize% --coverage,$(KIND_$(BUILD))) $(LDFLAGS)

# ---- files, spelled out so that a stray one is not built -------------------------------------------

base = runtime/base/arena.c runtime/base/buf.c runtime/base/map.c runtime/base/mem.c runtime/base/num.c runtime/base/rand.c
expr =
dsl =
gen =
egraph =
saturate =
extract =
tensor =
cost =
ref =
onnx =
cmd =
rule_files =

lib_src = $(base) $(expr) $(egraph) $(saturate) $(extract) $(tensor) $(cost) $(ref) $(onnx)
