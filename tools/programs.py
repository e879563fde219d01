"""Run the programs of a release, with one line for a failed one; read and write archives."""

import gzip
import io
import re
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

#: The first line in which compilers, setuptools and Python's exceptions name an error.
_ERROR = re.compile(r"^(?:.*[:\s])?(?:fatal )?error: ", re.MULTILINE)


class ToolError(click.ClickException):
    """A failed step; the message is one line, ``output`` its program's whole output, maybe ""."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def run_program(words: Iterable[str | Path], directory: Path, environment: Mapping[str, str]) -> str:
    """Run a program and return its output; raises ToolError for a missing or failed one."""
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
    """Return the line that names an error: the first with the word, or else the last one.

    >>> error_line("In file a.c:\\na.c:1:2: error: no b\\n1 error generated.\\nerror: gcc failed")
    'a.c:1:2: error: no b'
    >>> error_line("Traceback:\\nValueError: no b\\n")
    'ValueError: no b'
    """
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return next((line for line in lines if _ERROR.match(line)), lines[-1] if lines else "")


def write_zip(path: Path, files: Mapping[str, bytes], epoch: int) -> None:
    """Write a zip whose bytes depend only on names and contents: sorted, of one time and one mode."""
    when = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, when)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o100644 << 16, 3
            archive.writestr(info, files[name])


def read_zip(path: Path) -> dict[str, bytes]:
    """Return the contents of a zip's files by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def folder(place: Path, under: str) -> dict[str, bytes]:
    """Return the contents of a folder's files by name below ``under``."""
    files = (path for path in place.rglob("*") if path.is_file())
    return {f"{under}/{path.relative_to(place).as_posix()}": path.read_bytes() for path in files}


def write_tar(path: Path, made: Path, epoch: int) -> None:
    """Write a packed tar again, members sorted, of one time, without an owner."""
    plain = io.BytesIO()
    with tarfile.open(made) as old, tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode, member.pax_headers = 0o755 if member.isdir() or member.mode & 0o100 else 0o644, {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, epoch) as packed:
        packed.write(plain.getvalue())
