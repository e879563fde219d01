"""Find interpreters of other versions: the graders' 3.7, and those that wheels are built for."""

import os
import shutil
import subprocess


def find_python(version: str) -> str | None:
    """Return the path of a CPython, such as 3.7; None without one.

    That is $LITTLE_GO_PY37, pyenv's newest 3.7, or python3.7 on PATH.
    """
    places = [
        os.environ.get(f"LITTLE_GO_PY{version.replace('.', '')}"),
        _pyenv(version),
        shutil.which(f"python{version}"),
    ]
    return next((path for path in places if path and _is_python(path, version)), None)


def _pyenv(version: str) -> str | None:
    pyenv = shutil.which("pyenv")
    if pyenv is None:
        return None
    versions = _output([pyenv, "versions", "--bare", "--skip-aliases"]).split()
    found = (v for v in versions if v.startswith(f"{version}.") and v.split(".")[2].isdigit())
    newest = max(found, key=lambda v: int(v.split(".")[2]), default=None)
    return None if newest is None else f"{_output([pyenv, 'prefix', newest]).strip()}/bin/python"


def _is_python(path: str, version: str) -> bool:
    return _output([path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]).strip() == version


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
