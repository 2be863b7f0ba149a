"""Every header compiles alone, and twice.

    headers.py SOURCES COMPILE_COMMANDS

Where a header comes after others that it includes itself, it compiles as if it were alone. So headers that include one
another, step by step, are compiled as one file; and a few that many others include are precompiled.
"""
import collections, concurrent.futures, json, os, pathlib, re, shlex, shutil, subprocess, sys, threading


def included(path):
    return re.findall(r'^\s*#\s*include\s*"(.*?)"', path.read_text(), re.M)


def closures(root, suffix):
    """Of each header with this suffix all such headers that it includes, directly or not."""
    found = {}

    def closure(header):
        if header not in found:
            found[header] = set()  # while it is looked at
            path = root / header
            for name in included(path) if path.exists() else []:
                found[header] |= {name} | closure(name)
        return found[header]

    headers = [str(p.relative_to(root)) for room in ("app", "kernels", "tests")
               for p in sorted((root / room).rglob("*" + suffix))]
    return {header: closure(header) & set(headers) for header in headers}


def chains(closure):
    """The headers, in as few chains as there can be, each of which has all headers before it in its closure."""
    before, after = {}, {}  # the header next to one in its chain

    def take(header, seen):
        """Finds a place for the header before another one, where headers already placed may move."""
        for other in closure:
            if header in closure[other] and other not in seen:
                seen.add(other)
                if other not in before or take(before[other], seen):
                    before[other], after[header] = header, other
                    return True
        return False

    for header in closure:
        take(header, set())
    result = []
    for header in closure:
        if header not in before:
            chain = [header]
            while chain[-1] in after:
                chain.append(after[chain[-1]])
            result.append(chain)
    return result


def beginnings(root, closure, most):
    """The headers in groups, by what each may begin with: the largest of a few headers that many others include."""
    def system(header):
        return re.findall(r"^\s*#\s*include\s*<(.*?)>", (root / header).read_text(), re.M)

    # A header of a library takes longer than one of ours.
    size = {header: len(closure[header]) + 2 * len({name for one in {header} | closure[header] for name in system(one)})
            for header in closure}
    size[None] = 0
    begins = dict.fromkeys(closure)

    def saved(header):
        return sum(max(0, size[header] - size[begins[other]]) for other in closure if header in closure[other])

    for _ in range(most):
        best = max(closure, key=saved)
        for header in closure:
            if best in closure[header] and size[best] > size[begins[header]]:
                begins[header] = best
    groups = collections.defaultdict(dict)
    for header, beginning in begins.items():
        groups[beginning][header] = closure[header]
    return groups


def compiler(entries, target, suffixes):
    """The command that compiles a file of this target, without its files and what costs time."""
    entry = next((e for e in entries if target + ".dir" in e["command"] and e["file"].endswith(suffixes)), None)
    if entry is None:
        return None
    words = shlex.split(entry["command"])
    while not re.search(r"(\+\+|cc|clang)[-\d.]*$", words[0]):  # the compiler cache, which some versions of CMake name
        words.pop(0)
    words = words[:min(words.index(option) for option in ("-c", "-o", "-x") if option in words)]
    left_out = ("-fsanitize", "-fno-sanitize", "-g", "-O", "-M")
    return [word for word in words if not word.startswith(left_out)], entry["directory"]


def main(root, commands):
    entries = json.loads(pathlib.Path(commands).read_text())
    cache = [shutil.which("ccache")] if shutil.which("ccache") else []
    # Of a precompiled header the cache looks at the headers in it, not at its bytes, which name this folder.
    environment = dict(os.environ, CCACHE_BASEDIR=str(pathlib.Path(root).resolve()), CCACHE_NOHASHDIR="1", CCACHE_DEPEND="1",
                       CCACHE_PCH_EXTSUM="1", CCACHE_SLOPPINESS="pch_defines,time_macros")
    compilers = {".h": compiler(entries, "cpu_tests", (".cpp", ".cxx")), ".cuh": compiler(entries, "gpu_tests", ".cu")}

    def run(words, directory, cache=()):
        return subprocess.run([*cache, *words], cwd=directory, env=environment, capture_output=True, text=True)

    def place(header, suffix):
        """A file for this header in the build folder. The compiler cache wants files whose names stay."""
        folder = pathlib.Path(compilers[pathlib.Path(header).suffix][1], "headers")
        folder.mkdir(exist_ok=True)
        return folder / (re.sub(r"\W", "_", header) + suffix)

    precompiled, one_at_a_time = set(), threading.Lock()

    def precompile(header, words, directory):
        at = place(header, ".pch")
        with one_at_a_time:
            if header not in precompiled:
                precompiled.add(header)
                at.with_suffix(".h").write_text(f'#include "{header}"\n')
                run([*words, "-x", "c++-header", at.with_suffix(".h"), "-o", at], directory)

    def errors(job):
        beginning, chain = job
        suffix = pathlib.Path(chain[0]).suffix
        words, directory = compilers[suffix]
        source = place(chain[0], {".h": ".cpp", ".cuh": ".cu"}[suffix])
        source.write_text("".join(f'#include "{header}"\n' * 2 for header in chain))
        options = ["-MD", "-MF", source.with_suffix(".d")] if suffix == ".h" else []  # so the cache need not preprocess
        if beginning:
            options += ["-include-pch", place(beginning, ".pch")]
        command = [*words, *options, "-c", source, "-o", source.with_suffix(".o")]
        done = run(command, directory, cache)
        # What is in the cache needs no precompiled header: it is made when the first compilation fails without it.
        if done.returncode and beginning:
            precompile(beginning, words, directory)
            done = run(command, directory, cache)
        return done.stdout + done.stderr if done.returncode else ""

    jobs, root = [], pathlib.Path(root)
    for suffix in (".cuh", ".h"):
        if not compilers[suffix]:
            continue
        clang = "clang" in compilers[suffix][0][0]
        for beginning, group in beginnings(root, closures(root, suffix), 7 if clang else 0).items():
            jobs += [(beginning, chain) for chain in chains(group)]
            if beginning:
                place(beginning, ".pch").write_bytes(b"")
                place(beginning, ".pch.sum").write_text(beginning)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = "".join(pool.map(errors, jobs))
    sys.stderr.write(failures)
    print(sum(len(chain) for _, chain in jobs), "headers compile,", len(jobs), "times")
    if not compilers[".cuh"]:
        print("headers for CUDA: skipped, this build has no CUDA")
    return 1 if failures or not jobs else 0


sys.exit(main(*sys.argv[1:]))
