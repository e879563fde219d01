"""Modules and programs for other systems, by zig, which brings each system's headers and libraries.

The modules use Python's limited API, so one build serves every later version. Of Python they need only the headers,
which are the same everywhere but for pyconfig.h, and on Windows a list of what python3.dll provides.
"""

import hashlib
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import click

from tools.interpreters import PYPROJECT

ROOT = PYPROJECT.parent
HERE = Path(__file__).parent
NATIVE = Path("solver/native")

#: Who has zig: `make wasm` makes it.
ZIG = ROOT / ".venv-wasm" / "bin" / "python"

#: The modules, and the C files of each beside its binding.
MODULES = {"kernel": ("kernel", "kernel_v3", "variants"), "lookahead": ("lookahead",), "twin_search": ("twin_search",)}

_FLAGS = ("-O3", "-std=c11", "-g0", "-Wall", "-Wextra", "-Werror")

#: The limited API's version; Cython's own C has what compilers warn of.
_BINDING = ("-DPy_LIMITED_API=0x030B0000", "-w")

#: The memory that a driver's table takes, as lines of 64 bytes: 256 MiB, as the bench has it.
LINES = 1 << 22


class Target(NamedTuple):
    """A system to compile for.

    tags: of a wheel. zig: the system's name there. suffix: of modules. runner: the program that runs its programs here;
    "" for none, None where none is needed.
    """

    tags: tuple[str, ...]
    zig: str
    suffix: str = ".abi3.so"
    runner: str | None = ""


TARGETS = (
    Target(("musllinux_1_2_x86_64",), "x86_64-linux-musl", runner=None),
    Target(("manylinux2014_aarch64", "manylinux_2_17_aarch64"), "aarch64-linux-gnu.2.17"),
    Target(("musllinux_1_2_aarch64",), "aarch64-linux-musl", runner="qemu-aarch64-static"),
    Target(("macosx_10_15_x86_64",), "x86_64-macos.10.15"),
    Target(("macosx_11_0_arm64",), "aarch64-macos.11.0"),
    Target(("win_amd64",), "x86_64-windows-gnu", ".pyd", "wine"),
)


class CrossError(click.ClickException):
    """A compiler that is missing, or fails; the message says which and why."""


def build_modules(target: Target, source: Path, draft: Path) -> dict[str, Path]:
    """Compile the modules; return their files by the names that they have in solver/native/.

    source: files of a clone or source distribution in which setup.py has built for this Python.
    """
    headers = _headers(target, draft)
    digest = hashlib.sha256(b"".join((source / NATIVE / f"kernel.{end}").read_bytes() for end in "ch")).hexdigest()
    modules = {}
    for module, names in MODULES.items():
        binding = draft / f"{module}.o"
        cython = source / "build" / "cython" / NATIVE / f"{module}.c"
        include = (f"-I{headers}", f"-I{source / NATIVE}", f'-DKERNEL_SOURCE="{digest}"')
        _zig(draft, "cc", *_common(target), *_BINDING, *include, "-c", cython, "-o", binding)
        made = draft / f"{module}{target.suffix}"
        parts = [binding, *_objects(target, source, draft, names)]
        _zig(draft, "cc", "-target", target.zig, "-shared", "-s", *parts, *_python(target, binding), "-o", made)
        modules[made.name] = made
    return modules


def build_driver(target: Target, source: Path, draft: Path) -> Path:
    """Compile the program of driver.c; return its file."""
    made = draft / "driver.exe"
    parts = _objects(target, source, draft, MODULES["kernel"])
    static = ("-static",) if "musl" in target.zig else ()
    _zig(draft, "cc", *_common(target), *static, f"-I{source / NATIVE}", HERE / "driver.c", *parts, "-o", made)
    return made


def _common(target: Target) -> tuple[str, ...]:
    position = () if "windows" in target.zig else ("-fPIC",)
    return ("-target", target.zig, *_FLAGS, *position)


def _objects(target: Target, source: Path, draft: Path, names: Iterable[str]) -> list[Path]:
    made = []
    for name in names:
        made.append(draft / f"native_{name}.o")
        _zig(draft, "cc", *_common(target), "-c", source / NATIVE / f"{name}.c", "-o", made[-1])
    return made


def _headers(target: Target, draft: Path) -> Path:
    """Return a folder with Python's headers for a system; CrossError where they are of another version."""
    if sys.version_info[:2] != (3, 11):
        raise CrossError("modules for other systems are built with Python 3.11, whose headers serve all later versions")
    here = Path(sysconfig.get_path("include"))
    if "windows" not in target.zig:
        return here
    copy = draft / "include"
    shutil.copytree(here, copy, dirs_exist_ok=True)
    shutil.copyfile(HERE / "pyconfig.h", copy / "pyconfig.h")
    return copy


def _python(target: Target, binding: Path) -> list[str | Path]:
    """Return what the linker needs to leave Python's own functions to the interpreter."""
    if "macos" in target.zig:
        return ["-Wl,-undefined,dynamic_lookup"]
    if "windows" not in target.zig:
        return []
    wanted = _run(["nm", "--undefined-only", "--format=just-symbols", binding]).split()
    names = sorted({name.removeprefix("__imp_") for name in wanted})
    listed, library = binding.with_suffix(".def"), binding.with_suffix(".lib")
    exports = [name for name in names if name.startswith(("Py", "_Py"))]
    listed.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *exports, ""]), "ascii")
    _zig(binding.parent, "dlltool", "-m", "i386:x86-64", "-d", listed, "-l", library)
    return [library]


def _zig(draft: Path, *words: str | Path) -> None:
    if not ZIG.exists():
        raise CrossError("no zig here: `make wasm` installs it")
    # With a cache of its own, what was compiled before changes no byte.
    cache = {f"ZIG_{kind}_CACHE_DIR": str(draft / "cache") for kind in ("GLOBAL", "LOCAL")}
    _run([ZIG, "-m", "ziglang", *words], cache)


def _run(words: Iterable[str | Path], variables: dict[str, str] | None = None) -> str:
    command = [str(word) for word in words]
    kept = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, env=kept | (variables or {}), capture_output=True, text=True, check=False)
    if done.returncode:
        raise CrossError(f"{' '.join(command)[:200]} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout
