"""Every header compiles alone, and twice.

    headers.py SOURCES COMPILE_COMMANDS

Where a header comes after others that it includes itself, it compiles as if it were alone. So headers that include one
another, step by step, are compiled as one file.
"""
import concurrent.futures, json, os, pathlib, re, shlex, shutil, subprocess, sys


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
    environment = dict(os.environ, CCACHE_BASEDIR=str(pathlib.Path(root).resolve()), CCACHE_NOHASHDIR="1", CCACHE_DEPEND="1")
    compilers = {".h": compiler(entries, "cpu_tests", (".cpp", ".cxx")), ".cuh": compiler(entries, "gpu_tests", ".cu")}

    def errors(chain):
        suffix = pathlib.Path(chain[0]).suffix
        words, directory = compilers[suffix]
        folder = pathlib.Path(directory, "headers")  # the compiler cache wants files whose names stay
        folder.mkdir(exist_ok=True)
        source = folder / (re.sub(r"\W", "_", chain[0]) + {".h": ".cpp", ".cuh": ".cu"}[suffix])
        source.write_text("".join(f'#include "{header}"\n' * 2 for header in chain))
        listed = ["-MD", "-MF", source.with_suffix(".d")] if suffix == ".h" else []  # so the cache need not preprocess
        done = subprocess.run([*cache, *words, *listed, "-c", source, "-o", source.with_suffix(".o")], cwd=directory,
                              env=environment, capture_output=True, text=True)
        return done.stdout + done.stderr if done.returncode else ""

    all_chains = [chain for suffix in (".cuh", ".h") if compilers[suffix]
                  for chain in chains(closures(pathlib.Path(root), suffix))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = "".join(pool.map(errors, all_chains))
    sys.stderr.write(failures)
    print(sum(map(len, all_chains)), "headers compile,", len(all_chains), "times")
    if not compilers[".cuh"]:
        print("headers for CUDA: skipped, this build has no CUDA")
    return 1 if failures or not all_chains else 0


sys.exit(main(*sys.argv[1:]))
