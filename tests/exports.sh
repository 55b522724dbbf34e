#!/usr/bin/env bash
# The libraries export tn_* and nothing else, targets their one table.
set -u
bad=0
for lib in "$B/libtenon.so" "$B/libtenon.a"; do
	flags=--extern-only
	case $lib in *.so) flags=-D ;; esac
	[ -e "$lib" ] || { echo "$lib is not built"; exit 1; }
	names=$(nm --defined-only $flags "$lib" 2>/dev/null | sed -n 's/.* [A-Z] //p' | sed 's/@.*//' | sort -u)
	[ -n "$names" ] || { echo "$lib exports nothing"; bad=1; }
	other=$(printf '%s\n' "$names" | grep -vE '^(tn_|__asan|__gcov|__ubsan|llvm_gcov|__odr_asan|___asan)')
	[ -z "$other" ] || { echo "$lib also exports:" "$other"; bad=1; }
done
for plugin in "$B"/targets/*.so; do
	[ -e "$plugin" ] || continue
	names=$(nm --defined-only -D "$plugin" | sed -n 's/.* [A-Z] //p' | grep -vE '^(__asan|__gcov|__ubsan|llvm_gcov|__odr_asan|___asan)')
	[ "$names" = tn_target_plugin ] || { echo "$plugin exports more than its table:" "$names"; bad=1; }
done
exit $bad
