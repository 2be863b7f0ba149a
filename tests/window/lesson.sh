#!/usr/bin/env bash
# A lesson in the real window under Xvfb: its links, its scrolling, the words. See lesson.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/lesson.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
