#!/usr/bin/env bash
# What surrounds the program and is not as it should be: full pipes and files, files of others, fonts.
# WARPLENS: the executable.
set -u
program="$(realpath "${WARPLENS:?the path of the executable}")"
folder="$(mktemp -d)"
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# says CODE PATTERN COMMAND...: the exit code, and one sentence on standard error that matches.
says() {
    local wanted=$1 pattern=$2 code=0
    shift 2
    "$@" 2>err >/dev/null </dev/null || code=$?
    [[ $code == "$wanted" && $(wc -l <err) == 1 ]] && grep -q "^warplens: .*$pattern" err ||
        complain "$*: exit code $code, expected $wanted; '$(cat err)', expected '$pattern'"
}

# A file that grows too large: no signal, nothing left behind.
says 2 'large.svg.*[Ff]ile too large' bash -c "ulimit -f 1; exec '$program' export transpose --cpu --out large.svg"
[[ $(ls) == err ]] || complain "files were left behind: $(ls -A)"
# Who reads a pipe may stop, as head does: that ends quietly. No standard output at all is a failure.
code=$(bash -c "'$program' scenarios --json 2>err | true; echo \${PIPESTATUS[0]}")
[[ $code == 0 && ! -s err ]] || complain "a pipe that nobody reads: exit code $code, '$(cat err)'"
says 1 'cannot write to standard output' bash -c "exec '$program' scenarios >&-"

# Files that are read-only, have the longest names, or belong to a process that was killed.
echo old >kept.svg
chmod 400 kept.svg
says 2 'read-only' "$program" export transpose --cpu --out kept.svg
[[ $(cat kept.svg) == old ]] || complain "a read-only file was replaced"
long="$(printf 'x%.0s' {1..251}).svg"
"$program" export transpose --cpu --out "$long" >/dev/null && [[ -s $long ]] || complain "a name of 255 bytes"

# A state that is not ours is refused and stays, wherever it is.
echo notes >notes.txt
for other in notes.txt . /dev/zero; do
    says 2 'it stays as it is' env DISPLAY= WAYLAND_DISPLAY= "$program" --cpu --state "$other"
done
[[ $(cat notes.txt) == notes ]] || complain "a file of somebody else was changed"

# gallery says which files it has written, and no others.
mkdir -p g && mkdir g/board-traffic.svg
"$program" gallery --cpu --format svg --out g >listed 2>err && complain "gallery wrote over a folder"
while read -r file; do
    [[ -s $file ]] || complain "gallery names $file, which is not there"
done <listed
[[ $(find g -type f | wc -l) == $(wc -l <listed) ]] || complain "gallery: $(wc -l <listed) files are named"

# The program carries its fonts: what lies in the folders of fonts, here one that is cut off, changes nothing.
mkdir -p home/.local/share/fonts
head -c 5000 /dev/urandom >home/.local/share/fonts/Inter-Regular.otf
"$program" export transpose --cpu --out f.svg >/dev/null && mv f.svg usual.svg || complain "a figure with the usual fonts"
HOME=$PWD/home XDG_DATA_HOME=$PWD/home/.local/share "$program" export transpose --cpu --out f.svg >/dev/null
cmp -s f.svg usual.svg || complain "a figure depends on the fonts of the machine"

[ "$failures" = 0 ] && echo "all as expected"
exit $((failures > 0))
