#!/usr/bin/env bash
# The table in app/model/time/ladder_time.cpp is the machine code that nvcc makes of kernels/scenarios/cuda/matrix_ladder.cu: compile
# it and count.
#   tests/commands/ladder_code.sh --print   what is to stand there
set -euo pipefail
cd "$(dirname "$0")/../.."
table=app/model/time/ladder_time.cpp

PATH="$PATH:/usr/local/cuda/bin:/opt/cuda/bin"
command -v nvcc >/dev/null || { echo "skipped: no nvcc, so nothing can be compiled"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
compiler="nvcc $(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'), sm_90"
if [[ ${1:-} != --print ]] && ! grep -q "$compiler" "$table"; then
    echo "skipped: the table was counted in the code of another compiler than $compiler"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nvcc -O3 -std=c++20 -arch=sm_90 -I. -cubin -o "$scratch/ladder.cubin" kernels/scenarios/cuda/matrix_ladder.cu 2>"$scratch/log" ||
    { cat "$scratch/log"; exit 1; }

python3 - "$scratch/ladder.cubin" >"$scratch/found" <<'END'
# Machine code of compute capability 9.0: instructions of 16 bytes, the operation in the lowest 12 bits.
import re
import struct
import sys

FFMA, BRANCH = 0x223, 0x947
ACCESSES = {0x984, 0x988, 0x388, 0x981, 0x986, 0xfae}  # LDS, STS twice, LDG, STG, LDGSTS
# Each rung's kernel, with the three stages that are the default, and the multiply-adds of a thread for one pair of tiles.
RUNGS = [("register_column", "", 64), ("register_tile", "", 512), ("float4", "", 512), ("transposed", "", 512),
         ("double_buffered", "", 512), ("asynchronous", "Li3E", 512), ("warp_tile", "Li3ELi12E", 2048),
         ("warp_tile", "Li3ELi1E", 2048), ("lean", "", 1024)]

cubin = open(sys.argv[1], "rb").read()
sections_at, = struct.unpack_from("<Q", cubin, 0x28)
size, count, names = struct.unpack_from("<HHH", cubin, 0x3a)
sections = [struct.unpack_from("<IIQQQQ", cubin, sections_at + i * size) for i in range(count)]
names_at = sections[names][4]


def name_of(section):
    return cubin[names_at + section[0]:cubin.index(b"\0", names_at + section[0])].decode()


def target(index, low, high):
    """The instruction that a branch leads to. Its distance is counted in 4 bytes."""
    distance = (low >> 34) | (high & 0x3ffff) << 30
    distance -= (distance >> 47) << 48
    return index + 1 + (distance << 8 | low >> 16 & 255) // 4


def conflicts(low, high, kept):
    """Whether two registers that are not kept from the instruction before lie in one of the two banks."""
    registers = [low >> 24 & 255, low >> 32 & 255, high & 255]
    read = {r for place, r in enumerate(registers) if r != 255 and kept.get(place) != r}
    now = {place: r for place, r in enumerate(registers) if high >> 58 >> place & 1}
    return max(sum(r % 2 == bank for r in read) for bank in (0, 1)) > 1, now


for rung, stages, wanted in RUNGS:
    section, = [s for s in sections if re.match(r"\.text\..*ladder_%sI.*%sEE?v?" % (rung, stages), name_of(s))]
    code = [struct.unpack_from("<QQ", cubin, section[4] + i) for i in range(0, section[5], 16)]
    adds = [low & 0xfff == FFMA for low, high in code]
    loops = [(target(i, *one), i) for i, one in enumerate(code) if one[0] & 0xfff == BRANCH]
    loops = [(first, last) for first, last in loops if first <= last and sum(adds[first:last + 1]) > 8]
    first, last = max(loops, key=lambda loop: loop[1] - loop[0])
    inner = [loop for loop in loops if first <= loop[0] and loop[1] <= last and loop != (first, last)]
    weight = [1] * len(code)
    for begin, end in inner:
        inside = sum(adds[begin:end + 1])
        outside = sum(adds[first:last + 1]) - inside
        weight[begin:end + 1] = [(wanted - outside) // inside] * (end + 1 - begin)
    assert sum(weight[i] for i in range(first, last + 1) if adds[i]) == wanted, (rung, loops, adds.count(True))
    others = conflicting = 0
    kept = {}
    for i in range(first, last + 1):
        low, high = code[i]
        if adds[i]:
            bad, kept = conflicts(low, high, kept)
            conflicting += weight[i] * bad
        else:
            kept = {}
            others += weight[i] * (low & 0xfff not in ACCESSES)
    print("{%d, %d}" % (others, conflicting))
END

found=$(paste -sd, "$scratch/found" | sed 's/},{/}, {/g')
recorded=$(sed -n '/kCompiled\[\]/,/};/p' "$table" | tr -d '\n' | sed 's/.*= {\(.*\)};/\1/; s/  */ /g')
if [[ ${1:-} == --print ]]; then
    echo "$found"
elif [[ $found != "$recorded" ]]; then
    echo "$table is not what $compiler makes: $found, and there stands $recorded"
    exit 1
fi
