# Sourced by app/run and tests/run: what has to be installed, and how a preset is built.
# Everything it says goes to stderr, so that the program's own output can be piped.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

program_packages=(
    build-essential cmake ninja-build ccache pkg-config git
    libimgui-dev libglfw3-dev python3-glad nlohmann-json3-dev libcli11-dev libfmt-dev libpng-dev libstb-dev libmd4c-dev
    libcairo2-dev libgif-dev
    libegl1 libgl1 libgl1-mesa-dri libegl-mesa0
    libxrandr2 libxi6 libxcursor1 libxinerama1  # GLFW looks for them at run time: without, a full screen takes no clicks
    fonts-inter fonts-jetbrains-mono fonts-dejavu-core
)
test_packages=(
    libgtest-dev libgmock-dev libbenchmark-dev xvfb xdotool xauth x11-utils imagemagick clang-format librsvg2-bin
    poppler-utils xclip file
)
sanitizer_packages=(clang lld llvm libclang-rt-dev)

say() { echo "warplens: $*" >&2; }

# as_root COMMAND...: fails when root is not to be had without asking where nobody can answer.
as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif [[ -t 0 && -t 2 ]]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=120 "$@" >&2
}

# install_packages NAME...: install those that are missing. A failure is said and not fatal: CMake can fetch most
# libraries, and what it then lacks it names. A stamp keeps the second start quick.
install_packages() {
    local stamp="$root/build/packages-$#"
    [[ -f $stamp && $(<"$stamp") == "$*" ]] && return
    mkdir -p "$root/build"

    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "this system has no apt-get. Needed, under whatever names it has for them: $*"
        echo "$*" >"$stamp"
        return
    fi

    local name missing=() known=()
    for name in "$@"; do
        [[ " $(dpkg-query -W -f '${db:Status-Status} ' "$name" 2>/dev/null)" == *" installed "* ]] || missing+=("$name")
    done
    if ((${#missing[@]} > 0)); then
        say "installing ${missing[*]}"
        compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || apt update || true
        for name in "${missing[@]}"; do
            if apt-cache show "$name" >/dev/null 2>&1; then known+=("$name"); else say "apt knows no $name"; fi
        done
        if ! apt install --no-install-recommends "${known[@]}" &&
            ! { apt update && apt install --no-install-recommends "${known[@]}"; }; then
            say "could not install them; to do it by hand:  sudo apt install ${missing[*]}"
            return
        fi
    fi
    echo "$*" >"$stamp"
}

# gpus: the GPUs that this machine has, by their device files, which cost no time to look at.
gpus() { compgen -G '/dev/nvidia[0-9]*' || compgen -G /dev/dxg || true; }

# show_progress: of ninja's "[n/m] step" one line that changes, or where it cannot change, one for each tenth; and all else.
show_progress() {
    local line tenth=0 open=false
    while IFS= read -r line; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            [[ $line != *'Re-checking globbed'* ]] || continue
            if [[ -t 2 ]]; then
                printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line"
                open=true
            elif ((10 * BASH_REMATCH[1] / BASH_REMATCH[2] > tenth)); then
                tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
                say "built ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
            fi
        elif [[ $line != @(ninja:\ Entering|ninja:\ no\ work|--\ )* ]]; then
            ! $open || echo
            open=false
            echo "$line"
        fi
    done >&2
    ! $open || printf '\r\033[K' >&2
}

# build_preset PRESET [-DNAME=VALUE...] [TARGET...]: configure when that was not done yet, or for other GPUs or options, or
# before packages were installed that it may use, then build; silent when nothing is to be done. WARPLENS_CONFIGURE: one more
# option, such as -DWARPLENS_CUDA=OFF.
build_preset() {
    local preset=$1 dir="$root/build/$1" log="$root/build/$1.log" option options=() other=false
    shift
    [[ -z ${WARPLENS_CONFIGURE:-} ]] || options=("$WARPLENS_CONFIGURE")
    while [[ ${1:-} == -D* ]]; do options+=("$1") && shift; done
    for option in "${options[@]}"; do
        option=${option#-D}
        grep -qs "^${option%%=*}:[A-Z]*=${option#*=}$" "$dir/CMakeCache.txt" || other=true
    done
    if $other || [[ ! -f $dir/build.ninja || $root/CMakePresets.json -nt $dir/build.ninja || $(gpus) != "$(cat "$dir/gpus")" ||
        $(find "$root/build" -maxdepth 1 -name 'packages-*' -newer "$dir/gpus") ]]; then
        say "configuring build/$preset"
        if ! (cd "$root" && cmake --preset "$preset" "${options[@]}" >"$log" 2>&1); then
            cat "$log" >&2
            rm -f "$root"/build/packages-*  # look again next time
            return 1
        fi
        sed -n 's/^-- CUDA: /warplens: CUDA: /p' "$log" >&2
        gpus >"$dir/gpus"
    fi
    ninja -C "$dir" "$@" 2>&1 | show_progress
}
