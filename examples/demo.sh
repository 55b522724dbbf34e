#!/usr/bin/env bash
# What `make demo` shows: a standard network before and after, and a rule file of ten lines at work.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/demo
echo "== SqueezeNet 1.1, modelled on a T4 =="
build/tenon model squeezenet -o build/demo/squeezenet.graph
build/tenon optimize build/demo/squeezenet.graph -o build/demo/squeezenet.onnx
echo
echo "== the first lines of the result =="
build/tenon show build/demo/squeezenet.onnx | grep -v '(weight' | head -8
echo
echo "== ten lines of rules of one's own: examples/custom-ops/boolean.rules =="
build/tenon saturate --rules examples/custom-ops/boolean.rules examples/custom-ops/circuit.terms
