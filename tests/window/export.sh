#!/usr/bin/env bash
# Figures from the real window under Xvfb: the dialog with mouse and keyboard, the clipboard, files by name. See
# export.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/export.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
