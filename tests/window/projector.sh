#!/usr/bin/env bash
# Projector mode with a clicker's keys, and the tour of a first start, in the real window under Xvfb. See projector.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/projector.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
