#!/usr/bin/env bash
# The page in a browser without a screen, by mouse, keys and fingers (tests/page/drive.mjs). WARPLENS_SHOTS=<folder> keeps a
# picture of each step.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
page=$here/../build/web/warplens.html
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
browser=$(command -v chromium || command -v google-chrome) || { echo "skipped: no Chromium"; exit 77; }
[[ -f $page ]] || { echo "skipped: app/web/build has not been run here"; exit 77; }
node "$here/page/drive.mjs" "$browser" "$page" ${WARPLENS_SHOTS:+"$WARPLENS_SHOTS"}
