#!/usr/bin/env bash
# The list of worked numbers and the table of spaces in the real window under Xvfb, with a real mouse. See claims.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/claims.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
