"""Make all that is published, in ``dist/``: ``make release``, two minutes of CPU.

Everything is made from the last commit, whatever else the clone holds, and nothing in it depends on the place, the user
or the time: times are those of the commit. So the same commit gives the same bytes, on every machine for what holds no
compiled code, and for the wheels wherever the compiler and the interpreters are the same.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import click

from runtime.filesystem import remove_all
from tools.cross.building import NATIVE, TARGETS, Target, build_modules
from tools.interpreters import find_python

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"

#: What wheels are tagged for: Linux with glibc 2.28 of 2018, or newer; auditwheel adds what is older if it is true.
PLATFORM = "manylinux_2_28_x86_64"

#: What programs get of the user's settings; and the compiler and linker, as interpreters have other options for both,
#: among them the place of their own libraries.
_KEPT = ("PATH", "HOME", "TMPDIR", "PYENV_ROOT")
_COMPILER = {"CC": "gcc", "LDSHARED": "gcc -shared"}

#: What setup.py needs, which is linked into a folder of its own, so that every interpreter can use the same.
_BUILDERS = ("setuptools", "cython")

#: What who uploads gets, and what it is in the clone.
_PLAYER = {
    "my_player3.py": "my_player3.py",
    "book.json": "book.json",
    "README.txt": "tools/player.txt",
    "LICENSE.txt": "LICENSE",
}

SUMS = "SHA256SUMS"


class ReleaseError(click.ClickException):
    """Something that a release needs is missing or has failed; the message says what."""


class Commit(NamedTuple):
    """What is released: the files of the last commit, its seconds since 1970, and the version."""

    files: Path
    epoch: int
    version: str


def run(command: Iterable[str | Path], directory: Path, epoch: int = 0, **variables: str) -> str:
    """Run a program whose output depends on nobody's settings; return its output, raise ReleaseError if it fails."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    fixed = {"SOURCE_DATE_EPOCH": str(epoch), "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    words = [str(word) for word in command]
    environment = kept | fixed | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"} | variables
    try:
        done = subprocess.run(words, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ReleaseError(f"{words[0]}: {error.strerror}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-8:]
        raise ReleaseError("\n".join([f"{' '.join(words)[:200]} ended with {done.returncode}:", *said]))
    return done.stdout


def python(module: str, *arguments: str | Path, source: Commit) -> str:
    """Run a module of this environment in the files that are released, as run() does."""
    return run([sys.executable, "-m", module, *arguments], source.files, source.epoch)


def export(clone: Path, place: Path) -> Commit:
    """Lay out the files of a clone's last commit; raises ReleaseError where there is none."""
    if not (clone / ".git").exists():
        raise ReleaseError("a release is made in a clone: its last commit is what is released")
    epoch = int(run(["git", "log", "-1", "--format=%ct"], clone))
    place.mkdir(parents=True)
    archive = place.with_suffix(".tar")
    run(["git", "archive", "--output", archive, "HEAD"], clone)
    with tarfile.open(archive) as files:
        files.extractall(place, filter="data")
    archive.unlink()
    if run(["git", "status", "--porcelain", "--untracked-files=no"], clone):
        click.echo("What is not committed is not released.", err=True)
    found = re.search(r'^version = "(.+)"$', (place / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert found
    return Commit(place, epoch, found[1])


# Archives


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


# What is released


def player(source: Commit, out: Path) -> None:
    """Write the zip for who uploads: the script, its book and a page of instructions."""
    files = {name: (source.files / path).read_bytes() for name, path in _PLAYER.items()}
    write_zip(
        out / "little-go-player.zip", {f"little-go-player/{name}": text for name, text in files.items()}, source.epoch
    )


def data(source: Commit, out: Path) -> None:
    """Write the zip for who analyses: the data package, the certificates, and what their files mean."""
    files = folder(source.files / "data", "little-go-data")
    files |= folder(source.files / "proof" / "certificates", "little-go-data/certificates")
    files = {name: content for name, content in files.items() if not name.endswith(".py")}
    texts = {
        "README.md": "data/README.md",
        "certificates/README.md": "docs/reference/CERTIFICATE.md",
        "LICENSE.txt": "LICENSE",
    }
    for name, path in texts.items():
        files[f"little-go-data/{name}"] = unlinked((source.files / path).read_text("utf-8")).encode()
    write_zip(out / "little-go-data.zip", files, source.epoch)


def unlinked(text: str) -> str:
    """Return a document without its links to files, which are not beside it where it goes."""
    return re.sub(r"!?\[([^\]]+)\]\((?![a-z]+:)[^)]*\)", r"\1", text)


def page(source: Commit, out: Path) -> None:
    """Copy the explorer."""
    shutil.copyfile(source.files / "explorer.html", out / "explorer.html")


def sdist(source: Commit, out: Path, draft: Path) -> Path:
    """Write the source distribution; return what is in it, unpacked."""
    made = built("sdist", sys.executable, source, source.files, draft)
    write_tar(out / made.name, made, source.epoch)
    with tarfile.open(out / made.name) as files:
        files.extractall(draft / "unpacked", filter="data")
    return draft / "unpacked" / made.name.removesuffix(".tar.gz")


def wheel(interpreter: str, source: Commit, unpacked: Path, out: Path, draft: Path) -> None:
    """Build a wheel from the source distribution, and tag it for all machines that it works on."""
    made = built("wheel", interpreter, source, unpacked, draft)
    python("auditwheel", "repair", "--plat", PLATFORM, "--wheel-dir", draft / "tagged", made, source=source)
    (tagged,) = (draft / "tagged").glob("*.whl")
    write_zip(out / tagged.name, read_zip(tagged), source.epoch)
    if "-abi3-" in tagged.name:
        python("abi3audit", "--strict", out / tagged.name, source=source)
    tagged.unlink()


def foreign_wheel(target: Target, this: Path, source: Commit, unpacked: Path, out: Path, draft: Path) -> None:
    """Write the wheel for another system: this one's, with modules that zig compiled."""
    place = draft / "cross" / target.zig
    place.mkdir(parents=True)
    modules = {f"{NATIVE}/{name}": path.read_bytes() for name, path in build_modules(target, unpacked, place).items()}
    files = {name: content for name, content in read_zip(this).items() if not name.endswith(".so")} | modules
    (tags,) = (name for name in files if name.endswith(".dist-info/WHEEL"))
    record = tags.replace("WHEEL", "RECORD")
    python_tag = this.name.split("-")[2]
    kept = [line for line in files[tags].decode().splitlines() if line and not line.startswith("Tag: ")]
    files[tags] = "\n".join([*kept, *(f"Tag: {python_tag}-abi3-{tag}" for tag in target.tags), ""]).encode()
    files[record] = "".join(
        [*(_recorded(name, files[name]) for name in sorted(files) if name != record), f"{record},,\n"]
    ).encode()
    name = "-".join([*this.name.split("-")[:3], "abi3", ".".join(target.tags)])
    write_zip(out / f"{name}.whl", files, source.epoch)
    python("abi3audit", "--strict", out / f"{name}.whl", source=source)


def _recorded(name: str, content: bytes) -> str:
    """Return a file's line in a wheel's RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(content)}\n"


def built(kind: str, interpreter: str, source: Commit, directory: Path, draft: Path) -> Path:
    """Build a distribution with an interpreter and the setuptools and Cython of this environment; return its file."""
    target = draft / kind
    program = f"from setuptools import build_meta as b; print(b.build_{kind}({str(target)!r}))"
    target.mkdir(exist_ok=True)
    words = [interpreter, "-s", "-S", "-c", program]
    return target / run(words, directory, source.epoch, PYTHONPATH=str(builders(draft)), **_COMPILER).split()[-1]


def builders(draft: Path) -> Path:
    """Return a folder with what builds; other interpreters pass over what of it is compiled for this one."""
    place = draft / "builders"
    if not place.exists():
        place.mkdir()
        for name in _BUILDERS:
            distribution = metadata.distribution(name)
            for top in {file.parts[0] for file in distribution.files or []} - {"..", "__pycache__"}:
                (place / top).symlink_to(Path(str(distribution.locate_file(top))))
    return place


def interpreters() -> Iterator[tuple[str, str | None]]:
    """Yield each version of Python that needs a wheel of its own, this one first, and an interpreter of it or None.

    From 3.11 on one wheel serves all versions, if 3.11 builds it.
    """
    this = "{}.{}".format(*sys.version_info)
    if this != "3.11":
        raise ReleaseError(f"a release is made with Python 3.11; this is {this}")
    yield this, sys.executable
    yield "3.10", find_python("3.10")


def site(source: Commit, out: Path, draft: Path) -> None:
    """Write the zip of the documents, for which the commands are imported: so the kernel has to be there."""
    (this,) = out.glob("*-abi3-manylinux*_x86_64.whl")
    for name, content in read_zip(this).items():
        if name.startswith("solver/native/") and name.endswith(".so"):
            (source.files / name).parent.mkdir(exist_ok=True)
            (source.files / name).write_bytes(content)
    python("mkdocs", "build", "--strict", "--site-dir", draft / "site", source=source)
    write_zip(out / "little-go-site.zip", folder(draft / "site", "little-go-site"), source.epoch)


def report(source: Commit, out: Path) -> None:
    """Write the report."""
    python("report", out / "little-go-report.pdf", source=source)


def materials(source: Commit, out: Path) -> None:
    """Write what the wheels need, as pinned, in the form that CycloneDX defines."""
    options = ("requirements", "--pyproject", "pyproject.toml", "--output-reproducible", "requirements/run.txt")
    (out / "little-go.cdx.json").write_text(python("cyclonedx_py", *options, source=source), "utf-8")


def sums(out: Path) -> str:
    """Return the SHA-256 of a folder's files, as sha256sum writes them."""
    files = sorted(path for path in out.iterdir() if path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


# All of it


@contextmanager
def drafts(place: Path) -> Iterator[Path]:
    """Give a folder to work in, which is gone at the end; raises ReleaseError for what cannot be written."""
    try:
        remove_all(place)
        place.mkdir()
        try:
            yield place
        finally:
            remove_all(place)
    except OSError as error:
        raise ReleaseError(f"{error.filename or place}: {error.strerror}") from None


def make_release(clone: Path, dist: Path, tell: Callable[[str], None]) -> None:
    """Make all that is published in ``dist``, which is replaced when all is there; tell: told each step."""
    with drafts(dist.with_name(f"{dist.name}.tmp")) as draft:
        out = draft / "out"
        out.mkdir()
        tell("the files of the last commit")
        source = export(clone, draft / "source")
        for write in (player, data, page):
            write(source, out)
        tell("source distribution")
        unpacked = sdist(source, out, draft)
        for version, interpreter in interpreters():
            if interpreter is None:
                tell(f"no Python {version} here: no wheel for it")
                continue
            tell(f"wheel for Python {version}")
            wheel(interpreter, source, unpacked, out, draft)
        (this,) = out.glob("*-abi3-*.whl")
        for target in TARGETS:
            tell(f"wheel for {target.zig}")
            foreign_wheel(target, this, source, unpacked, out, draft)
        tell("site")
        site(source, out, draft)
        tell("report and list of materials")
        report(source, out)
        materials(source, out)
        (out / SUMS).write_text(sums(out), "ascii")
        remove_all(dist)
        out.rename(dist)


@click.command()
def main() -> None:
    """Make all that is published, in dist/, from the last commit."""
    began = time.monotonic()
    make_release(ROOT, DIST, lambda step: click.echo(f"{time.monotonic() - began:5.0f} s  {step}", err=True))
    for path in sorted(DIST.iterdir()):
        click.echo(f"{path.stat().st_size:10,}  {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
