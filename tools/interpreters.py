"""Find interpreters of other versions: the graders' 3.7, and those that pyproject.toml names.

``python -m tools.interpreters [VERSION…]`` lists each version and its interpreter for ``make test-pythons``.
"""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def named_versions(pyproject: Path = PYPROJECT) -> list[str]:
    """Return the versions of Python in a pyproject.toml, oldest first."""
    return re.findall(r'Python :: (3\.\d+)"', pyproject.read_text("utf-8"))


def find_python(version: str) -> str | None:
    """Return the path of a CPython, such as 3.7, or None.

    That is $LITTLE_GO_PY37, pyenv's newest 3.7, or python3.7 on PATH.
    """
    places = [
        os.environ.get(f"LITTLE_GO_PY{version.replace('.', '')}"),
        _pyenv(version),
        shutil.which(f"python{version}"),
    ]
    return next((path for path in places if path and _is_python(path, version)), None)


@cache
def script_pythons() -> dict[str, str]:
    """Return the interpreters and versions for tests of the script: this one, and CPython 3.7 if found."""
    graders = find_python("3.7")
    return {"{}.{}".format(*sys.version_info): sys.executable} | ({"3.7": graders} if graders else {})


def name_of(path: str) -> str:
    """Return an interpreter's name for people, such as CPython 3.7.16."""
    program = "import platform as p; print(p.python_implementation(), p.python_version())"
    return _output([path, "-c", program]).strip()


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


def main(*wanted: str) -> str | None:
    """Print versions and their interpreters: the named ones, or all found but this one's.

    Return a message where a named one is missing, or there is no other at all.
    """
    this = "{}.{}".format(*sys.version_info)
    if unknown := set(wanted) - set(named_versions()):
        return f"Error: pyproject.toml does not name Python {', '.join(sorted(unknown))}"
    found = {version: find_python(version) for version in wanted or named_versions() if version != this}
    missing = [version for version, path in found.items() if path is None]
    if missing and (wanted or len(missing) == len(found)):
        return f"Error: there is no Python {', '.join(missing)} here"
    for version in missing:
        print(f"no Python {version} here: its tests are not run", file=sys.stderr)
    for version, path in found.items():
        if path:
            print(version, path)
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
