"""Find the Python that the graders run."""

import os
import shutil
import subprocess


def find_python37() -> str | None:
    """Return the path of a CPython 3.7: $LITTLE_GO_PY37, pyenv's newest 3.7, or python3.7 on PATH; None without one."""
    return next((path for path in _candidates() if path and _is_python37(path)), None)


def _candidates() -> list[str | None]:
    return [os.environ.get("LITTLE_GO_PY37"), _pyenv_python37(), shutil.which("python3.7")]


def _pyenv_python37() -> str | None:
    pyenv = shutil.which("pyenv")
    if pyenv is None:
        return None
    versions = _output([pyenv, "versions", "--bare", "--skip-aliases"]).split()
    newest = max((v for v in versions if v.startswith("3.7.")), key=lambda v: int(v.split(".")[2]), default=None)
    return None if newest is None else f"{_output([pyenv, 'prefix', newest]).strip()}/bin/python"


def _is_python37(path: str) -> bool:
    return _output([path, "-c", "import sys; print(sys.version_info[:2] == (3, 7))"]).strip() == "True"


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
