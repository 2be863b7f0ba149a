#!/usr/bin/env bash
# A lecture with the demo that ships, by a clicker's keys, in the real window under Xvfb. See lecture.py.
set -euo pipefail
for tool in Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/lecture.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
