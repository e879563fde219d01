"""Compile the core of the checker with mypyc, into ``build/checker`` of a clone, when the compiled core is first
needed.

The compiled package has another name, so one process can use both packages.
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

from little_go.proof.checker import certificate, rules, search
from little_go.runtime.files import MIB, read_file, write_whole
from little_go.runtime.release import cache_path, in_clone

#: The modules that are compiled. The reader of files is copied next to these modules, but not compiled.
CORE = (rules, search)

#: The names of the package of the copies and of the package of the source.
_NAME, _SOURCE = "compiled_checker", "little_go.proof.checker"


class NotCompiled(Exception):
    """Raised if there is no compiled checker. The message is a short reason."""


def source_of_checker() -> dict[str, bytes]:
    """Return the contents of the checker's source files, by name."""
    paths = [Path(str(module.__file__)) for module in (*CORE, certificate)]
    return {path.name: read_file(path, MIB) for path in paths}


def compiled_checker() -> Path:
    """Return the folder of the compiled checker, after compiling it if necessary.

    Raise NotCompiled if the checker cannot be compiled. There is a folder for each version of the source and of Python.
    """
    if not in_clone():
        raise NotCompiled("an installed package does not compile it")
    source = source_of_checker()
    key = hashlib.sha256(repr((sorted(source.items()), sys.version)).encode()).hexdigest()[:16]
    folder = cache_path(f"build/checker/{key}").absolute()
    if not folder.is_dir():
        _check_tools()
        print("Compiling the checker ...", file=sys.stderr, flush=True)
        _compile(source, folder)
    return folder


def _check_tools() -> None:
    if importlib.util.find_spec("mypyc") is None:
        raise NotCompiled("mypyc is not installed")
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if not shutil.which(compiler):
        raise NotCompiled(f"there is no C compiler {compiler}")


def _compile(source: dict[str, bytes], folder: Path) -> None:
    """Compile in a temporary folder, and rename this folder to ``folder`` unless another process was faster."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent, suffix=".tmp"))
    try:
        package = made / _NAME
        package.mkdir()
        write_whole(package / "__init__.py", "")
        for name, text in source.items():
            write_whole(package / name, text.replace(_SOURCE.encode(), _NAME.encode()))
        files = [f"{_NAME}/{Path(str(module.__file__)).name}" for module in CORE]
        done = subprocess.run(
            [sys.executable, "-m", "mypyc", *files], cwd=made, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if done.returncode:
            log = folder.with_suffix(".txt")
            write_whole(log, done.stdout)
            raise NotCompiled(f"mypyc failed: {log}")
        for rest in ("build", ".mypy_cache"):
            shutil.rmtree(made / rest, ignore_errors=True)
        if not folder.is_dir():
            made.rename(folder)
    finally:
        if made.is_dir():
            shutil.rmtree(made)


def load_compiled(folder: Path) -> ModuleType:
    """Return the module that reads certificates and uses the compiled core.

    Raise ImportError if a module cannot be loaded, or if Python would load the source instead of the compiled module.
    """
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    reader = import_module(f"{_NAME}.certificate")
    for module in CORE:
        name = f"{_NAME}.{module.__name__.rpartition('.')[2]}"
        path = str(sys.modules[name].__file__)
        if not path.endswith(tuple(EXTENSION_SUFFIXES)) or Path(path).parents[1] != folder:
            raise ImportError(f"{name} is {path}, and not compiled in {folder}")
    return reader
