#!/bin/sh
# Check that the machine has everything that `make setup` needs, and install missing packages if the user may do so. Print a
# line on standard error that lists what is still missing. This is a shell script, because the machine can lack Python.
# Usage, in the clone: [PYTHON=NAME] [CC=COMMAND] sh tools/needs.sh [ENVIRONMENT]
# ENVIRONMENT: the folder of Python's environment, which is made if it is missing or broken. Without ENVIRONMENT, check
# only what a compilation needs, for the interpreter in PYTHON.
environment=$1

# The space that an environment needs, and the space that its packages need while pip installs them, in MiB.
room=600 room_on_the_way=150
on_the_way=${TMPDIR:-/tmp}

scratch=$(mktemp -d 2>/dev/null) || { echo "make setup needs: a folder for files in $on_the_way" >&2; exit 1; }
trap 'rm -rf "$scratch"' EXIT

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

# Print the usual names of all interpreters. The versions with which Little-Go is tested come before newer versions.
names() {
    printf '%s\n' python3 python3.13 python3.12 python3.11 python3.10 python
    echo "$PATH" | tr ':' '\n' | while read -r folder; do ls "$folder" 2>/dev/null; done | grep -x 'python3\.[0-9]*'
    command -v pyenv >/dev/null && pyenv versions --bare --skip-aliases 2>/dev/null | while read -r version; do
        echo "$(pyenv prefix "$version")/bin/python"
    done
}

find_python() {
    { if [ -n "$PYTHON" ]; then echo "$PYTHON"; else names; fi; } | while read -r name; do
        if is_new_enough "$name"; then echo "$name" && break; fi
    done
}

# Succeed if a C compiler, given as words because it can have options, makes a library that Python can load.
compiles() {
    printf '#include <stdatomic.h>\n#include <stdlib.h>\nint f(atomic_int *n) { return abs(*n); }\n' >"$scratch/f.c"
    $1 -std=c11 -fPIC -shared "$scratch/f.c" -o "$scratch/f.so" >/dev/null 2>&1
}

has_room() { [ "$(df -Pk "$1" | sed -n 's/.* \([0-9][0-9]*\)  *[0-9]*% .*/\1/p')" -ge $(($2 * 1024)) ]; }

is_sound() { [ -e "$environment/.packages" ] && "$environment/bin/python" -c 'import pip' 2>/dev/null; }

# Succeed if pip, with its own settings, can download a small package.
reaches_index() {
    "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-cache-dir --retries 1 \
        --timeout 15 --dest "$scratch" "$(grep -o '^iniconfig==[^ ]*' requirements/dev.txt)" >/dev/null 2>&1
}

# Record what is missing, and the kind of package that contains it, if any.
miss() { missing="${missing:+$missing; }$1" kinds="$kinds $2"; }

check() {
    missing='' kinds='' python=$(find_python)
    if [ -n "$python" ]; then
        "$python" -c 'import ensurepip, venv' 2>/dev/null || miss "Python's module venv" venv
        "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
            miss "Python's headers" headers
    elif [ -n "$PYTHON" ] || command -v python3 >/dev/null; then
        version=$("${PYTHON:-python3}" -c 'import sys; print(sys.version.split()[0])' 2>/dev/null)
        miss "Python 3.10 or newer (${PYTHON:-python3} is ${version:-none}; for another one: make setup PYTHON=NAME)"
    else
        miss "Python 3.10 or newer, with its module venv and its headers" "python venv headers"
    fi
    compiler=${CC:-$("${python:-false}" -c 'import sysconfig; print(sysconfig.get_config_var("CC"))' || echo cc)}
    # On a full disk no compiler works, so do not report the compiler. If the user chose the compiler, do not suggest a package.
    has_room "$on_the_way" 1 && ! compiles "$compiler" &&
        miss "a C compiler that works ($compiler does not)" "$([ -n "$CC" ] || echo compiler)"
    if [ -n "$environment" ] && ! is_sound; then
        has_room . $room || miss "$room MiB of free space in $PWD"
        has_room "$on_the_way" $room_on_the_way || miss "$room_on_the_way MiB of free space in $on_the_way"
    fi
}

# If there is a Python and enough space, make the environment and check that pip reaches its index.
enter() {
    case $missing in *Python*venv* | *"Python 3"* | *"free space"*) return ;; esac
    is_sound || said=$("$python" -m venv --clear "$environment" 2>&1) ||
        { miss "a folder $environment that can be made ($(echo "$said" | tail -n 1))"; return; }
    reaches_index || miss "a way to the package index (pip cannot get a package; its settings: pip config list)"
}

# Print the names that the package manager uses for the missing packages.
packages() {
    # An interpreter whose name contains a version, such as python3.12, has packages with the same name.
    case $python in python3.*) of=$python ;; *) of=python3 ;; esac
    for kind in $kinds; do
        case $manager:$kind in
        pacman:python | pacman:venv | pacman:headers) echo python ;;
        *:python) echo python3 ;;
        apt-get:venv) echo "$of-venv" ;;
        apt-get:headers | apk:headers) echo "$of-dev" ;;
        dnf:headers | zypper:headers) echo "$of-devel" ;;
        apt-get:compiler) printf '%s\n' gcc libc6-dev ;;
        apk:compiler) printf '%s\n' gcc musl-dev ;;
        *:compiler) echo gcc ;;
        esac
    done | sort -u | tr '\n' ' ' | sed 's/ $//'
}

check
for manager in apt-get dnf apk pacman zypper none; do command -v $manager >/dev/null && break; done
wanted=$(packages)
if [ -n "$wanted" ] && [ $manager = apt-get ] && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
    exec 3>&1
    # Without quotes, because the packages are several words.
    why=$(sh tools/apt.sh $wanted 2>&1 >&3) || refused=" ($why)"
    check
fi
[ -z "$environment" ] || enter
[ -n "$missing" ] || exit 0

wanted=$(packages)
case $manager in
apk) command="apk add $wanted" ;;
pacman) command="pacman -S --needed $wanted" ;;
*) command="$manager install $wanted" ;;
esac
[ "$(id -u)" -eq 0 ] || if command -v sudo >/dev/null; then command="sudo $command"; else command="as root: $command"; fi
[ -n "$wanted" ] && [ $manager != none ] && [ -z "$refused" ] && missing="$missing. To install it: $command"
echo "make setup needs: $missing$refused" >&2
exit 1
