#!/usr/bin/env bash
# A whole course and a quiz in the real window under Xvfb, with real mouse and keys. See course.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/course.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
