#!/usr/bin/env bash
# The board of occupancy in the real window under Xvfb, with a real mouse. See occupancy.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/occupancy.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
