#!/usr/bin/env bash
# The real program: exit codes, one sentence on standard error, nothing on standard output when it fails.
# WARPLENS: the executable.
set -u
program="${WARPLENS:?the path of the executable}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
failures=0

complain() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# expect CODE arguments...
expect() {
    local wanted="$1" code=0
    shift
    timeout 300 "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null || code=$?
    [ "$code" = "$wanted" ] || complain "warplens $*: exit code $code, expected $wanted: $(cat "$folder/err")"
    if [ "$wanted" = 0 ]; then
        [ -s "$folder/out" ] || complain "warplens $*: no output"
    else
        [ "$(wc -l <"$folder/err")" = 1 ] || complain "warplens $*: expected one sentence: $(cat "$folder/err")"
        grep -q '^warplens: ' "$folder/err" || complain "warplens $*: $(cat "$folder/err")"
        [ ! -s "$folder/out" ] || complain "warplens $*: output in spite of the error"
    fi
}

expect 0 --help
expect 0 --version
expect 0 scenarios
expect 0 scenarios --json
for command in scenarios report code analyze import-ncu profile export gallery measure merge agree accuracy occupancy doctor; do
    expect 0 "$command" --help
done
expect 0 report global-stride --cpu --set stride=8
expect 0 report transpose --cpu --set variant=naive --json
expect 0 report transpose --cpu --csv --device 8.6
expect 0 code transpose
expect 0 accuracy
[ "$("$program" accuracy --json | md5sum)" = "$("$program" accuracy --json | md5sum)" ] || complain "accuracy: two answers"
expect 0 analyze tests/data/h200_warp_accesses.csv
expect 0 import-ncu --metrics
expect 0 import-ncu tests/data/ncu/raw_german.csv
expect 0 import-ncu tests/data/ncu/ncu_text.txt
expect 0 import-ncu tests/data/ncu/ncu_semicolon.csv
expect 0 import-ncu tests/data/ncu/details.csv --scenario transpose --set variant=tile,matrix=1024 --csv
expect 0 occupancy --cc 9.0 --threads 256 --registers 33
expect 0 occupancy --cc 1.3 --static 4096 --arguments none --json
expect 0 occupancy --cc 9.0 --threads 2048
expect 0 occupancy tests/data/occupancy_reference.csv
expect 0 doctor --cpu
expect 0 documents
expect 0 documents --json
expect 0 spaces --properties --device 1.3 --cpu
expect 0 spaces --properties --json --cpu
expect 0 quiz --mistakes figure-4.7 --answers
expect 0 export transpose --cpu --out /dev/null --format svg # needs no OpenGL
expect 0 export transpose --cpu --out /dev/null --format json
expect 0 man
expect 0 completion

expect 2 frobnicate
expect 2 --frobnicate
expect 2 report
expect 2 report global-strid
expect 2 documents more
expect 2 quiz --mistakes figure-4.8
expect 2 report vector-add --cpu --set n=0
expect 2 report vector-add --cpu --set block_x=512,block_y=4
expect 2 code
expect 2 code transpos
expect 2 report global-stride --cpu --set strid=8
expect 2 report global-stride --cpu --set stride=65
expect 2 report global-stride --cpu --device Voodoo
expect 2 analyze "$folder/none.csv"
expect 2 analyze README.md
expect 2 analyze /
expect 2 analyze tests/data/h200_warp_accesses.csv --out "$folder/no/such/folder.csv"
expect 2 import-ncu
expect 2 import-ncu "$folder/none.csv"
expect 2 import-ncu README.md
expect 2 view tests/data/ncu/details.csv --beside README.md --list
expect 2 tests/data/ncu/details.csv --beside none.csv
expect 2 import-ncu /
expect 2 import-ncu - # an empty file
expect 2 import-ncu tests/data/ncu/details.csv --scenario transpos
expect 2 import-ncu tests/data/ncu/details.csv --scenario transpose --analyze README.md
expect 2 import-ncu tests/data/ncu/details.csv --analyze README.md
expect 2 import-ncu tests/data/ncu/details.csv --kernel '(a+)+$'
expect 2 import-ncu tests/data/ncu/nsys_stats.csv
expect 2 --cpu tests/data/ncu/nvprof.csv
expect 2 accuracy "$folder/none.json"
expect 2 accuracy README.md
expect 2 profile
expect 2 profile "$folder/none"
expect 2 import-ncu tests/data/ncu/details.csv --launch 7
expect 2 import-ncu tests/data/ncu/details.csv --out "$folder/no/such/folder.csv"
expect 2 occupancy
expect 2 occupancy --cc 9.5
expect 2 occupancy --cc 6.1 --carveout 50
expect 2 occupancy --cc 9.0 --arguments 16
expect 2 occupancy "$folder/none.csv"
expect 2 occupancy README.md
expect 2 occupancy /
expect 2 occupancy - # an empty file
expect 2 occupancy tests/data/occupancy_reference.csv --out "$folder/no/such/folder.csv"
expect 4 occupancy --kernels --cpu
expect 2 export global-stride --cpu --view banks --out "$folder/a.png"
expect 2 export global-stride --cpu --out "$folder/no/such/folder.png"
expect 2 export global-stride --cpu --out "$folder/a.docx"
expect 2 export global-stride --cpu
expect 2 export --cpu --out "$folder/a.svg"
expect 2 export --all global-stride --cpu
expect 2 export --all --format csv --cpu
expect 2 export global-stride --cpu --size 3:2 --out "$folder/a.svg"
expect 2 export transpose --cpu --size 320x320 --out "$folder/a.svg"  # too small for its texts
expect 2 export global-stride --cpu --title $'two\nlines' --out "$folder/a.svg"
expect 2 export global-stride --cpu --steps --out "$folder/a.svg"
expect 2 export global-stride --cpu --steps --out "$folder/a.png"
expect 2 measure global-stride --sweep nothing
expect 2 measure
expect 2 measure --all
expect 2 merge README.md --out "$folder/all.json"
expect 2 export global-stride --cpu --recording README.md --out "$folder/a.png"
expect 2 --cpu --recording README.md
expect 2 --cpu README.md # a file in place of a scenario is a recording
expect 2 --cpu "$folder/none.json"
expect 2 man transpose
expect 4 measure global-stride --cpu
expect 4 measure --all --cpu --record "$folder/all.json"
[ "$(find "$folder" -type f | wc -l)" = 2 ] || complain "files were left behind: $(ls "$folder")"

DISPLAY='' WAYLAND_DISPLAY='' expect 3 transpose --cpu
DISPLAY='' WAYLAND_DISPLAY='' expect 3 assets/measurements/nvidia-h200.json --cpu

# A full disk behind standard output is a failure.
if [ -e /dev/full ]; then
    code=0
    "$program" scenarios >/dev/full 2>"$folder/err" || code=$?
    [ "$code" = 1 ] || complain "scenarios to a full disk: exit code $code, expected 1"
fi

[ "$failures" = 0 ] && echo "all as expected"
exit $((failures > 0))
