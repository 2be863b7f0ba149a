#!/usr/bin/env bash
# Builds the plain kernels for the GPU of this machine and writes plain.csv to the folder given as $1.
#   ./run.sh /tmp/out            all scenarios, about a minute or two
#   ./run.sh /tmp/out transpose  only scenarios whose name contains the word
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?usage: run.sh FOLDER [SCENARIO]}
mkdir -p "$out"
nvcc -O3 -std=c++17 -arch="${ARCH:-native}" "$here/plain.cu" -o "$out/plain"
"$out/plain" "${2:-}" > "$out/plain.csv"
echo "$(($(wc -l < "$out/plain.csv") - 1)) settings, $(grep -c ',0$' "$out/plain.csv" || true) not verified: $out/plain.csv"
