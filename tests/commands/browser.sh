#!/usr/bin/env bash
# The page in browsers without a screen, by mouse, keys and fingers (tests/page/drive.mjs). WARPLENS_SHOTS=<folder> keeps a
# picture of each step, those of Firefox in firefox/.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
page=$here/../build/web/warplens.html
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
chromium=$(command -v chromium || command -v google-chrome || true)
firefox=$(command -v xvfb-run >/dev/null && { command -v firefox-esr || command -v firefox; } || true)
[[ -n $chromium$firefox ]] || { echo "skipped: no Chromium, and no Firefox with Xvfb"; exit 77; }
[[ -f $page ]] || { echo "skipped: app/web/build has not been run here"; exit 77; }
if [[ -n $chromium ]]; then node "$here/page/drive.mjs" "$chromium" "$page" ${WARPLENS_SHOTS:+"$WARPLENS_SHOTS"}; fi
[[ -n $firefox ]] || exit 0
echo "Firefox"  # without a screen it has no WebGL
if [[ -n ${WARPLENS_SHOTS:-} ]]; then mkdir -p "$WARPLENS_SHOTS/firefox"; fi
xvfb-run -a -s "-screen 0 1600x1000x24" node --experimental-websocket "$here/page/drive.mjs" "$firefox" "$page" \
    ${WARPLENS_SHOTS:+"$WARPLENS_SHOTS/firefox"}
