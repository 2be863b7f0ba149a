#!/usr/bin/env bash
# What surrounds the program and is not as it should be: full pipes and files, files of others, fonts that are cut off.
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
# A pipe that nobody reads, and no standard output at all.
says 1 'cannot write to standard output' bash -c "'$program' scenarios --json | true; exit \${PIPESTATUS[0]}"
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

# A font that is cut off: one sentence, no other font.
mkdir -p bin share/warplens/fonts
cp "$program" bin/warplens
font=$(find /usr/share/fonts ~/.fonts "$(dirname "$program")/../share/warplens/fonts" -name 'Inter-Regular.[ot]tf' \
    -o -name DejaVuSans.ttf 2>/dev/null | sort | head -1)
if [[ -n $font ]]; then
    for name in Inter-Regular.otf Inter-SemiBold.otf JetBrainsMono-Regular.ttf; do
        for bytes in 0 11 100 5000 $(($(stat -c %s "$font") - 5000)); do
            head -c "$bytes" "$font" >"share/warplens/fonts/$name"
            says 1 "$name' cannot be used" bin/warplens export transpose --cpu --out f.svg
        done
        rm "share/warplens/fonts/$name"
    done
    bin/warplens export transpose --cpu --out f.svg >/dev/null || complain "with whole fonts it works"
fi

[ "$failures" = 0 ] && echo "all as expected"
exit $((failures > 0))
