#!/usr/bin/env python3
"""Every header includes what it uses, so that it compiles alone: each type, constant, macro of the project and each
name of the standard library that a header uses is declared in it, in a header of the project that it includes, or in
a header of the standard library that one of these includes.

To compile each header alone shows the same and takes as long as a third of all other sources: the target `headers`
does it in a build that does not join files (the presets dev and cpu-only).

usage: headers.py   (in the repository's root)
"""
import pathlib
import re
import sys

STANDARD = {  # name in std: the headers that declare it; of names that are not here nothing is known
    "algorithm": "clamp copy count equal fill find find_if max min minmax remove_if shuffle sort stable_sort unique",
    "any": "any", "array": "array", "atomic": "atomic atomic_bool", "bit": "bit_cast popcount countr_zero countl_zero",
    "bitset": "bitset", "chrono": "chrono", "cmath": "ceil floor fmax fmin log2 pow sqrt",
    "condition_variable": "condition_variable", "concepts": "integral same_as", "cstdint":
    "int8_t int16_t int32_t int64_t intptr_t uint8_t uint16_t uint32_t uint64_t uintptr_t uintmax_t", "cstring":
    "memcmp memcpy memset strlen", "deque": "deque", "exception": "exception_ptr", "filesystem": "filesystem",
    "fstream": "fstream ifstream ofstream", "functional": "function hash invoke less", "future": "async future promise",
    "initializer_list": "initializer_list", "limits": "numeric_limits", "list": "list", "map": "map multimap", "memory":
    "make_shared make_unique shared_ptr unique_ptr weak_ptr", "mutex": "lock_guard mutex once_flag unique_lock", "numeric":
    "accumulate gcd iota", "optional": "make_optional nullopt optional", "random": "mt19937 mt19937_64", "regex":
    "regex regex_match regex_replace regex_search smatch", "set": "set", "span": "span", "sstream":
    "istringstream ostringstream stringstream", "stdexcept": "logic_error out_of_range runtime_error", "stop_token":
    "stop_callback stop_source stop_token", "string": "string to_string stod stoi", "string_view": "string_view",
    "thread": "jthread this_thread thread", "tuple": "tie tuple", "type_traits": "is_same_v type_identity_t",
    "unordered_map": "unordered_map", "unordered_set": "unordered_set", "utility": "exchange forward move pair swap",
    "variant": "get_if holds_alternative monostate variant", "vector": "vector",
}
# Headers that declare the names of another as well, by the C++ standard.
ALSO = {"string": {"string_view", "initializer_list"}, "vector": {"initializer_list"}, "map": {"utility"},
        "thread": {"stop_token"}}
STREAMS = {"iosfwd", "istream", "ostream", "iostream", "sstream", "fstream"}


def without_comments_and_texts(source):
    source = re.sub(r'R"(\w*)\(.*?\)\1"', '""', source, flags=re.S)
    source = re.sub(r'"(\\.|[^"\\\n])*"', '""', source)
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    return re.sub(r"//.*|^#include.*", "", source, flags=re.M)


class Header:
    def __init__(self, source):
        self.project = set(re.findall(r'^#include "([^"]+)"', source, re.M))
        self.standard = set(re.findall(r"^#include <([^>]+)>", source, re.M))
        code = without_comments_and_texts(source)
        template = r"^(?:template <.*>\s*)?"
        self.declares = set(re.findall(template + r"(?:struct|class|union|enum class|enum) (\w+)[^;{]*\{", code, re.M))
        self.declares |= set(re.findall(template + r"(?:using|concept) (\w+) =", code, re.M))
        self.declares |= set(re.findall(r"^(?:inline |extern )*(?:constexpr|const) [^=;(]*?\b(k[A-Z]\w*)\b", code, re.M))
        self.declares |= set(re.findall(r"^#define (\w+)", code, re.M))
        # Types within others, parameters of templates, types that are only announced, constants of a class.
        self.own = set(re.findall(r"\b(?:enum class|struct|class|union|enum|using|typename|concept|auto) (?:\w+::)*(\w+)", code))
        self.own |= set(re.findall(r"\b(k[A-Z]\w*) ?[=\[{]", code))
        self.uses = set(re.findall(r"(?<![.:>\w])[A-Za-z_]\w+", code))
        self.uses_of_standard = set(re.findall(r"\bstd::(\w+)", code))


def closure(headers, path):
    """The header and all of the project that it includes."""
    seen, open_paths = set(), [path]
    while open_paths:
        one = open_paths.pop()
        if one not in seen and one in headers:
            seen.add(one)
            open_paths.extend(headers[one].project)
    return seen


def missing(headers):
    """(header, name, what would declare it) for every name that a header uses and does not reach."""
    declared = {}
    for path, header in headers.items():
        for name in header.declares:
            declared.setdefault(name, set()).add(path)
    standard = {name: file for file, names in STANDARD.items() for name in names.split()}
    found = []
    for path, header in headers.items():
        reached = closure(headers, path)
        for name in header.uses - header.own:
            if name in declared and not declared[name] & reached:
                found.append((path, name, " or ".join('"%s"' % file for file in sorted(declared[name]))))
        included = set().union(*(headers[one].standard for one in reached))
        for file in set(included):
            included |= ALSO.get(file, set())
        for name in header.uses_of_standard:
            if name in standard and standard[name] not in included:
                found.append((path, "std::" + name, "<%s>" % standard[name]))
            elif name in ("istream", "ostream") and not STREAMS & included:
                found.append((path, "std::" + name, "<iosfwd>"))
    return sorted(found)


def check_the_check():
    """Every include that a header needs is missed when it is taken away, in a small tree."""
    tree = {
        "a.h": "#include <string>\nstruct Name { std::string text; };\ninline constexpr int kMost = 3;\n",
        "b.h": '#include "a.h"\n\n#include <vector>\nstruct Names { std::vector<Name> all; int more[kMost]; };\n',
        "c.h": '#include "b.h"\n// Other\nstruct Announced;\nvoid f(Names names, std::string_view, Announced*);\n',
    }
    headers = {path: Header(source) for path, source in tree.items()}
    assert missing(headers) == [], missing(headers)
    for path, source in tree.items():
        for line in re.findall(r"^#include.*\n", source, re.M):
            planted = dict(headers, **{path: Header(source.replace(line, ""))})
            assert any(one[0] == path for one in missing(planted)), (path, line)


def main():
    check_the_check()
    headers = {}
    for folder in ("app", "kernels", "tests"):
        for path in pathlib.Path(folder).rglob("*"):
            if path.suffix in (".h", ".cuh"):
                headers[path.as_posix()] = Header(path.read_text())
    if len(headers) < 200:
        sys.exit("the tree was not found: run this in the repository's root")
    found = missing(headers)
    for path, name, where in found:
        print("%s uses %s and does not include %s" % (path, name, where))
    sys.exit(1 if found else 0)


main()
