#!/usr/bin/env bash
# All C++ and CUDA files are formatted as .clang-format says. Mend with:  bash tests/foundation/format.sh --fix
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v clang-format >/dev/null; then
    echo "skipped: clang-format is not installed"
    exit 77
fi
mapfile -t files < <(find app kernels tests -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' | sort)
if [[ ${1:-} == --fix ]]; then
    clang-format -i "${files[@]}"
    exit
fi

status=0
for file in "${files[@]}"; do
    clang-format --dry-run -Werror "$file" 2>/dev/null || { echo "not formatted: $file"; status=1; }
done
exit $status
