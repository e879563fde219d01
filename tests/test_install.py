"""The installed project works outside the clone, and its reading half outside Linux."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from importlib import metadata
from pathlib import Path

import pytest

from book.files.shipped import shipped_files
from runtime.release import version
from tests.shell_blocks import ROOT, lay_out

pytestmark = pytest.mark.system

#: The modules of the standard library that other systems may lack.
LINUX_ONLY = ("fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty", "pty")


def test_what_is_built_is_whole_and_works_anywhere(tmp_path: Path) -> None:
    """One test, as building takes a while: source distribution, wheel out of that, fresh environment, commands."""
    lay_out(tmp_path / "clone")
    sdist = build("sdist", tmp_path / "clone", tmp_path)
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    assert missing_files(source) == set()
    wheel = build("wheel", source, tmp_path)
    home = fresh_environment(tmp_path / "venv", wheel)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for command, code, expected in COMMANDS:
        found, output = run(home, command, elsewhere)
        assert found == code, f"{command}: exit code {found}\n{output}"
        assert re.search(expected, output, re.MULTILINE), f"{command}: no {expected!r} in\n{output}"


#: Counts what ships, where it is installed.
COUNTED = "from book.files.shipped import shipped_files; print(len(shipped_files()))"

#: Commands, the exit code of each, and what stands in what it prints.
COMMANDS = [
    ("little-go --version", 0, f"^little-go, version {re.escape(version())}$"),
    ("python -c 'import book; print(book.__file__)'", 0, "/venv/lib/"),
    # This builds book.db from all that ships, and not here.
    ("little-go query --moves '2,2 1,1'", 0, "Proven: Black wins"),
    ("ls; ls ../cache/little-go/*", 0, r"\Abook\.db\n\Z"),
    (f"python -c '{COUNTED}'", 0, f"^{len(shipped_files())}$"),
    ("little-go book atlas", 0, "1,037"),
    ("little-go book import proof/certificates/game-at-least-3.cert.gz --db book.db", 0, "game-at-least-3"),
    ("little-go play --black greedy --white qlearning", 0, "^1 game: "),
    ("LITTLE_GO_CPU=1 little-go play --black my_player3.py --white random", 0, "Black wins 1, White wins 0"),
    ("little-go check --sample 10 --workers 1 proof/certificates/game-at-least-3.cert.gz", 0, "^no error in 10 of "),
    ("little-go solver perft 4", 0, "303,424"),
    ("little-go review 2,2 1,2 1,1", 0, "^Turning point: ply 3"),
    ("little-go generator run --plies 8 --db small.db --workers 1 --table 256MiB", 0, "^small.db: complete"),
    ("echo version | little-go gtp", 0, f"^= {re.escape(version())}$"),
    ("little-go player build && python my_player3.py", 2, "input.txt: "),
    ("little-go explorer build", 1, "^Error: building needs a clone, which has the page's sources"),
]


def build(kind: str, source: Path, out: Path) -> Path:
    """Build a distribution with the packages that are installed here, as the index may be out of reach."""
    program = f"from setuptools import build_meta as b; b.build_{kind}({str(out)!r})"
    done = subprocess.run([sys.executable, "-c", program], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob({"sdist": "*.tar.gz", "wheel": "*.whl"}[kind])
    return built


def missing_files(source: Path) -> set[Path]:
    """Return the files of the clone that an unpacked source distribution lacks."""
    left_out = {".git", ".ci"}
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    tracked = {
        Path(name) for name in names if name and (ROOT / name).is_file() and not name.startswith(tuple(left_out))
    }
    return {name for name in tracked if not (source / name).is_file()}


def fresh_environment(home: Path, wheel: Path) -> Path:
    """Make an environment with the wheel and what requirements/run.txt names, copied from here; return its programs."""
    venv.create(home, symlinks=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    for name in re.findall(r"^([\w.-]+)==", (ROOT / "requirements/run.txt").read_text("utf-8"), re.MULTILINE):
        copy_distribution(name, site)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(home / "bin/python")]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    done = subprocess.run([*pip, "check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return home / "bin"


def copy_distribution(name: str, site: Path) -> None:
    try:
        distribution = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        # For another Python or another system.
        return
    for file in distribution.files or []:
        target = site / file
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(str(distribution.locate_file(file))), target)


def run(programs: Path, command: str, directory: Path) -> tuple[int, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LITTLE_GO"))}
    cache = str(directory.parent / "cache")
    settings = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "120", "XDG_CACHE_HOME": cache}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=kept | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


READING = f"""
import sys

class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name in {LINUX_ONLY!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

for name in {LINUX_ONLY!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Nowhere())
from little_go.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["query", "--moves", "2,2 1,1"], "Proven: Black wins"),
        (["book", "atlas"], "1,037"),
        (["solver", "value", "--help"], "Usage"),
        (["explorer", "--help"], "Usage"),
        (["player", "build", "--check"], ""),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_reading_needs_nothing_that_is_linux_only(arguments: list[str], expected: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READING, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_writing_a_store_elsewhere_is_one_line(tmp_path: Path) -> None:
    command = ["book", "import", "data/atlas.csv.gz", "--db", str(tmp_path / "new.db")]
    done = subprocess.run(
        [sys.executable, "-c", READING, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.endswith("stores are written on Linux only; here they can be read\n")
    assert done.stderr.count("\n") == 1
