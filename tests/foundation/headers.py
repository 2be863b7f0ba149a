"""Every header compiles alone, and twice.

    headers.py SOURCES COMPILE_COMMANDS

Where a header comes after others that it includes itself, it compiles as if it were alone. So headers that include one
another, step by step, are compiled as one file.
"""
import concurrent.futures, json, os, pathlib, re, shlex, subprocess, sys


def included(path):
    return re.findall(r'^\s*#\s*include\s*"(.*?)"', path.read_text(), re.M)


def closures(root):
    """Of each header all that it includes, directly or not."""
    found = {}

    def closure(header):
        if header not in found:
            found[header] = set()  # while it is looked at
            path = root / header
            for name in included(path) if path.exists() else []:
                found[header] |= {name} | closure(name)
        return found[header]

    headers = [str(p.relative_to(root)) for room in ("app", "kernels", "tests") for p in sorted((root / room).rglob("*.h"))]
    return {header: closure(header) for header in headers}


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


def main(root, commands):
    entry = next(e for e in json.loads(pathlib.Path(commands).read_text())
                 if "cpu_tests.dir" in e["command"] and e["file"].endswith((".cpp", ".cxx")))
    words = shlex.split(entry["command"])
    words = [word for word in words[:words.index("-o")] if not word.startswith(("-fsanitize", "-fno-sanitize", "-g", "-O", "-M"))]
    folder = pathlib.Path(entry["directory"], "headers")  # the compiler cache wants files whose names stay
    folder.mkdir(exist_ok=True)

    def errors(chain):
        source = folder / (re.sub(r"\W", "_", chain[0]) + ".cpp")
        source.write_text("".join(f'#include "{header}"\n' * 2 for header in chain))
        done = subprocess.run([*words, "-c", source, "-o", source.with_suffix(".o")], cwd=entry["directory"],
                              capture_output=True, text=True)
        return done.stderr if done.returncode else ""

    all_chains = chains(closures(pathlib.Path(root)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = "".join(pool.map(errors, all_chains))
    sys.stderr.write(failures)
    print(sum(map(len, all_chains)), "headers compile,", len(all_chains), "times")
    return 1 if failures or not all_chains else 0


sys.exit(main(*sys.argv[1:]))
