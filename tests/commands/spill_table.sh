#!/usr/bin/env bash
# The table in kernels/scenarios/spill_record.h is what the assembler really does: compile kernels/scenarios/cuda/local_spill.cu and compare.
#   tests/commands/spill_table.sh --record   writes the table anew
set -euo pipefail
cd "$(dirname "$0")/../.."
header=kernels/scenarios/spill_record.h

PATH="$PATH:/usr/local/cuda/bin:/opt/cuda/bin"
command -v nvcc >/dev/null || { echo "skipped: no nvcc, so nothing can be compiled"; exit 77; }
compiler="nvcc $(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'), sm_90"
if [[ ${1:-} != --record ]] && ! grep -q "\"$compiler\"" "$header"; then
    echo "skipped: the table was recorded with another compiler than $compiler"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compile SOURCE FOUND: one line "live registers: {used, frame, loads}" for each kernel that ptxas describes
compile() {
    nvcc -std=c++20 -arch=sm_90 -cubin -I. -diag-suppress=177 -Xptxas -v "$1" -o "$scratch/spill.cubin" 2>"$scratch/log" ||
        { cat "$scratch/log"; exit 1; }
    sed -n "s/.*Function properties for .*spillILi\([0-9]*\)ELi\([0-9]*\)E.*/kernel \1 \2/p
            s/ *\([0-9]*\) bytes stack frame, .* \([0-9]*\) bytes spill loads/frame \1 \2/p
            s/.*Used \([0-9]*\) registers.*/used \1/p" "$scratch/log" |
        awk '$1 == "kernel" { key = $2 " " $3 } $1 == "frame" { frame = $2 ", " $3 }
             $1 == "used" && key { print key ": {" $2 ", " frame "}"; key = "" }' >"$2"
}
compile kernels/scenarios/cuda/local_spill.cu "$scratch/found"

numbers() { sed -n "s/.*$1\[\] = {\(.*\)};/\1/p" "$header" | tr -d ','; }
read -ra budgets <<<"$(numbers kSpillRegisters)"
read -ra lives <<<"$(numbers kSpillLiveValues)"

[[ $(wc -l <"$scratch/found") == $((${#budgets[@]} * ${#lives[@]})) ]] ||
    { echo "expected ${#lives[@]} x ${#budgets[@]} kernels, found:"; cat "$scratch/found"; exit 1; }

{
    echo "inline constexpr const char* kSpillCompiler = \"$compiler\";"
    echo "inline constexpr SpillRecord kSpillRecords[${#lives[@]}][${#budgets[@]}] = {"
    for live in "${lives[@]}"; do
        row=""
        for budget in "${budgets[@]}"; do row+=", $(sed -n "s/^$live $budget: //p" "$scratch/found")"; done
        echo "    {${row#, }},"
    done
    echo "};"
} >"$scratch/table"

if [[ ${1:-} == --record ]]; then
    sed -i -e "/^inline constexpr const char\* kSpillCompiler/,/^};/{/^};/r $scratch/table
               d}" "$header"
fi
diff <(sed -n '/^inline constexpr const char\* kSpillCompiler/,/^};/p' "$header") "$scratch/table" ||
    { echo "kernels/scenarios/spill_record.h is not what $compiler does: record it anew"; exit 1; }

# Launch bounds that leave a thread the same registers give the same code (LocalSpill::budget).
sed 's/__maxnreg__(kRegisters)/__launch_bounds__(256, 65536 \/ (256 * kRegisters))/' kernels/scenarios/cuda/local_spill.cu >"$scratch/bounds.cu"
compile "$scratch/bounds.cu" "$scratch/bounds"
for budget in 255 128 80 64 48 40 32; do
    diff <(grep " $budget:" "$scratch/found") <(grep " $budget:" "$scratch/bounds") ||
        { echo "__launch_bounds__(256, $((65536 / (256 * budget)))) is not a limit of $budget registers"; exit 1; }
done
