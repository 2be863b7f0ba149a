#!/usr/bin/env bash
# `warplens profile` with an ncu that is a script: what it is given, what is shown, and what is said where it may not.
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

# profile CODE arguments...: with the ncu of $folder/bin alone before what the shell itself needs
profile() {
    local wanted="$1" code=0
    shift
    PATH="$folder/bin:/usr/bin:/bin" timeout 60 "$program" profile "$@" >"$folder/out" 2>"$folder/err" </dev/null || code=$?
    [ "$code" = "$wanted" ] || complain "profile $*: exit code $code, expected $wanted: $(cat "$folder/err")"
}
says() { grep -qF -- "$1" "$folder/$2" || complain "expected '$1' in: $(cat "$folder/$2")"; }

mkdir "$folder/bin"
printf '#!/bin/sh\nexit 0\n' >"$folder/a.out"
chmod +x "$folder/a.out"

if ! PATH="/usr/bin:/bin" command -v ncu >/dev/null && [ ! -e /usr/local/cuda/bin/ncu ]; then
    profile 1 "$folder/a.out"
    says "ncu is not found on the PATH" err
fi

# It writes its arguments, one a line, and the table where it is told to.
cat >"$folder/bin/ncu" <<END
#!/bin/bash
printf '%s\n' "\$@" >"$folder/arguments"
while [ "\$1" != --log-file ]; do shift; done
cat "$PWD/tests/data/ncu/h200_transpose_raw.csv" >"\$2"
echo "what the program says"
END
chmod +x "$folder/bin/ncu"
profile 0 "$folder/a.out" --launches 7 --keep "$folder/kept.csv" -- --help 'a b; touch x' '$(touch y)' report
says "a.out: page raw, 1 of 1 launches" out
says "registers of a thread" out
grep -q "what the program says" "$folder/out" && complain "the program's output is mixed in"
cmp -s "$folder/kept.csv" tests/data/ncu/h200_transpose_raw.csv || complain "--keep: another file"
[ "$(tail -n 5 "$folder/arguments")" = "$folder/a.out
--help
a b; touch x
\$(touch y)
report" ] || complain "arguments: $(cat "$folder/arguments")"
says "$("$program" import-ncu --metrics)" arguments
[ "$(sed -n '/--launch-count/{n;p}' "$folder/arguments")" = 7 ] || complain "no --launch-count 7"

(cd "$folder" && profile 0 a.out --json --out "$folder/answer.json")
grep -q '"launches"' "$folder/answer.json" || complain "no JSON"
DISPLAY='' WAYLAND_DISPLAY='' profile 3 "$folder/a.out" --window # so far, with the counters read
profile 2 "$folder/none"
profile 2 "$folder"
profile 2 "$folder/kept.csv" # cannot be run
profile 0 "$folder/a.out" --kernel replay
profile 2 "$folder/a.out" --kernel scatter

cat >"$folder/bin/ncu" <<'END'
#!/bin/sh
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"
exit 1
END
profile 1 "$folder/a.out"
says "ERR_NVGPUCTRPERM" err
says "NVreg_RestrictProfilingToAdminUsers=0" err
[ "$(wc -l <"$folder/err")" = 1 ] || complain "expected one sentence: $(cat "$folder/err")"

printf '#!/bin/sh\nexit 1\n' >"$folder/bin/ncu"
profile 1 "$folder/a.out"

[ "$failures" = 0 ] && echo "all as expected"
exit $((failures > 0))
