"""Compile every C file of the clone with all warnings as errors: ``python -m tools.check_c``.

gcc compiles for this machine with optimization, because without it gcc does not find uninitialized variables. The
pinned clang of zig, if ``make wasm`` has installed it, compiles for x86-64, arm64 and WebAssembly. FILES contains only
the files for which other rules hold.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.cross.building import ROOT, ZIG

NATIVE = Path("solver/native")

_FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{NATIVE}")

#: zig's names of the systems. The C library is musl or WASI, because zig contains their headers.
X86_64, ARM64, WASM = "x86_64-linux-musl", "aarch64-linux-musl", "wasm32-wasi"

#: By default, gcc 14 and clang report these faults as errors, but gcc 12 only warns.
STRICT = ("-Werror=implicit-function-declaration", "-Werror=int-conversion", "-Werror=incompatible-pointer-types")


class Rule(NamedTuple):
    """The rule for the compilations of a file.

    options: sets of options; the file is compiled once with each set. gcc: whether gcc compiles the file. systems: the
    systems for which clang compiles the file.
    """

    options: tuple[tuple[str, ...], ...] = ((),)
    gcc: bool = True
    systems: tuple[str, ...] = (X86_64, ARM64, WASM)


_SIZES = tuple((f"-DSIZE={size}",) for size in (3, 4, 5))

FILES = {
    "solver/native/kernel.c": Rule(_SIZES),
    "tests/solver/small_boards.c": Rule(_SIZES[:2]),
    "lab/games/small_boards.c": Rule(_SIZES[:2]),
    # gcc cannot compile for WebAssembly. `make wasm` compiles this file as a freestanding program.
    "solver/native/wasm.c": Rule(((), ("-DSHARED", "-matomics", "-mbulk-memory")), False, ("wasm32-freestanding",)),
    # The first file uses threads, and the second is a preloaded library, so neither is compiled for WebAssembly.
    "tests/solver/sanitize.c": Rule(systems=(X86_64, ARM64)),
    "tools/fuzz/failing.c": Rule(systems=("x86_64-linux-gnu",)),
}


class Compilation(NamedTuple):
    """One call of a compiler. compiler: the compiler's name for messages."""

    file: str
    compiler: str
    command: tuple[str, ...]


def list_files(root: Path = ROOT) -> list[str]:
    """Return the clone's C files. Without git, return all C files outside hidden folders and build folders."""
    listed = subprocess.run(["git", "ls-files", "*.c"], cwd=root, capture_output=True, text=True, check=False)
    if not listed.returncode and listed.stdout:
        return listed.stdout.split()
    found = (path.relative_to(root) for path in root.rglob("*.c"))
    return sorted(str(path) for path in found if not path.parts[0].startswith((".", "build")))


def list_compilations(files: Iterable[str], zig: Path | None) -> Iterator[Compilation]:
    """Yield the compilations of some files. zig: the Python that has zig, or None to use only gcc."""
    for file in files:
        rule = FILES.get(file, Rule())
        for options in rule.options:
            if rule.gcc:
                words = ("gcc", *_FLAGS, *STRICT, *options, "-O3", "-S", file)
                yield Compilation(file, " ".join(("gcc", *options)), words)
            for system in rule.systems if zig else ():
                words = (str(zig), "-m", "ziglang", "cc", "-target", system, *_FLAGS, *options, "-O0", "-c")
                yield Compilation(file, " ".join(("clang", system, *options)), (*words, file))


def compile_one(each: Compilation) -> str:
    """Compile a file. Return the compiler's messages, or "" if there are none."""
    with tempfile.TemporaryDirectory(prefix="check-c-") as folder:
        command = (*each.command, "-o", str(Path(folder, "compiled")))
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=_environment())
    if not done.returncode and not done.stderr:
        return ""
    return f"{each.file}: {each.compiler} ends with {done.returncode}:\n{done.stderr}"


def _environment() -> dict[str, str]:
    """Return the environment variables, with zig's cache in build/."""
    return {
        **os.environ,
        **{f"ZIG_{kind}_CACHE_DIR": str(ROOT / "build" / "zig-check") for kind in ("GLOBAL", "LOCAL")},
    }


def main() -> int:
    """Compile all files, print the compilers' messages, and return the exit code."""
    if not shutil.which("gcc"):
        print("Error: no gcc here to check the C files with", file=sys.stderr)
        return 1
    zig = ZIG if ZIG.exists() else None
    files = list_files()
    calls = list(list_compilations(files, zig))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        refused = [message for message in threads.map(compile_one, calls) if message]
    print(*refused, sep="\n", end="\n" if refused else "", file=sys.stderr)
    by = "gcc and clang" if zig else "gcc; no clang here: `make wasm` installs it"
    wrong = len(set(itertools.chain(message.partition(":")[0] for message in refused)))
    print(f"{len(files)} C files, {len(calls)} compilations by {by}: {wrong or 'no'} files are refused")
    return int(bool(refused))


if __name__ == "__main__":
    sys.exit(main())
