#!/usr/bin/env bash
# GCC looks for shadowed names in the tests where Clang compiles them: in a batch of files Clang would report the constants
# of the others. GCC sees the product itself in what app/run builds.
set -euo pipefail
build=$(dirname "${WARPLENS:?set WARPLENS to the program}")
commands="$build/compile_commands.json"
[[ -f $commands ]] || { echo "skipped: there is no $commands"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: g++ is not here"; exit 77; }
exec python3 - "$commands" <<'P'
import concurrent.futures, json, os, shlex, subprocess, sys

def flags(entry):
    """Definitions and folders of the entry."""
    kept, take = [], False
    for word in shlex.split(entry["command"]):
        if take or word.startswith(("-D", "-I", "-std=")) or word == "-isystem":
            kept.append(word)
        take = word == "-isystem"
    return kept

def checked(batches):
    """The batches as GCC sees them, as one file, which reads their headers once; no code is made."""
    text = "".join('#include "%s"\n' % entry["file"] for entry in batches)
    command = ["g++", "-fsyntax-only", "-Werror=shadow", "-Wno-subobject-linkage"] + flags(batches[0]) + ["-xc++", "-"]
    return subprocess.run(command, cwd=batches[0]["directory"], input=text, capture_output=True, text=True)

entries = [e for e in json.load(open(sys.argv[1]))
           if "/Unity/" in e["file"] and "/tests/" in e["file"] and e["file"].endswith(".cxx")]
if not entries or "clang" not in entries[0]["command"].split(" -")[0]:
    print("skipped: GCC compiled the tests, with this warning")
    sys.exit(77)
groups = {}  # by program: some files are in several; of each, about as many jobs as there are processors
for entry in entries:
    groups.setdefault(os.path.dirname(entry["file"]), []).append(entry)
jobs = [group[i::count] for group in groups.values() for count in [min(os.cpu_count(), len(group))] for i in range(count)]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(checked, jobs))
for result in results:
    sys.stderr.write(result.stderr)
print(len(entries), "batches of tests looked at")
sys.exit(any(result.returncode for result in results))
P
