#!/usr/bin/env bash
# The shell scripts parse, and the program says its version through one word on the command line.
set -euo pipefail
cd "$(dirname "$0")/../.."

find app/run app/setup.sh tests/run .ci/run tests -maxdepth 3 -type f \( -name '*.sh' -o -name run -o -name fuzz \) -print0 |
    xargs -0 -n1 bash -n
for script in app/run tests/run tests/fuzz .ci/run; do
    [[ -x $script ]] || { echo "$script is not executable"; exit 1; }
done

expected="warplens $(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
# app/run itself would build the release; here it starts the program that was just built.
answer="$(WARPLENS_PROGRAM="$WARPLENS" app/run --version)"
[[ $answer == "$expected"* ]] || { echo "--version: '$answer', expected '$expected'"; exit 1; }
