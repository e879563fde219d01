"""Compile modules and programs for other systems with zig, which contains each system's headers and libraries.

The modules use Python's limited API, so one build works with every later version of Python. A build needs only Python's
headers, of which only pyconfig.h depends on the system. A build for Windows also needs a list of the exports of
python3.dll.
"""

import hashlib
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tools.programs import PYPROJECT, ToolError, run_program

ROOT = PYPROJECT.parent
HERE = Path(__file__).parent
NATIVE = Path("solver/native")

#: The path of Python in the environment that has zig. `make wasm` creates this environment.
ZIG = ROOT / ".venv-wasm" / "bin" / "python"

#: The C files of each module in addition to the binding.
MODULES = {
    "kernel": ("kernel", "kernel_v3", "cpu_builds"),
    "lookahead": ("lookahead",),
    "explain": ("explain",),
    "twin_search": ("twin_search",),
}

#: All symbols are hidden except the function with which Python loads the module, as in setup.py.
_FLAGS = ("-O3", "-std=c11", "-g0", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")

#: The options for the C code that Cython writes: the version of the limited API, and no warnings, because compilers
#: would warn about this code.
_BINDING = ("-DPy_LIMITED_API=0x030B0000", "-w")

#: The environment of the compiler. Modules for Windows contain SOURCE_DATE_EPOCH instead of the time of linking.
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0"}

#: The number of lines of a driver's table. A line has 64 bytes, so the table has 256 MiB, as in the bench.
LINES = 1 << 22


class Target(NamedTuple):
    """A target system.

    tags: the tags of its wheel. zig: zig's name of the system. suffix: the suffix of its modules. runner: the program
    that runs its programs here; "" if there is no such program, None if none is needed.
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


def build_modules(target: Target, source: Path, draft: Path) -> dict[str, Path]:
    """Compile the modules, and return their files by name in solver/native/. Raise ToolError if a compilation fails.

    source: the files of a clone or source distribution in which setup.py has written the C code of the bindings. The
    bytes do not depend on the paths ``source`` and ``draft``. draft: the folder for all made files.
    """
    zig = _Zig(target, source, draft)
    headers = _headers(target, draft)
    # The digest is computed as in setup.py, so that the kernels of all systems accept the same tables.
    files = [source / NATIVE / "kernel.c", *sorted((source / NATIVE).glob("kernel*.h"))]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    modules = {}
    for module, names in MODULES.items():
        binding = draft / f"{module}.o"
        cython = Path("build", "cython", NATIVE, f"{module}.c")
        include = (f"-I{headers}", f"-I{NATIVE}", f'-DKERNEL_SOURCE="{digest}"')
        zig.compile(*_BINDING, *include, "-c", cython, "-o", binding)
        made = draft / f"{module}{target.suffix}"
        parts = [binding, *_objects(zig, names), *_link_options(zig, binding, made.name)]
        zig.run("cc", "-target", target.zig, "-shared", "-s", *parts, "-o", made)
        modules[made.name] = made
    return modules


def build_driver(target: Target, source: Path, draft: Path) -> Path:
    """Compile driver.c, and return the path of the program. Raise ToolError if the compilation fails."""
    zig = _Zig(target, source, draft)
    made = draft / "driver.exe"
    static = ("-static",) if "musl" in target.zig else ()
    zig.compile(*static, f"-I{NATIVE}", HERE / "driver.c", *_objects(zig, MODULES["kernel"]), "-o", made)
    return made


class _Zig(NamedTuple):
    """A compiler for a target, which runs in the folder ``source``, so that no compiled file contains this path."""

    target: Target
    source: Path
    draft: Path

    def compile(self, *words: str | Path) -> None:
        position = () if "windows" in self.target.zig else ("-fPIC",)
        self.run("cc", "-target", self.target.zig, *_FLAGS, *position, *words)

    def run(self, *words: str | Path) -> None:
        if not ZIG.exists():
            raise ToolError("no zig here: `make wasm` installs it")
        # The cache is new, so that earlier builds cannot change the bytes.
        cache = {f"ZIG_{kind}_CACHE_DIR": str(self.draft / "cache") for kind in ("GLOBAL", "LOCAL")}
        run_program([ZIG, "-m", "ziglang", *words], self.source, _ENVIRONMENT | cache)


def _objects(zig: _Zig, names: Iterable[str]) -> list[Path]:
    made = []
    for name in names:
        made.append(zig.draft / f"native_{name}.o")
        zig.compile("-c", NATIVE / f"{name}.c", "-o", made[-1])
    return made


def _headers(target: Target, draft: Path) -> Path:
    """Return a folder with Python's headers for a system. Raise ToolError if this Python is not 3.11."""
    if sys.version_info[:2] != (3, 11):
        raise ToolError("modules for other systems are built with Python 3.11, whose headers serve all later versions")
    here = Path(sysconfig.get_path("include"))
    if "windows" not in target.zig:
        return here
    copy = draft / "include"
    shutil.copytree(here, copy, dirs_exist_ok=True)
    shutil.copyfile(HERE / "pyconfig.h", copy / "pyconfig.h")
    return copy


def _link_options(zig: _Zig, binding: Path, name: str) -> list[str | Path]:
    """Return the linker options for a module, with which the interpreter resolves Python's functions."""
    if "macos" in zig.target.zig:
        # Without an install name, a module would contain the path of the folder in which it was linked.
        return ["-Wl,-undefined,dynamic_lookup", f"-Wl,-install_name,{name}"]
    if "windows" not in zig.target.zig:
        return []
    undefined: list[str | Path] = ["nm", "--undefined-only", "--format=just-symbols", binding]
    wanted = run_program(undefined, zig.source, _ENVIRONMENT).split()
    names = sorted({name.removeprefix("__imp_") for name in wanted})
    listed, library = binding.with_suffix(".def"), binding.with_suffix(".lib")
    exports = [name for name in names if name.startswith(("Py", "_Py"))]
    listed.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *exports, ""]), "ascii")
    zig.run("dlltool", "-m", "i386:x86-64", "-d", listed, "-l", library)
    return [library]
