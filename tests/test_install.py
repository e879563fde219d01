"""The installed project works outside the clone."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from little_go.book.files.shipped import shipped_files
from little_go.runtime.release import version
from tests.installing import Installed
from tests.shell_blocks import ROOT
from tests.test_layout import BESIDE, MAKERS, ROOMS

pytestmark = [pytest.mark.system, pytest.mark.early]


def test_what_is_built_is_whole_and_works_anywhere(tmp_path: Path, installed: Installed) -> None:
    assert missing_files(installed.source) == set()
    home = installed.programs
    elsewhere, crowded = tmp_path / "elsewhere", tmp_path / "crowded with names"
    elsewhere.mkdir()
    crowded.mkdir()
    for room in ROOMS | BESIDE:
        (crowded / f"{room}.py").write_text("raise SystemExit('a file of the current directory ran')\n")
    for command, code, expected in COMMANDS:
        # `python -c` imports from the current directory first, as it should.
        check(home, elsewhere if command.startswith("python -c") else crowded, command, code, expected)
    for command, code, hint in HINTS:
        follow(home, crowded, check(home, crowded, command, code, hint), hint)


def names_of(record: Path) -> set[str]:
    """Return the names that an installed package has in site-packages."""
    return {line.split("/")[0].split(",")[0] for line in record.read_text("utf-8").splitlines()} - {"..", "__pycache__"}


def test_the_wheel_adds_one_name(installed: Installed) -> None:
    (record,) = (installed.programs.parent / "lib").glob("python*/site-packages/little_go-*.dist-info/RECORD")
    assert names_of(record) == {"little_go", record.parent.name}
    site = record.parents[1]
    assert ROOMS - MAKERS - {"little_go"} <= {path.name for path in (site / "little_go").iterdir() if path.is_dir()}
    assert [name for name in MAKERS | BESIDE if (site / name).exists()] == []


#: A user's program, next to its own files with the old names of the packages.
BESIDE_OTHERS = """import arena, book, crew, explorer, generator, maker, notation, player, proof, runtime, solver
from little_go import START, open_book
import little_go.solver.native.kernel
assert all(module.MINE for module in (arena, book, crew, explorer, generator, maker, notation, player, proof, runtime))
assert solver.MINE
print(open_book()["2,2 1,1"].worth, START.play(12).ply, little_go.solver.native.kernel.__name__)
"""


def test_files_of_the_old_names_change_nothing(tmp_path: Path, installed: Installed) -> None:
    for room in ROOMS - {"little_go"}:
        (tmp_path / f"{room}.py").write_text("MINE = True\n")
    (tmp_path / "mine.py").write_text(BESIDE_OTHERS)
    for program in ("python mine.py", "python -c 'exec(open(\"mine.py\").read())'"):
        expected = r"^B\+0\.5 1 little_go\.solver\.native\.kernel$"
        check(installed.programs, tmp_path, f"PYTHONPATH={tmp_path} {program}", 0, expected)
    for program in ("little-go", "python -m little_go"):
        command = f"PYTHONPATH={tmp_path} {program} query '2,2 1,1'"
        check(installed.programs, tmp_path, command, 0, "Proven: Black wins")


@pytest.mark.long
def test_a_package_named_explorer_comes_and_goes(tmp_path: Path, installed: Installed) -> None:
    """django-sql-explorer has such a package."""
    files = {
        "explorer/__init__.py": "THEIRS = True\n",
        "explorer/__main__.py": "print('theirs')\n",
        "theirs-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: theirs\nVersion: 1\n",
        "theirs-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "theirs-1.dist-info/RECORD": "",
    }
    wheel = tmp_path / "theirs-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in files.items():
            file.writestr(name, text)
    python = installed.programs / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", str(python)]
    ours = "python -c 'import little_go.explorer as e; print(e.__file__)'; little-go explorer --help"
    for change, theirs in ((["install", "--no-index", str(wheel)], 0), (["uninstall", "--yes", "theirs"], 1)):
        subprocess.run([*pip, *change], check=True)
        check(
            installed.programs, tmp_path, "python -m explorer", theirs, "theirs" if theirs == 0 else "No module named"
        )
        check(installed.programs, tmp_path, ours, 0, "^  open ")


#: A user's program, with the types of the answers.
TYPED = """from little_go import Book, Known, Move, NotInBook, Position, START, open_book

def main() -> None:
    book: Book = open_book(live=1)
    known: Known = book[(2, 2), "B4"]
    value: int | None = known.value
    best: list[str] = known.best
    moves: dict[str, Move] = known.moves
    worth: str = moves["0,2"].worth + known.why("0,2")
    position: Position = START.play(12)
    try:
        book.find(position)
    except NotInBook:
        pass
    reveal_type(known.lo)
    reveal_type(book.get("2,2"))
"""


def test_a_program_with_types_is_checked_outside_the_clone(tmp_path: Path, installed: Installed) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TYPED)
    python = str(installed.programs / "python")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--python-executable", python, file.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = re.findall(r"^mine.py:\d+: (.*)$", done.stdout, re.MULTILINE)
    assert found == [
        'note: Revealed type is "int"',
        'note: Revealed type is "little_go.book.library.Known | None"',
    ], done.stdout + done.stderr


def check(home: Path, directory: Path, command: str, code: int, expected: str) -> str:
    """Return the output of a command, which must contain the expected text and end with the exit code."""
    found, output = run(home, command, directory)
    assert found == code, f"{command}: exit code {found}\n{output}"
    assert re.search(expected, output, re.MULTILINE), f"{command}: no {expected!r} in\n{output}"
    return output


def follow(home: Path, directory: Path, output: str, hint: str) -> None:
    """Run the command of a hint. A command that proves values stops after a second, and its exit code is 0 too."""
    for line in re.findall(hint, output):
        proves = line.startswith(("little-go solve", "little-go generator run"))
        found, said = run(home, f"{line} --budget 1s" if proves else line, directory)
        assert found == 0, f"{line}: exit code {found}\n{said}"


#: A program that prints the number of shipped files in the installation.
COUNTED = "from little_go.book.files.shipped import shipped_files; print(len(shipped_files()))"

#: The fields are: a command, its exit code, a part of its output.
COMMANDS = [
    ("little-go --version", 0, f"^little-go, version {re.escape(version())}$"),
    ("python -c 'import little_go.book as book; print(book.__file__)'", 0, "/venv/lib/"),
    # The command needs no database, so it builds none.
    ("little-go query --moves '2,2 1,1'", 0, "Proven: Black wins"),
    ("ls *.db; ls ../cache", 2, r"\Als: cannot access '\*\.db': .*\nls: cannot access '../cache': No such file"),
    (f"python -c '{COUNTED}'", 0, f"^{len(shipped_files())}$"),
    ("little-go book atlas", 0, "1,037"),
    ("little-go book import proof/certificates/game-at-least-3.cert.gz --db book.db", 0, "game-at-least-3"),
    ("little-go play --black greedy --white qlearning", 0, "^1 game: "),
    ("LITTLE_GO_CPU=1 little-go play --black my_player3.py --white random", 0, "Black wins 1, White wins 0"),
    ("little-go check --sample 10 --workers 1 proof/certificates/game-at-least-3.cert.gz", 0, "^no error in 10 of "),
    ("little-go import data/atlas_ply6.csv.gz --db six.db", 2, "is in little-go-data.zip of the release"),
    ("little-go solver perft 4", 0, "303,424"),
    ("little-go review 2,2 1,2 1,1", 0, "^Turning point: ply 3"),
    ("little-go generator run --plies 8 --db small.db --workers 1 --table 256MiB", 0, "^small.db: complete"),
    (
        "little-go exam random --positions 2 --html e.html && cat e.html",
        0,
        "^<h1>Exam of <bdi>random</bdi></h1>$",
    ),
    ("echo version | little-go gtp", 0, f"^= {re.escape(version())}$"),
    ("little-go player build && python my_player3.py", 2, "input.txt: "),
    ("little-go demo --out demo", 0, "^24 plies +Black wins"),
    ("little-go explorer build", 2, "^Error: building needs a clone, which has the page's sources"),
]

#: The fields are: a command, its exit code, and the command in its hint, to the end of the line.
HINTS = [
    ("little-go query --moves 2,2 --db 'my own.db'", 2, "little-go import --db 'my own.db'.*"),
    (
        "little-go generator run --db m.db --plies 12 --budget 0s --workers 1 --table 16MiB",
        0,
        "little-go generator run.*",
    ),
    ("little-go generator closure --db e.db --plies 8 --workers 1", 2, "little-go generator run --plies 8.*"),
    ("little-go status --db m.db", 0, "little-go solve --db m.db.*"),
    ("echo skip | little-go puzzle", 0, "little-go puzzle 2.*"),
    ("little-go grade random --scheme 2020 --stage 2", 2, "little-go class --help.*"),
    ("rm -f book.json; little-go doctor", 1, "cp .*book.json.*"),
    ("little-go --nope", 2, "little-go --help"),
    ("little-go book query --nope", 2, "little-go book query --help"),
]


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
