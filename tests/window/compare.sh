#!/usr/bin/env bash
# Two settings side by side in the real window under Xvfb, with a real mouse and keyboard. See compare.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/compare.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
