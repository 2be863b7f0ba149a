#!/usr/bin/env bash
# CPack makes a .deb and a .tar.gz of this build, without building anything. Both are unpacked, moved to an odd place, and
# the program runs there as for a person who has nothing else: no home, no build tree, another working directory.
# WARPLENS: the executable; its folder is the build.
set -euo pipefail
program="${WARPLENS:?the path of the executable}"
[[ -x $program ]] || { echo "skipped: what is packaged was not built: $program"; exit 77; }
build="$(cd "$(dirname "$program")" && pwd)"
cd "$(dirname "$0")/../.."
source="$PWD"

for tool in cpack dpkg-deb file readelf; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed, so no packages are made"; exit 77; }
done

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
failures=0
complain() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}
has() { command -v "$1" >/dev/null; }

mkdir "$folder/home"
# clean ARGUMENTS...: the program of a tree, far from everything.
clean() {
    (cd / && env -i PATH=/usr/bin:/bin HOME="$folder/home" LC_ALL=C.UTF-8 MESA_SHADER_CACHE_DISABLE=true \
        timeout 60 "$tree/bin/warplens" "$@")
}

before="$(stat -c '%Y %s' "$program")"
cpack --config "$build/CPackConfig.cmake" -B "$folder/made" >"$folder/log" 2>&1 ||
    { echo "FAILED: cpack"; cat "$folder/log"; exit 1; }
[[ $(stat -c '%Y %s' "$program") == "$before" ]] || complain "cpack built the program anew"
deb=("$folder"/made/*.deb) archive=("$folder"/made/*.tar.gz)
[[ -f ${deb[0]} && -f ${archive[0]} ]] || { echo "FAILED: not made"; ls "$folder/made"; exit 1; }

dpkg-deb -x "${deb[0]}" "$folder/root"
dpkg-deb -e "${deb[0]}" "$folder/control"
mkdir "$folder/else where"
mv "$folder/root/usr" "$folder/else where/from deb"
tar -xzf "${archive[0]}" -C "$folder"
mv "$folder"/warplens-*/ "$folder/else where/from archive"
trees=("$folder/else where/from deb" "$folder/else where/from archive")
version="$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"

# What lintian thinks of it, where it is installed; but not of the metadata, which AppStream itself is asked about below.
if has lintian; then
    code=0
    lintian --allow-root --fail-on none "${deb[0]}" >"$folder/log" 2>&1 || code=$?
    found="$(grep '^[EW]:' "$folder/log" | grep -v ': appstream-metadata-validation-failed' || true)"
    [[ $code == 0 && -z $found ]] || complain "lintian: exit code $code: $(cat "$folder/log")"
fi

# What dpkg thinks of it, in a root of its own; the libraries of the system are not there, so dependencies are forced.
install_and_remove() {
    local root="$folder/system" dpkg=(dpkg)
    [[ $EUID -eq 0 ]] || dpkg=(fakeroot dpkg)
    has "${dpkg[0]}" || return 0
    mkdir -p "$root/var/lib/dpkg"/{info,updates} "$root/var/log"
    touch "$root/var/lib/dpkg"/{status,available}
    dpkg+=("--root=$root" --force-depends --force-not-root --force-bad-path --log=/dev/null)
    "${dpkg[@]}" -i "${deb[0]}" >"$folder/log" 2>&1 || complain "dpkg -i: $(cat "$folder/log")"
    [[ -x $root/usr/bin/warplens ]] || complain "dpkg -i: no usr/bin/warplens"
    "${dpkg[@]}" --verify warplens >"$folder/log" 2>&1 || complain "dpkg --verify: $(cat "$folder/log")"
    "${dpkg[@]}" -P warplens >"$folder/log" 2>&1 || complain "dpkg -P: $(cat "$folder/log")"
    [[ ! -e $root/usr/bin && ! -e $root/usr/share ]] || complain "dpkg -P leaves $(find "$root/usr" -type f)"
}

check_deb() {
    local depends
    depends="$(dpkg-deb -f "${deb[0]}" Depends)"
    if has dpkg-shlibdeps; then
        [[ $depends == *libc6* && $depends == *libglfw3* ]] || complain "Depends: $depends"
    fi
    [[ $depends != *cuda* && $depends != *nvidia* ]] || complain "needs CUDA: $depends"
    [[ $(dpkg-deb -f "${deb[0]}" Version) == "$version" ]] || complain "the version is not $version"
    (cd "${trees[0]}/.." && sed 's#  usr/#  from deb/#' "$folder/control/md5sums" | md5sum --quiet -c) ||
        complain "files differ from the package's list"
}

# The same files in both, but for what an archive brings along; nothing of the tests, nothing empty, usual permissions.
check_files() {
    (cd "${trees[0]}" && find . -type f | sort) >"$folder/deb.txt"
    (cd "${trees[1]}" && find . -type f | grep -v /INSTALL$ | sort) >"$folder/tar.txt"
    diff "$folder/deb.txt" "$folder/tar.txt" || complain "the packages hold different files"
    local wrong
    wrong="$(find "${trees[@]}" -type f \( -size 0 -o -name '*.a' -o -name '*.h' -o -name '*test*' \) -print \
        -o -type f -path '*/bin/*' ! -perm 755 -print -o -type f ! -path '*/bin/*' ! -perm 644 -print \
        -o -type d ! -perm 755 -print -o -type l -print)"
    [[ -z $wrong ]] || complain "empty, or not for a package, or its permissions are odd: $wrong"
}

check_program() {
    local tree="$1" dynamic libraries
    dynamic="$(readelf -d "$tree/bin/warplens")"
    libraries="$(ldd "$tree/bin/warplens")"
    ! grep -E 'RPATH|RUNPATH' <<<"$dynamic" || complain "a search path for libraries is in the program"
    ! grep -iE 'NEEDED.*(cuda|cupti|cudart|cublas|nvidia|libEGL|libGL\.|libOpenGL)' <<<"$dynamic" ||
        complain "the program does not start without a driver"
    ! grep -F 'not found' <<<"$libraries" || complain "a library is missing"
    ! grep -F -e "$source/" -e "$build/" <<<"$libraries" || complain "a library of the build is needed"
    ! grep -aoF -e "$source" -e "$build" "$tree/bin/warplens" | sort | uniq -c | grep . ||
        complain "folders of the build are in the program"

    [[ $(clean --version) == "warplens $version"* ]] || complain "--version: $(clean --version)"
    clean doctor --cpu >"$folder/doctor" || complain "doctor: exit code $?"
    grep -q '^ok  *build' "$folder/doctor" || complain "doctor says $(cat "$folder/doctor")"
    ! grep '^!!' "$folder/doctor" || complain "doctor finds problems"
    mkdir -p "$folder"/{here,there}
    clean export transpose --cpu --set variant=padded --theme light --out "$folder/there/f.svg" >"$folder/log"
    "$program" export transpose --cpu --set variant=padded --theme light --out "$folder/here/f.svg" >"$folder/log"
    cmp "$folder"/{here,there}/f.svg || complain "another figure than in the build tree"
    if grep -q '^ok  *OpenGL' "$folder/doctor"; then
        clean export global-stride --cpu --out "$folder/there.png" >"$folder/log"
        [[ $(head -c 4 "$folder/there.png" | od -An -tx1) == ' 89 50 4e 47' ]] || complain "no PNG was written"
    fi
    [[ -z $(ls -A "$folder/home") ]] || complain "something was left in the home folder: $(ls -A "$folder/home")"
}

check_manual() {
    local tree="$1" page="$folder/page" command
    gzip -dc "$tree/share/man/man1/warplens.1.gz" >"$page"
    if has groff; then
        groff -ww -K utf8 -man -Tutf8 "$page" 2>&1 >/dev/null | grep . && complain "groff's warnings about the page"
    fi
    if has man; then
        MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >"$folder/text" | grep . && complain "man's warnings"
        grep -q 'see what a CUDA warp does to memory' "$folder/text" || complain "man shows $(head "$folder/text")"
    fi
    for command in scenarios report export measure doctor; do
        grep -q "^\\\\fBwarplens $command" "$page" || complain "the manual page does not explain $command"
    done
    ! grep -Eq 'warplens man\b' "$page" || complain "the manual page names a hidden command"
    [[ $(grep -c '^\.SH ' "$page") -ge 9 ]] || complain "sections are missing: $(grep '^\.SH' "$page")"
}

check_completion() (
    source "$1/share/bash-completion/completions/warplens"
    COMP_WORDS=(warplens rep) COMP_CWORD=1
    _warplens
    [[ ${COMPREPLY[*]} == report ]] || { echo "rep becomes '${COMPREPLY[*]}'"; exit 1; }
    COMP_WORDS=(warplens report trans) COMP_CWORD=2
    _warplens
    [[ ${COMPREPLY[*]} == transpose ]] || { echo "trans becomes '${COMPREPLY[*]}'"; exit 1; }
    COMP_WORDS=(warplens export --theme li) COMP_CWORD=3
    _warplens
    [[ ${COMPREPLY[*]} == light ]] || { echo "li becomes '${COMPREPLY[*]}'"; exit 1; }
    COMP_WORDS=(warplens export --tran) COMP_CWORD=2
    _warplens
    [[ ${COMPREPLY[*]} == --transparent ]] || { echo "--tran becomes '${COMPREPLY[*]}'"; exit 1; }
)

# Desktop entry, file types, icons and metadata, and that they speak of each other.
check_desktop() {
    local tree="$1" share="$1/share" entry type types png size count=0
    entry="$share/applications/warplens.desktop"
    if has desktop-file-validate; then desktop-file-validate "$entry" || complain "the desktop entry"; fi
    grep -q '^Exec=warplens %f$' "$entry" || complain "Exec: $(grep Exec "$entry")"
    grep -q '^Icon=warplens$' "$entry" || complain "Icon: $(grep Icon "$entry")"
    types="$(sed -n 's/^MimeType=//p' "$entry" | tr ';' '\n' | grep . | sort)"
    for type in $types; do
        grep -q "type=\"$type\"" "$share/mime/packages/warplens.xml" || complain "$type is not described"
        grep -q "<mediatype>$type<" "$share"/metainfo/*.xml || complain "$type is not in the metadata"
    done
    [[ $(wc -w <<<"$types") == 2 ]] || complain "two file types were expected: $types"

    if has update-mime-database; then
        update-mime-database "$share/mime" 2>"$folder/log" || complain "file types: $(cat "$folder/log")"
        grep -q ':\*\.warplens\.json$' "$share/mime/globs2" || complain "no pattern for recordings"
        ! grep ':\*\.json$' "$share/mime/globs2" || complain "all JSON files become ours"
    fi
    if has xmllint; then xmllint --noout "$share"/mime/packages/*.xml "$share"/metainfo/*.xml "$share"/icons/*/*/*/*.svg; fi
    if has appstreamcli; then
        # There is no home page to name, which newer versions warn of, and only they know how to leave that out.
        appstreamcli validate --no-net "$share"/metainfo/*.xml >"$folder/log" ||
            appstreamcli validate --no-net --override=url-homepage-missing=info "$share"/metainfo/*.xml >"$folder/log" ||
            complain "metadata: $(cat "$folder/log")"
    fi
    grep -q "<release version=\"$version\"" "$share"/metainfo/*.xml || complain "the metadata is of another version"

    [[ -s $share/icons/hicolor/scalable/apps/warplens.svg ]] || complain "no icon"
    if has rsvg-convert; then
        for png in "$share"/icons/hicolor/[1-9]*/apps/warplens.png; do
            size="$(sed 's#.*/\([0-9]*\)x[0-9]*/apps/.*#\1#' <<<"$png")"
            [[ $(od -An -j16 -N8 -tu1 "$png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }') == "$size $size" ]] ||
                complain "$png has another size"
            count=$((count + 1))
        done
        ((count >= 8)) || complain "only $count sizes of the icon"
    fi
}

install_and_remove
check_deb
check_files
for tree in "${trees[@]}"; do
    check_program "$tree"
    check_manual "$tree"
    check_completion "$tree" || complain "the completion"
    check_desktop "$tree"
done
grep -q "fonts.*Inter-Regular.*Inter-SemiBold.*JetBrainsMono-Regular" "$folder/doctor" || complain "fonts: $(grep fonts "$folder/doctor")"
grep -q "^ SIL\|^ PERMISSION & CONDITIONS" "$tree"/share/doc/warplens/copyright || complain "fonts without a licence"

# A recording that has no name of ours is recognised by its beginning.
for recording in assets/measurements/*.json; do
    head -c 64 "$recording" | grep -q '"warplens recording"' || complain "$recording begins differently"
done

((failures == 0)) && echo "all as expected"
exit $((failures > 0))
