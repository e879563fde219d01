"""Find interpreters of other Python versions, run the programs of a release, and read and write archives.

The versions are 3.7, which the course's graders use, and the versions in pyproject.toml. ``python -m tools.programs
[VERSION…]`` lists each version and its interpreter for ``make test-pythons``.
"""

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import click

#: A pattern of the lines in which compilers, setuptools and Python's exceptions report an error.
_ERROR = re.compile(r"^(?:.*[:\s])?(?:fatal )?error: ", re.MULTILINE)


class ToolError(click.ClickException):
    """Raised if a step fails.

    The message is one line. The public attribute ``output`` is the program's whole output, or "".
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def run_program(words: Iterable[str | Path], directory: Path, environment: Mapping[str, str]) -> str:
    """Run a program and return its output. Raise ToolError if the program is missing or fails."""
    command = [str(word) for word in words]
    try:
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ToolError(f"{command[0]}: {error.strerror}") from None
    if done.returncode:
        printed = done.stdout + done.stderr
        failure = f"{' '.join(command)}\nended with {done.returncode}:\n{printed}"
        raise ToolError(error_line(printed) or f"{Path(command[0]).name} ended with {done.returncode}", failure)
    return done.stdout


def error_line(printed: str) -> str:
    """Return the first line that reports an error, or the last line if no line reports an error.

    >>> error_line("In file a.c:\\na.c:1:2: error: no b\\n1 error generated.\\nerror: gcc failed")
    'a.c:1:2: error: no b'
    >>> error_line("Traceback:\\nValueError: no b\\n")
    'ValueError: no b'
    """
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return next((line for line in lines if _ERROR.match(line)), lines[-1] if lines else "")


def write_zip(path: Path, files: Mapping[str, bytes], epoch: int) -> None:
    """Write a zip file. The bytes depend only on names, contents and ``epoch``, which is the time of every file."""
    when = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, when)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o100644 << 16, 3
            archive.writestr(info, files[name])


def read_zip(path: Path) -> dict[str, bytes]:
    """Return the contents of the files in a zip file, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def folder(place: Path, under: str) -> dict[str, bytes]:
    """Return the contents of a folder's files, by path, with the prefix ``under``."""
    files = (path for path in place.rglob("*") if path.is_file())
    return {f"{under}/{path.relative_to(place).as_posix()}": path.read_bytes() for path in files}


def write_tar(path: Path, made: Path, epoch: int) -> None:
    """Write a compressed tar file again with sorted members, ``epoch`` as the time of each member, and no owner."""
    plain = io.BytesIO()
    with tarfile.open(made) as old, tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode, member.pax_headers = 0o755 if member.isdir() or member.mode & 0o100 else 0o644, {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, epoch) as packed:
        packed.write(plain.getvalue())


PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def named_versions(pyproject: Path = PYPROJECT) -> list[str]:
    """Return the versions of Python in a pyproject.toml. The oldest version comes first."""
    return re.findall(r'Python :: (3\.\d+)"', pyproject.read_text("utf-8"))


def find_python(version: str) -> str | None:
    """Return the path of CPython of a version, such as 3.7, or None if it is not found.

    For 3.7, the candidates are $LITTLE_GO_PY37, pyenv's newest 3.7, and python3.7 on PATH.
    """
    places = [
        os.environ.get(f"LITTLE_GO_PY{version.replace('.', '')}"),
        _pyenv(version),
        shutil.which(f"python{version}"),
    ]
    return next((path for path in places if path and _is_python(path, version)), None)


@cache
def script_pythons() -> dict[str, str]:
    """Return the interpreters that test my_player3.py, by version: this interpreter, and CPython 3.7 if it is found."""
    graders = find_python("3.7")
    return {"{}.{}".format(*sys.version_info): sys.executable} | ({"3.7": graders} if graders else {})


def name_of(path: str) -> str:
    """Return an interpreter's name with its version, such as CPython 3.7.16."""
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
    """Print versions of Python with their interpreters: the given versions, or all other installed versions.

    Return a message if a given version is missing or no other version is installed.
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
