#!/usr/bin/env bash
# The real window on a machine with an NVIDIA GPU: interop is in use and every knob change is measured. See with_a_gpu.py.
set -euo pipefail
for tool in nvidia-smi Xvfb xdotool python3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not here"; exit 77; }
done
here=$(dirname "${BASH_SOURCE[0]}")
exec python3 "$here/with_a_gpu.py" "${WARPLENS:?set WARPLENS to the program}" "$@"
