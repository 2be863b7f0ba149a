#!/usr/bin/env bash
# Every header compiles alone, and twice (headers.py).
set -euo pipefail
build=$(dirname "${WARPLENS:?set WARPLENS to the program}")
[[ -f $build/compile_commands.json ]] || { echo "skipped: there is no $build/compile_commands.json"; exit 77; }
exec python3 tests/foundation/headers.py . "$build/compile_commands.json"
