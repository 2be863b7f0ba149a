#!/usr/bin/env bash
# The code panel and the board Choose in the real window under Xvfb. See code.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/code.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
