#!/usr/bin/env bash
# The player of the tile phases with a real mouse and keyboard. See tile_phases.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/tile_phases.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
