#!/usr/bin/env bash
# The model's hazards are those that NVIDIA's racecheck sees, with each barrier left out in turn: tests/racecheck/racecheck.py.
# WARPLENS: the executable.
set -euo pipefail
program="${WARPLENS:?the path of the executable}"
PATH="$PATH:/usr/local/cuda/bin:/opt/cuda/bin"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
exec python3 tests/racecheck/racecheck.py "$program"
