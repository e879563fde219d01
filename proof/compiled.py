"""The checker's core compiled: the same source by mypyc, in a clone's ``build/checker``, made when first needed.

Only the package's name differs, so that one process can have both.
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

from proof.checker import certificate, rules, search
from runtime.files import MIB, read_file, write_whole
from runtime.release import cache_path, in_clone

#: The modules that are compiled; the reader of files is run as it stands, beside them.
CORE = (rules, search)

#: The package of the copies, and that of the source.
_NAME, _SOURCE = "compiled_checker", "proof.checker"


class NotCompiled(Exception):
    """There is no compiled checker; the message is the reason, in a few words."""


def source_of_checker() -> dict[str, bytes]:
    """Return the checker's own source, by the names of its files."""
    paths = [Path(str(module.__file__)) for module in (*CORE, certificate)]
    return {path.name: read_file(path, MIB) for path in paths}


def compiled_checker() -> Path:
    """Return the folder of the compiled checker, made now if it is not there; raises NotCompiled and OSError.

    A folder is of one source and one Python.
    """
    if not in_clone():
        raise NotCompiled("an installed package compiles nothing")
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
        raise NotCompiled("no mypyc here")
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if not shutil.which(compiler):
        raise NotCompiled(f"no C compiler here, {compiler}")


def _compile(source: dict[str, bytes], folder: Path) -> None:
    """Compile in a folder of our own, which then gets the name; another process may have been as quick."""
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
    """Return the reader of certificates whose core is the compiled one.

    Raises ImportError, also where Python would take a module of the core as source.
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
