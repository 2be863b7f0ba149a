#!/usr/bin/env bash
# Compiles kernel.cu in many configurations, times each beside cuBLAS on this machine's GPU, and writes times.csv,
# clocks.csv and the list of configurations to the folder given as $1.
#   ./run.sh /tmp/out              n = 2048, 4096 and 8192
#   ./run.sh /tmp/out 4096         other sizes
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$(realpath -m "${1:?usage: run.sh FOLDER [N...]}"); shift
[ $# -gt 0 ] || set -- 2048 4096 8192
arch=${ARCH:-native}
mkdir -p "$out"
configurations=("")  # the kernel as it is
for depth in 8 16; do
  for order in 0 1 2; do
    for keep in 0 1 2 3 4 5; do
      for fetch in 3 4 5 8; do configurations+=("-DDEPTH=$depth -DORDER=$order -DKEEP=$keep -DFETCH=$fetch"); done
    done
  done
done
for order in 1 2; do configurations+=("-DLANES_DOWN=8 -DORDER=$order"); done
for other in LOADS_AT_ONCE=2 LOADS_AT_ONCE=6 STORE=0 STORE=4 PADDING=8 GROUP=4 GROUP=16; do configurations+=("-D$other"); done
compile() {
  nvcc -O3 -std=c++20 -arch="$arch" -cubin $2 -o "$out/$1.cubin" "$here/kernel.cu" 2>"$out/$1.log" ||
    grep -q 'static assertion' "$out/$1.log" || echo "not compiled: $2" >&2  # those that cannot be are left out
}
export -f compile
for i in "${!configurations[@]}"; do printf '%s\0%s\0' "$i" "${configurations[i]}"; done | xargs -0 -n2 -P"$(nproc)" bash -c 'compile "$1" "$2"' _
nvcc -O2 -std=c++20 -arch="$arch" "$here/times.cu" -o "$out/times" -ldl
: >"$out/list.txt"
for i in "${!configurations[@]}"; do
  [ -s "$out/$i.cubin" ] && printf '%s %s\n' "$out/$i.cubin" "${configurations[i]//-D/}" >>"$out/list.txt"
done
nvidia-smi --query-gpu=clocks.sm,power.draw,clocks_event_reasons.active --format=csv -lms 200 >"$out/clocks.csv" 2>/dev/null & watch=$!
trap 'kill $watch 2>/dev/null || true' EXIT
"$out/times" "$out/list.txt" "$@" | tee "$out/times.csv"
