#!/usr/bin/env bash
# `warplens code` gives a program that nvcc compiles with nothing else, and without a warning, for every scenario at its defaults;
# and the kernels in assets/typed, which `warplens report` reads, are such files as well.
# WARPLENS: the executable.
set -euo pipefail
program="${WARPLENS:?the path of the executable}"
PATH="$PATH:/usr/local/cuda/bin:/opt/cuda/bin"
command -v nvcc >/dev/null || { echo "skipped: no nvcc, so nothing can be compiled"; exit 77; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# Clusters need compute capability 9.0; whoever has an older nvcc compiles the rest for 7.5.
architecture=sm_90
nvcc --list-gpu-arch | grep -q compute_90 || architecture=sm_75

# A text that was compiled before is not compiled again.
compiler=nvcc
! command -v ccache >/dev/null || compiler="ccache nvcc"

# What `warplens scenarios --json` lists, one a line.
mapfile -t scenarios < <("$program" scenarios --json | sed -n 's/^ *"id": *"\([^"]*\)".*/\1/p')
((${#scenarios[@]} >= 20)) || { echo "FAILED: only ${#scenarios[@]} scenarios"; exit 1; }

# compile SCENARIO: its messages become FOLDER/SCENARIO.log
compile() {
    cd "$folder"
    { "$program" code "$1" --out "$1.cu" && $compiler -O3 -arch="$architecture" -c -o "$1.o" "$1.cu"; } >"$1.log" 2>&1 ||
        echo "$1: exit code $?" >>"$1.log"
}
# compile_typed FILE: the same for a kernel that is there already
compile_typed() {
    $compiler -O3 -arch="$architecture" -c -o "$folder/typed.$(basename "$1").o" "$1" >"$folder/typed.$(basename "$1").log" 2>&1 ||
        echo "$1: exit code $?" >>"$folder/typed.$(basename "$1").log"
}
export -f compile compile_typed
export folder program architecture compiler
printf '%s\n' "${scenarios[@]}" | xargs -P "$(nproc)" -I{} bash -c 'compile {}'
printf '%s\n' assets/typed/*.cu | xargs -P "$(nproc)" -I{} bash -c 'compile_typed {}'

if [ -n "$(cat "$folder"/*.log)" ]; then
    echo "FAILED:"
    cat "$folder"/*.log
    exit 1
fi
# Machine instructions come from the nvcc of this machine (●), not from the recording (▲).
"$program" code transpose --sass | head -1 | grep -q "^● [0-9]* registers" ||
    { echo "FAILED: code --sass does not ask nvcc"; exit 1; }
# The counts of a kernel of one's own, as compiled.
"$program" code assets/typed/own-stride.cu --sass --json | grep -q '"machine": "LDG"' ||
    { echo "FAILED: code --sass --json does not say which instruction a load became"; exit 1; }
echo "${#scenarios[@]} programs compiled by nvcc for $architecture"
