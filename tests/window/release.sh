#!/usr/bin/env bash
# mouse_and_keys.sh with the program that people run: it is optimized and can crash where the one with sanitizers does not.
set -euo pipefail
[ -x "${WARPLENS:?}" ] || { echo "skipped: no program of app/run (tests/run --quick does not build it)"; exit 77; }
exec bash "$(dirname "${BASH_SOURCE[0]}")/mouse_and_keys.sh" "$@"
