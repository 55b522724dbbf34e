#!/usr/bin/env bash
# make install gives what programs and optimizers are built against through pkg-config, and uninstall leaves nothing.
set -u
command -v pkg-config >/dev/null || { echo "skipped: there is no pkg-config"; exit 77; }
# under a sanitizer the library wants the sanitizer's own link
[ "$BUILD" != asan ] || { echo "skipped: under a sanitizer"; exit 77; }
MAKEFLAGS='' tests/distcheck
