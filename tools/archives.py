"""Zips and tars whose bytes follow from the names and contents of their files alone."""

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path


def write_zip(path: Path, files: Mapping[str, bytes], epoch: int) -> None:
    """Write a zip whose bytes follow from the files' names and contents: sorted, of one time and one mode."""
    when = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, when)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o100644 << 16, 3
            archive.writestr(info, files[name])


def read_zip(path: Path) -> dict[str, bytes]:
    """Return the contents of a zip's files by their names."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def folder(place: Path, under: str) -> dict[str, bytes]:
    """Return the contents of a folder's files by their names below ``under``."""
    files = (path for path in place.rglob("*") if path.is_file())
    return {f"{under}/{path.relative_to(place).as_posix()}": path.read_bytes() for path in files}


def write_tar(path: Path, made: Path, epoch: int) -> None:
    """Write a packed tar again, with its members sorted, of one time and nobody's."""
    plain = io.BytesIO()
    with tarfile.open(made) as old, tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode, member.pax_headers = 0o755 if member.isdir() or member.mode & 0o100 else 0o644, {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, epoch) as packed:
        packed.write(plain.getvalue())
