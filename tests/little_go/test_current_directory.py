"""A student's files in the current directory are never run, even if they have the names of our packages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layout import BESIDE, MAKERS, ROOMS

LITTLE_GO = str(Path(sys.executable).with_name("little-go"))

#: A program that must not run, which writes a file if it does, and an agent in the same folder.
OURS_NOT = "open('ran', 'a').write(__name__ + ' ')\nraise SystemExit('a file of the current directory ran')\n"
STUDENT = "import solver_of_mine\nopen('output.txt', 'w').write(solver_of_mine.MOVE)\n"

#: Commands of every package, including commands that start workers, agents and the player.
COMMANDS = {
    "arena": [
        "arena tournament greedy random mine=student --games 1 --workers 2",
        "arena play --black greedy --white my_player3.py",
    ],
    "book": ["book query --moves 2,2 --only atlas", "book atlas"],
    "explorer": ["explorer build --check"],
    "generator": [
        "generator run --db my.db --plies 14 --workers 2 --table 16MiB",
        "generator closure --db my.db --plies 14 --colour white --left 13 --workers 2 --table 16MiB",
        "generator status --db my.db",
    ],
    "player": ["player build --check"],
    "maker": ["maker family --plies 4 --workers 1", "maker make --plies 2 --out two --workers 1 --table 16MiB"],
    "proof": ["proof check game-at-least-3 --sample 10 --workers 2", "proof fsck --db my.db"],
    "solver": ["solver perft 3"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for room in sorted(ROOMS | BESIDE):
        (tmp_path / f"{room}.py").write_text(OURS_NOT)
    (tmp_path / "student").mkdir()
    (tmp_path / "student" / "my_player3.py").write_text(STUDENT)
    (tmp_path / "student" / "solver_of_mine.py").write_text("MOVE = 'PASS'\n")
    return tmp_path


def run(folder: Path, *command: str, **environment: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    settings = {"LITTLE_GO_CPU": "0.5"} | environment
    done = subprocess.run(command, cwd=folder, env=kept | settings, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (folder / "ran").exists(), (folder / "ran").read_text()


def test_every_room_with_commands_is_tried() -> None:
    assert COMMANDS.keys() == ROOMS - MAKERS - {"little_go", "notation", "crew", "runtime"}


def test_little_go_runs_no_file_of_the_current_directory(folder: Path) -> None:
    run(folder, LITTLE_GO, *["tournament", "greedy", "mine=student", "--games", "1", "--workers", "2"])


@pytest.mark.system
@pytest.mark.parametrize(
    # tests/test_install.py runs commands of these two packages next to such files for each change.
    "room",
    [pytest.param(room, marks=[pytest.mark.long] * (room in ("generator", "proof"))) for room in COMMANDS],
)
def test_little_go_runs_none_of_them(folder: Path, room: str) -> None:
    for command in COMMANDS[room] if room != "proof" else [*COMMANDS["generator"][:1], *COMMANDS[room]]:
        run(folder, LITTLE_GO, *command.split())


@pytest.mark.parametrize("path", ["", ":", "FOLDER"])
@pytest.mark.parametrize("called", [[LITTLE_GO], [sys.executable, "-m", "little_go"]], ids=["little-go", "python -m"])
def test_with_the_directory_on_python_s_path_none_runs_either(folder: Path, called: list[str], path: str) -> None:
    # Python would import a file little_go.py instead of our package.
    (folder / "little_go.py").unlink()
    path = path.replace("FOLDER", str(folder))
    run(folder, *called, "query", "--moves", "2,2", "--only", "book", PYTHONPATH=path)
    run(folder, *called, "tournament", "greedy", "mine=student", "--games", "1", "--workers", "2", PYTHONPATH=path)


def test_a_program_has_its_own_modules_and_ours(folder: Path) -> None:
    names = sorted(ROOMS - {"little_go"})
    (folder / "little_go.py").unlink()
    for name in names:
        (folder / f"{name}.py").write_text("MINE = True\n")
    (folder / "mine.py").write_text(
        f"import {', '.join(names)}\n"
        f"assert all(module.MINE for module in ({', '.join(names)}))\n"
        "from little_go import open_book\n"
        "from little_go.solver import native\n"
        "known = open_book()['2,2 1,1']\n"
        "assert (known.worth, known.best[0]) == ('B+0.5', '1,2')\n"
        "assert native.__name__ == 'little_go.solver.native'\n"
    )
    run(folder, sys.executable, "mine.py")


@pytest.mark.system
@pytest.mark.skipif(sys.version_info < (3, 11), reason="before 3.11 Python imports its own modules from there")
def test_a_spawned_worker_runs_none_of_them_nor_of_names_of_python_s_own(folder: Path) -> None:
    for name in ("pickle", "socket", "signal"):
        (folder / f"{name}.py").write_text(OURS_NOT)
    run(
        folder,
        LITTLE_GO,
        *["tournament", "greedy", "random", "--games", "1", "--workers", "2"],
        LITTLE_GO_START="spawn",
    )


def test_an_agent_of_ours_called_by_its_module_runs_none(folder: Path) -> None:
    (folder / "input.txt").write_text("1\n" + "00000\n" * 10)
    run(folder, sys.executable, "-I", "-m", "little_go.arena.agents.greedy")
    assert (folder / "output.txt").is_file()
