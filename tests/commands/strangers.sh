#!/usr/bin/env bash
# What a stranger's file, figure or link may do to the real program (assets/manual/security.md).
# WARPLENS: the executable. Its limits of time and memory are said of one without sanitizers.
set -u
program="${WARPLENS:?the path of the executable}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
failures=0

complain() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# Files of 256 MB, and the largest that are parsed, are refused with little time and memory.
python3 - "$program" "$folder" <<'END' || failures=$((failures + 1))
import os, subprocess, sys
program, folder = sys.argv[1:]
sanitized = b"AddressSanitizer" in subprocess.run(["env", "ASAN_OPTIONS=help=1", program, "--version"], capture_output=True).stderr
recording = b'{"schema":"warplens recording","version":1,"a":'
files = {  # how each goes on, and how many MB of it
    "lists": (b'{"a":' + b"[" * 1024, 256), "zeros": (b'{"a":[' + b"0," * 512, 256),
    "recording": (recording + b"[" + b"0," * 512, 256), "picture": (b"\x89PNG\r\n\x1a\n" + b"a" * 1024, 256),
    "16 MB of lists": (b'{"a":' + b"[" * 1024, 15), "16 MB of zeros": (b'{"a":[' + b"0," * 512, 15),
    "16 MB of words": (b'{"a":"' + b"a" * 1024, 15), "16 MB of lists of lists": (b'{"a":[' + b"[]," * 512, 15),
    "64 MB of pairs": (recording + b"[" + b"[0]," * 256, 63),
}
bad = 0
for name, (start, megabytes) in files.items():
    path = os.path.join(folder, "file.json")
    piece = start[-768:] * 1024  # which goes on as the text has begun
    with open(path, "wb") as file:
        file.write(start)
        while file.tell() <= megabytes << 20:
            file.write(piece)
    ran = subprocess.Popen([program, path, "--no-state", "--cpu"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = ran.stderr.read().decode()
    _, status, used = os.wait4(ran.pid, 0)
    seconds, kilobytes = used.ru_utime + used.ru_stime, used.ru_maxrss
    print(f"{name}: {seconds:.2f} s, {kilobytes / 1024:.0f} MB: {said.strip()[-90:]}")
    if os.waitstatus_to_exitcode(status) != 2 or said.count("\n") != 1 or len(said) > 600:
        print("FAILED: expected one sentence and exit code 2")
        bad += 1
    most = 1 if megabytes == 256 else 10  # the others are parsed, which takes longer in a build for debugging
    if not sanitized and (seconds > most or kilobytes > 300 * 1024):
        print(f"FAILED: expected {most} s and 300 MB at most")
        bad += 1
    os.remove(path)
sys.exit(bad > 0)
END

# says WORDS arguments...: one line without control characters that contains the words, exit code 2.
says() {
    local words="$1" code=0
    shift
    timeout 60 "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null || code=$?
    [ "$code" = 2 ] || complain "$*: exit code $code: $(cat "$folder/err")"
    [ "$(wc -l <"$folder/err")" = 1 ] || complain "$*: expected one line: $(cat "$folder/err")"
    [ "$(wc -c <"$folder/err")" -le 2100 ] || complain "$*: a message of $(wc -c <"$folder/err") bytes"
    iconv -f UTF-8 -t UTF-8 "$folder/err" >/dev/null 2>&1 || complain "$*: the message is not UTF-8"
    if LC_ALL=C tr -d '\n' <"$folder/err" | LC_ALL=C grep -qP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]'; then
        complain "$*: control characters reach the terminal"
    fi
    grep -q -- "$words" "$folder/err" || complain "$*: expected '$words': $(cat "$folder/err")"
}

evil=$'\x1b]0;title\a\xc2\x9b31m\xe2\x80\xae\r\nnext \xff'
says 'no scenario' report "$evil"
says 'no parameter' report shared-stride --set "$evil=1"
says 'parameter' report shared-stride --set "$(printf 'a%.0s' {1..9000})=1"
says 'no GPU' report shared-stride --cpu --device "$evil"
says 'no such file' "/tmp/$evil.json" --no-state --cpu
says 'parameter' 'shared-stride?a%1b]0;t%07%c2%9b31m%0a=1' --no-state --cpu
says '.' "--$evil"
says 'cannot write' export shared-stride --cpu --out "$folder/none/$evil.svg"
says 'printable' export shared-stride --cpu --title $'a\xef\xbf\xbfb' --out "$folder/a.svg"  # U+FFFF, in any locale
says 'line 2' import-ncu <(printf '"ID","Metric Name","Metric Value","Kernel Name"\n"0","x","1"\n')
says 'line 2' analyze <(echo "id,space,op,width,mask$(printf ',a%d' {0..31})"; echo 1,global)
says 'line 2' occupancy <(printf 'cc,block,regs,smem_dyn\n9.0\n')
says 'line 2' occupancy <(printf 'cc,block,regs,smem_dyn\n9.0,%s,1,1\n' "$evil")

# well_formed FILE...: XML 1.0
well_formed() {
    python3 -c 'import sys, xml.dom.minidom
for file in sys.argv[1:]:
    try:
        xml.dom.minidom.parse(file)
    except Exception as why:
        sys.exit(f"{file!a}: {why!a}")' "$@" || complain "not XML"
    ! command -v xmllint >/dev/null || xmllint --noout "$@" || complain "xmllint does not pass them"
}

# Hostile names reach figures only as text: of a GPU, of a file, of a title.
python3 - assets/measurements "$folder/r\"<&>'.json" <<'END'
import glob, json, os, sys
recording = json.load(open(sorted(glob.glob(os.path.join(sys.argv[1], "*.json")))[0]))
recording["gpu"]["name"] = "GPU </text>\uffff\ufffe\u0001\u001b[31m\u009b\u202e&lt;\"'"
json.dump(recording, open(sys.argv[2], "w"))
END
gallery="$folder/g<&>\"'"$'\xff'
timeout 300 "$program" gallery --cpu --format svg --recording "$folder/r\"<&>'.json" --out "$gallery" >/dev/null ||
    complain "gallery"
well_formed "$gallery"/*.svg "$gallery/index.html"
name="$folder/f\"<&>"$'\xff\x1b'
for ending in svg json pdf; do
    timeout 60 "$program" export shared-stride --cpu --recording "$folder/r\"<&>'.json" --compare stride=2 \
        --title "</title>]]><!-- & \"' %s {} \$(id)" --out "$name.$ending" >/dev/null || complain "--out $ending"
done
well_formed "$name.svg"
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$name.json" || complain "not JSON"

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
echo "all held"
