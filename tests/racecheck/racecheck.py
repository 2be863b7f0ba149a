#!/usr/bin/env python3
"""Compares the model's hazards with those that NVIDIA's racecheck sees: every kernel with shared memory, with each barrier
left out in turn, with all and with none.

    racecheck.py WARPLENS                    all of the following; needs nvcc, compute-sanitizer and a GPU, else 77
    racecheck.py prepare WARPLENS FOLDER     the programs without their barriers, and what the model expects of them
    racecheck.py run FOLDER OUT              compiles and runs them
    racecheck.py compare FOLDER OUT          the table; 1 if something differs

Racecheck sees shared memory only, and of one run only what happened in it, so the kinds of hazards (read after write or write
after read) are those of that run. Compared is what does not depend on a run: whether there are hazards, and between which lines
of code. Lines are those of `warplens code`; the comments `// access:` in kernels/scenarios say what they execute.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ONE = "blocks=2^0"
CASES = ([("transpose", "variant=%s,matrix=64" % v) for v in ("tile", "padded", "swizzled")] +
         [("matrix-multiply", "variant=%s,matrix=128,padding=4" % v)
          for v in ("tiled", "tiled-transposed", "register-blocked", "vectorized")] +
         [("matrix-ladder", "variant=%s,matrix=256" % v)
          for v in ("register-column", "register-tile", "float4", "transposed", "double-buffered", "asynchronous",
                    "warp-tile", "spread", "lean")] +
         [("shared-reduction", "variant=%s,%s" % (v, ONE)) for v in ("interleaved", "divergent", "sequential", "shuffle")] +
         [("constant-convolution", "memory=shared,matrix=64"),
          ("register-shuffle", "way=shared,exchange=xor,distance=16," + ONE),
          ("cluster-shared", "place=own,blocks=2^4"), ("cluster-shared", "place=neighbour,blocks=2^4")] +
         [(s, ONE) for s in ("shared-stride", "shared-broadcast", "shared-tile", "shared-matrix-load", "shared-operand-tile")])
BARRIER = re.compile(r"^\s*(?:if \(\w+\) )?(__syncthreads\(\)|__syncwarp\(\)|cluster\.sync\(\));")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def expected_pairs(program, scenario, settings, barriers):
    """The pairs of lines that the board lists, each as two (name, whether it stores)."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.json")
        output_of(program, "export", scenario, "--set", "%s,hazards.barriers=%d" % (settings, barriers), "--view", "hazards",
                  "--out", out)
        with open(out) as file:
            rows = json.load(file)["rows"]
    pairs = []
    for row in rows:
        found = re.fullmatch(r"(read|write) after (read|write): (.+) → (.+)", row["series"])
        if found:
            second, first, first_name, second_name = found.groups()
            pairs.append([[first_name, first == "write"], [second_name, second == "write"]])
    return pairs


def prepare(program, folder):
    os.makedirs(folder, exist_ok=True)
    cases = []
    for scenario, settings in CASES:
        lines = output_of(program, "code", scenario, "--set", settings).splitlines(keepends=True)
        host = next(i for i, line in enumerate(lines) if line.startswith("// Host code"))
        at = [i for i, line in enumerate(lines[:host]) if BARRIER.match(line)]
        choices = [(0, [])] + [(k + 1, [i]) for k, i in enumerate(at)] + ([(4, at)] if len(at) > 1 else [])
        for choice, gone in choices:
            name = "%s-%s-%d" % (scenario, re.sub(r"[^a-z0-9]+", "-", settings), choice)
            with open(os.path.join(folder, name + ".cu"), "w") as file:
                file.writelines("\n" if i in gone else line for i, line in enumerate(lines))
            cases.append({"name": name, "scenario": scenario, "settings": settings, "barriers": choice,
                          "pairs": expected_pairs(program, scenario, settings, choice)})
    with open(os.path.join(folder, "cases.json"), "w") as file:
        json.dump(cases, file, indent=1)
    print("%d programs in %s" % (len(cases), folder))


def run(folder, out):
    os.makedirs(out, exist_ok=True)

    def one(name):
        binary = os.path.join(out, name + ".bin")
        log = open(os.path.join(out, name + ".log"), "w")
        with log:
            built = subprocess.run(["nvcc", "-O3", "-lineinfo", "-arch=native", "-o", binary, os.path.join(folder, name + ".cu")],
                                   stdout=log, stderr=log)
            if built.returncode == 0:
                log.flush()
                try:  # a wrong result is what is looked for, so the exit code says nothing
                    subprocess.run(["compute-sanitizer", "--tool", "racecheck", "--racecheck-report", "analysis",
                                    "--print-limit", "1000", "--launch-count", "1", binary], stdout=log, stderr=log, timeout=90)
                except subprocess.TimeoutExpired:
                    log.write("\ntook too long\n")
                os.remove(binary)

    with open(os.path.join(folder, "cases.json")) as file:
        names = [case["name"] for case in json.load(file)]
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        list(pool.map(one, names))


def labels_of(scenario):
    """What the lines of a scenario's kernels execute, by their text without comment."""
    labels, statement, executes = {}, "", set()
    with open(os.path.join(ROOT, "kernels/scenarios/cuda", scenario.replace("-", "_") + ".cu")) as file:
        for line in file:
            code, _, names = line.partition("// access: ")
            executes |= set(names.strip().split("; ")) if names else {"fill tile"} if "filled_word(" in line else set()
            statement += "".join(code.split())
            if re.search(r"[;{}]$|^(//.*|#.*)?$", statement):  # `warplens code` joins the lines of a statement
                if executes:
                    labels.setdefault(statement, set()).update(executes)
                statement, executes = "", set()
    return labels


def seen_pairs(log, source, labels):
    """Pairs of races as frozensets of (line number, whether it stores), and the names of lines."""
    pairs = set()
    for report in log.split("Race reported between ")[1:]:  # "Write access at ..., and Read access at ..., and ..."
        ends = re.findall(r"(Read|Write) access at [^\n]*\.cu:(\d+)", report.split("RACECHECK SUMMARY")[0])
        first, *others = [(names_at(int(line), source, labels), kind == "Write") for kind, line in ends]
        pairs.update(frozenset([first, other]) for other in others)
    return pairs


def names_at(number, source, labels):
    """What the statement at a line of the source executes. A statement may have several lines."""
    begin = end = number - 1
    while begin > 0 and not re.search(r"[;{}]\s*$|^\s*(//.*|#.*)?$", source[begin - 1]):
        begin -= 1
    while end + 1 < len(source) and not re.search(r"[;{}]\s*$", source[end]):
        end += 1
    statement = "".join("".join(source[begin:end + 1]).split())
    names = set(labels.get(statement, ()))
    # In functions that kernels call:
    if "cp.async" in statement:  # copies of 4 bytes are A's, those of 16 bytes B's
        names.add("copy A, into its tile" if ",4;" in statement else "copy B, into its tile")
    if "ldmatrix" in statement:
        names |= {"load 1 matrix", "load 2 matrices", "load 4 matrices", "load matrices"}
    return tuple(sorted(names)) or ("line %d" % number,)


def is_same(wanted, seen):
    """Whether a pair of (name, whether it stores) is one of (names, whether it stores)."""
    first, second = wanted
    ends = list(seen) * 2 if len(seen) == 1 else list(seen)
    return any(first[0] in a[0] and first[1] == a[1] and second[0] in b[0] and second[1] == b[1]
               for a, b in (ends, ends[::-1]))


def has_read_beside(pair, seen):
    """Whether for each store of the pair a race of that store with a load is reported."""
    stores_with_a_read = set()
    for race in seen:
        if any(not is_store for _, is_store in race):
            stores_with_a_read.update(name for names, is_store in race if is_store for name in names)
    return all(name in stores_with_a_read for name, _ in pair)


def text_of(pair):
    return " / ".join("%s '%s'" % ("write" if s else "read", n if isinstance(n, str) else ", ".join(n)) for n, s in pair)


def compare(folder, out):
    with open(os.path.join(folder, "cases.json")) as file:
        cases = json.load(file)
    differ = 0
    print("| kernel | barriers | model: pairs of lines | racecheck: pairs of lines | |\n|---|---|---|---|---|")
    for case in cases:
        with open(os.path.join(out, case["name"] + ".log")) as file:
            log = file.read()
        with open(os.path.join(folder, case["name"] + ".cu")) as file:
            source = file.read().splitlines()
        labels = labels_of(case["scenario"])
        seen = seen_pairs(log, source, labels)
        wanted = case["pairs"]
        missed = [pair for pair in wanted if not any(is_same(pair, other) for other in seen)]
        false = [pair for pair in seen if not any(is_same(other, pair) for other in wanted)]
        # Racecheck remembers the last access to a byte. Where a thread loads a word before it stores it, the load hides that
        # another thread has stored it, too; then the load itself is reported.
        hidden = [pair for pair in missed if pair[0][1] and pair[1][1] and has_read_beside(pair, seen)]
        if "RACECHECK SUMMARY" not in log:
            verdict = "not run"
        elif false or len(missed) > len(hidden) or bool(seen) != bool(wanted):
            verdict = "DIFFERS"
        else:
            verdict = "equal" if not hidden else "equal but for %d hidden write after write" % len(hidden)
        differ += not verdict.startswith("equal")
        what = ["all", "without 1st", "without 2nd", "without 3rd", "none"][case["barriers"]]
        severity = "error" if "Error: Race" in log else "warning" if "Warning: Race" in log else ""
        print("| %s %s | %s | %d | %d %s | %s |" %
              (case["scenario"], case["settings"], what, len(wanted), len(seen), severity, verdict))
        for title, pairs in (("only the model", missed), ("only racecheck", false)):
            for pair in pairs:
                print("    %s: %s" % (title, text_of(pair)))
    print("%d of %d differ" % (differ, len(cases)))
    return 1 if differ else 0


def main():
    mode = sys.argv[1]
    if mode == "prepare":
        return prepare(sys.argv[2], sys.argv[3])
    if mode == "run":
        return run(sys.argv[2], sys.argv[3])
    if mode == "compare":
        return compare(sys.argv[2], sys.argv[3])
    for tool in ("nvcc", "compute-sanitizer", "nvidia-smi"):
        if shutil.which(tool) is None or (tool == "nvidia-smi" and subprocess.run([tool], capture_output=True).returncode):
            print("skipped: no %s here" % ("GPU" if tool == "nvidia-smi" else tool))
            return 77
    with tempfile.TemporaryDirectory() as folder:
        prepare(mode, folder)
        run(folder, folder)
        return compare(folder, folder)


sys.exit(main())
