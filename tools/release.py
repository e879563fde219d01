"""Make all published files in ``dist/``: ``make release``, which takes two minutes of CPU.

All files are made from the last commit. The files do not depend on the folder, the user or the time, because all times
are the commit's time. So the same commit gives the same bytes. The bytes of a wheel also depend on the compiler and the
interpreter.
"""

import hashlib
import os
import re
import shutil
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import click

from little_go.runtime.files import remove_all
from tools.cross.building import MODULES, NATIVE, TARGETS, Target, build_modules
from tools.programs import ToolError, find_python, folder, read_zip, run_program, write_tar, write_zip
from tools.wheels import MODULE_SUFFIXES, check_wheel, module_faults, named_places, platform_of, retagged

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"

#: The tag of the wheels: Linux with glibc 2.28 (of 2018) or newer. auditwheel adds the tags of older versions of glibc
#: that are sufficient.
PLATFORM = "manylinux_2_28_x86_64"

#: The environment variables of programs. The compiler and linker are set, because otherwise each interpreter would add
#: options with the paths of its libraries.
_KEPT = ("PATH", "HOME", "TMPDIR", "PYENV_ROOT")
_COMPILER = {"CC": "gcc", "LDSHARED": "gcc -shared"}

#: The packages that setup.py needs. These packages are linked into a folder that all interpreters use.
_BUILDERS = ("setuptools", "cython")

#: The paths of files in the clone, by their names in the zip for uploaders.
_PLAYER = {
    "my_player3.py": "my_player3.py",
    "book.json": "book.json",
    "README.txt": "tools/player.txt",
    "LICENSE.txt": "LICENSE",
}

SUMS = "SHA256SUMS"


class Commit(NamedTuple):
    """The folder with the files of the last commit, the commit's time in seconds since 1970, and the version."""

    files: Path
    epoch: int
    version: str


def run(command: Iterable[str | Path], directory: Path, epoch: int = 0, **variables: str) -> str:
    """Run a program without the user's settings, and return its output. Raise ToolError if the program fails."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    fixed = {"SOURCE_DATE_EPOCH": str(epoch), "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return run_program(command, directory, kept | fixed | path | variables)


def python(module: str, *arguments: str | Path, source: Commit) -> str:
    """Run a module of this environment with run(), in the folder of the released files."""
    return run([sys.executable, "-m", module, *arguments], source.files, source.epoch)


def export(clone: Path, place: Path) -> Commit:
    """Export the files of a clone's last commit. Raise ToolError if ``clone`` is not a clone."""
    if not (clone / ".git").exists():
        raise ToolError("a release is made in a clone: its last commit is what is released")
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


# Functions that write the published files


def player(source: Commit, out: Path) -> None:
    """Write the zip for uploaders: the script, its book and a page of instructions."""
    files = {name: (source.files / path).read_bytes() for name, path in _PLAYER.items()}
    write_zip(
        out / "little-go-player.zip", {f"little-go-player/{name}": text for name, text in files.items()}, source.epoch
    )


def data(source: Commit, out: Path) -> None:
    """Write the zip for analysts: the data package, the certificates, and their descriptions."""
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
    """Return a document without its links to files, because the zip does not contain these files."""
    return re.sub(r"!?\[([^\]]+)\]\((?![a-z]+:)[^)]*\)", r"\1", text)


def page(source: Commit, out: Path) -> None:
    """Copy the page explorer.html."""
    shutil.copyfile(source.files / "explorer.html", out / "explorer.html")


def sdist(source: Commit, out: Path, draft: Path) -> Path:
    """Write the source distribution, and return the folder of its unpacked files."""
    made = built("sdist", sys.executable, source, source.files, draft)
    write_tar(out / made.name, made, source.epoch)
    with tarfile.open(out / made.name) as files:
        files.extractall(draft / "unpacked", filter="data")
    return draft / "unpacked" / made.name.removesuffix(".tar.gz")


def wheel(interpreter: str, source: Commit, unpacked: Path, out: Path, draft: Path) -> Path:
    """Build a wheel from the source distribution, tag it for all compatible platforms, and return it."""
    made = built("wheel", interpreter, source, unpacked, draft)
    tagged = draft / "tagged"
    remove_all(tagged)
    python("auditwheel", "repair", "--plat", PLATFORM, "--wheel-dir", tagged, made, source=source)
    (repaired,) = tagged.glob("*.whl")
    python_tag, abi_tag, platforms = repaired.stem.split("-")[2:]
    files = retagged(read_zip(repaired), python_tag, abi_tag, platforms.split("."))
    suffix = ".abi3.so" if abi_tag == "abi3" else f".{_sysconfig(interpreter, 'SOABI', source)}.so"
    places = _places(draft, _sysconfig(interpreter, "prefix", source))
    return publish_wheel(repaired.name, files, [f"{module}{suffix}" for module in MODULES], places, source, out)


def foreign_wheel(target: Target, this: Path, source: Commit, unpacked: Path, out: Path, draft: Path) -> None:
    """Write the wheel for another system, which is this system's wheel with modules that zig has compiled."""
    place = draft / "cross" / target.zig
    place.mkdir(parents=True)
    modules = {name: path.read_bytes() for name, path in build_modules(target, unpacked, place).items()}
    files = {name: content for name, content in read_zip(this).items() if not name.endswith(MODULE_SUFFIXES)}
    files |= {f"little_go/{NATIVE}/{name}": content for name, content in modules.items()}
    name, version, python_tag = this.name.split("-")[:3]
    files = retagged(files, python_tag, "abi3", target.tags)
    wheel_name = f"{name}-{version}-{python_tag}-abi3-{'.'.join(target.tags)}.whl"
    publish_wheel(wheel_name, files, modules, _places(draft), source, out)


def publish_wheel(
    name: str, files: Mapping[str, bytes], modules: Iterable[str], places: Iterable[Path], source: Commit, out: Path
) -> Path:
    """Write a wheel into ``out`` if the wheel passes the checks, and return its path."""
    unchecked = source.files.with_name("unchecked")
    unchecked.mkdir(exist_ok=True)
    write_zip(unchecked / name, files, source.epoch)
    check_wheel(unchecked / name, modules, places)
    if "-abi3-" in name:
        python("abi3audit", "--strict", unchecked / name, source=source)
    return (unchecked / name).rename(out / name)


def _places(draft: Path, *prefixes: str) -> list[Path]:
    """Return the directories of the clone, the drafts and the interpreters, whose paths no published file may contain.

    Top-level directories such as /usr are allowed.
    """
    places = {ROOT, draft, *map(Path, (sys.prefix, sys.base_prefix, *prefixes))}
    return sorted(place for place in places if len(place.parts) > 2)


def _sysconfig(interpreter: str, name: str, source: Commit) -> str:
    program = f"import sysconfig; print(sysconfig.get_config_var({name!r}))"
    return run([interpreter, "-s", "-S", "-c", program], source.files).strip()


def built(kind: str, interpreter: str, source: Commit, directory: Path, draft: Path) -> Path:
    """Build a distribution with an interpreter and this environment's setuptools and Cython, and return its path."""
    target = draft / kind
    program = f"from setuptools import build_meta as b; print(b.build_{kind}({str(target)!r}))"
    target.mkdir(exist_ok=True)
    words = [interpreter, "-s", "-S", "-c", program]
    return target / run(words, directory, source.epoch, PYTHONPATH=str(builders(draft)), **_COMPILER).split()[-1]


def builders(draft: Path) -> Path:
    """Return a folder with the build packages. Only this interpreter uses the compiled modules in this folder."""
    place = draft / "builders"
    if not place.exists():
        place.mkdir()
        for name in _BUILDERS:
            distribution = metadata.distribution(name)
            for top in {file.parts[0] for file in distribution.files or []} - {"..", "__pycache__"}:
                (place / top).symlink_to(Path(str(distribution.locate_file(top))))
    return place


def interpreters() -> Iterator[tuple[str, str | None]]:
    """Yield each version of Python that needs its own wheel, with its interpreter or None.

    The running version comes first.

    A wheel that Python 3.11 builds works with all versions from 3.11 on.
    """
    this = "{}.{}".format(*sys.version_info)
    if this != "3.11":
        raise ToolError(f"a release is made with Python 3.11; this is {this}")
    yield this, sys.executable
    yield "3.10", find_python("3.10")


def place_kernel(this: Path, source: Commit) -> None:
    """Copy the modules of this machine's wheel into the folder of the released files, so that commands run there."""
    for name, content in read_zip(this).items():
        if name.endswith(MODULE_SUFFIXES):
            (source.files / name).write_bytes(content)


def site(source: Commit, out: Path, draft: Path) -> None:
    """Write the zip of the documents. The kernel must be in place first, because mkdocs imports the commands."""
    python("mkdocs", "build", "--strict", "--site-dir", draft / "site", source=source)
    write_zip(out / "little-go-site.zip", folder(draft / "site", "little-go-site"), source.epoch)


def report(source: Commit, out: Path) -> None:
    """Write the report as a PDF."""
    python("report", out / "little-go-report.pdf", source=source)


def materials(source: Commit, out: Path) -> None:
    """Write the list of the wheels' pinned dependencies in the format CycloneDX."""
    options = ("requirements", "--pyproject", "pyproject.toml", "--output-reproducible", "requirements/run.txt")
    (out / "little-go.cdx.json").write_text(python("cyclonedx_py", *options, source=source), "utf-8")


def sums(out: Path) -> str:
    """Return the SHA-256 sums of a folder's files, in the format of sha256sum."""
    files = sorted(path for path in out.iterdir() if path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


# Functions that make a whole release


@contextmanager
def drafts(place: Path) -> Iterator[Path]:
    """Yield a folder that is removed at the end. Raise ToolError if a file cannot be written."""
    try:
        remove_all(place)
        place.mkdir()
        try:
            yield place
        finally:
            remove_all(place)
    except OSError as error:
        raise ToolError(f"{error.filename or place}: {error.strerror}") from None


class Steps:
    """The steps of a release. A failed step makes no files, and its output is written to a log."""

    def __init__(self, log: Path, tell: Callable[[str], None]) -> None:
        self.failed: list[str] = []
        self._log = log
        self._tell = tell
        log.unlink(missing_ok=True)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Print the name of a step. If the step raises ToolError, print the failure in a line and continue."""
        self._tell(name)
        try:
            yield
        except ToolError as error:
            self.failed.append(name)
            self._tell(f"{name} FAILED: {error.message}{f'; all of it: {self._log}' if error.output else ''}")
            with self._log.open("a", encoding="utf-8") as file:
                file.write(f"--- {name}\n{error.message}\n{error.output}\n")


def make_release(clone: Path, dist: Path, tell: Callable[[str], None]) -> list[str]:
    """Make all published files in ``dist``, and return the failed steps.

    The folder ``dist`` is replaced only at the end. tell: called with the name of each step, and with a line for each
    failure.
    """
    found = list(interpreters())
    with drafts(dist.with_name(f"{dist.name}.tmp")) as draft:
        out = draft / "out"
        out.mkdir()
        tell("the files of the last commit")
        source = export(clone, draft / "source")
        steps = Steps(dist.with_name(f"{dist.name}.log"), tell)
        for write in (player, data, page):
            with steps.step(write.__name__):
                write(source, out)
        make_wheels(steps, found, source, out, draft)
        with steps.step("site"):
            site(source, out, draft)
        with steps.step("report"):
            report(source, out)
        with steps.step("list of materials"):
            materials(source, out)
        (out / SUMS).write_text(sums(out), "ascii")
        remove_all(dist)
        out.rename(dist)
    return steps.failed


def make_wheels(steps: Steps, found: Iterable[tuple[str, str | None]], source: Commit, out: Path, draft: Path) -> None:
    """Make the source distribution, and a wheel for each installed version of Python and for each other system."""
    unpacked = this = None
    with steps.step("source distribution"):
        unpacked = sdist(source, out, draft)
    for version, interpreter in found:
        with steps.step(f"wheel for Python {version}"):
            if interpreter is None:
                raise ToolError(f"there is no Python {version} here")
            made = wheel(interpreter, source, _needed(unpacked, "the source distribution"), out, draft)
            this = made if "-abi3-" in made.name else this
    if this is not None:
        place_kernel(this, source)
    for target in TARGETS:
        with steps.step(f"wheel for {target.zig}"):
            whole = _needed(this, "this machine's wheel, which it shares all but the modules with")
            foreign_wheel(target, whole, source, _needed(unpacked, "the source distribution"), out, draft)


def _needed(path: Path | None, name: str) -> Path:
    if path is None:
        raise ToolError(f"it needs {name}")
    return path


# Functions that repeat a build


def check_target(clone: Path, target: Target, place: Path) -> dict[str, str]:
    """Build the modules for a target in two folders with different paths. Return the SHA-256 of each module, by name.

    Raise ToolError if the two builds differ, or if a module does not fit the target.
    """
    with drafts(place) as draft:
        folders = [draft / "one", draft / "another-of-a-longer-name"]
        with ThreadPoolExecutor() as both:
            one, other = both.map(lambda folder: _modules_alone(clone, target, folder), folders)
        faults = [f"{name} depends on the folder of the build" for name in one if one[name] != other[name]]
        faults += named_places(one, _places(draft))
        for name, content in one.items():
            faults += [f"{name} {fault}" for fault in module_faults(name, content, platform_of(target.tags[0]))]
    if faults:
        raise ToolError(f"{target.zig}: {'; '.join(faults)}")
    return {name: hashlib.sha256(content).hexdigest() for name, content in one.items()}


def _modules_alone(clone: Path, target: Target, folder: Path) -> dict[str, bytes]:
    """Build a target's modules from a commit's files in a folder."""
    source = export(clone, folder / "source")
    # This call of setup.py only writes the C code of the bindings.
    run([sys.executable, "setup.py", "--quiet", "--version"], source.files, source.epoch)
    made = folder / "made"
    made.mkdir()
    return {name: path.read_bytes() for name, path in build_modules(target, source.files, made).items()}


@click.command()
@click.option(
    "--check",
    "checked",
    type=click.Choice([target.zig for target in TARGETS]),
    help="Only build the modules for this system, in two folders, and compare them.",
)
def main(checked: str | None) -> None:
    """Make all published files, in dist/, from the last commit."""
    began = time.monotonic()
    if checked is not None:
        (target,) = (target for target in TARGETS if target.zig == checked)
        try:
            digests = check_target(ROOT, target, ROOT / "build" / "release")
        except ToolError as error:
            click.echo(error.output, err=True, nl=False)
            raise
        for name, digest in digests.items():
            click.echo(f"{digest}  {name}, the same in two folders")
        return
    failed = make_release(ROOT, DIST, lambda step: click.echo(f"{time.monotonic() - began:5.0f} s  {step}", err=True))
    for path in sorted(DIST.iterdir()):
        click.echo(f"{path.stat().st_size:10,}  {path.relative_to(ROOT)}")
    if failed:
        raise ToolError(f"{DIST.name}/ is not whole: {', '.join(failed)}")


if __name__ == "__main__":
    main()
