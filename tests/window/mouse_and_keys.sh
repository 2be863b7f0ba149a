#!/usr/bin/env bash
# The real window under Xvfb, driven with a real mouse and keyboard. See mouse_and_keys.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/mouse_and_keys.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
