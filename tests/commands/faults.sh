#!/usr/bin/env bash
# A short part of tests/faults: commands while calls fail, and while they are killed. Without the window, whose driver
# is slow to start. WARPLENS: the executable.
exec python3 tests/faults 20 --kills 10 --no-window
