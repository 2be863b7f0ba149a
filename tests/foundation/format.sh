#!/usr/bin/env bash
# All C++ and CUDA files are formatted as .clang-format says. Mend with:  bash tests/foundation/format.sh --fix
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v clang-format >/dev/null; then
    echo "skipped: clang-format is not installed"
    exit 77
fi
# Each major version formats some lines in another way.
version="$(clang-format --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')"
if [[ $version != 14 ]]; then
    echo "skipped: the files are formatted as clang-format 14 does, of Debian 12; here is $version"
    exit 77
fi
mapfile -t files < <(find app kernels tests -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh')
if [[ ${1:-} == --fix ]]; then
    clang-format -i "${files[@]}"
    exit
fi

wrong="$(clang-format --dry-run -Werror "${files[@]}" 2>&1 | sed -n 's/^\([^:]*\):.*error:.*/\1/p' | sort -u || true)"
[[ -z $wrong ]] || { printf 'not formatted: %s\n' $wrong; exit 1; }
