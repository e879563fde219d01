"""The jobs of users on Linux, and on imitations of macOS and Windows.

``python -m tests.test_platforms`` writes the list in docs/guides/INSTALL.md.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.installing import Installed
from tests.shell_blocks import ROOT

INSTALL = ROOT / "docs" / "guides" / "INSTALL.md"

#: The systems, by their value of sys.platform.
SYSTEMS = ("linux", "darwin", "win32")


class Job(NamedTuple):
    """A job of a user.

    words: the words after ``little-go``. expected: a part of the output. typed: the standard input. on: the systems on
    which the job is done. needs: the program without which the test is skipped. installed: whether an installed wheel
    is used instead of the clone.
    """

    name: str
    words: str
    expected: str
    typed: str = ""
    on: tuple[str, ...] = SYSTEMS
    needs: str = ""
    installed: bool = False


LINUX = ("linux",)
CLOSURE = "--plies 14 --colour white --left 13 --workers 2 --table 16MiB"
GREEDY = "--white greedy"

#: DB is a store with the shipped data, and SOLVED is a folder with a copy of it as book.db. NEW and OUT do not exist
#: yet. The other names are files of the fixture ``place``.
JOBS = [
    Job("build a database", "import data/atlas.csv.gz --db NEW", "13,532 of them new"),
    Job("ask what is stored", "query --db DB --moves '2,2 1,1'", "Proven: Black wins"),
    Job("ask what needs a search", "query --moves '2,2 1,1 1,2 2,1 3,1 3,2 2,3 1,3 0,2'", "kernel"),
    Job("ask why a move is wrong", "query --why 1,1 --moves 2,2", "1,1"),
    Job("see what a database has", "status --db DB", "Next"),
    Job("check a database", "proof fsck --db SMALL", "no faults"),
    Job("solve a short game, two threads", "solve --plies 8 --workers 2 --db NEW", "complete", installed=True),
    Job("work out the first plies", "generator atlas --plies 8 --depth 2 --workers 2 --db NEW", "complete"),
    Job("choose our moves, two processes", f"generator closure --db SMALL {CLOSURE}", "complete"),
    Job("make a game, two processes", "make --plies 8 --komi 0.5 --workers 2 --out OUT", "White wins", installed=True),
    Job("see a demo of it all", "demo --out SOLVED", "Black wins 1(.|\n)*White wins 1"),
    Job("check lines of a certificate", "check --sample 5 game-at-least-3", "no error in 5"),
    Job("count positions (perft)", "solver perft 3", "13,800"),
    Job("compare the page with the code", "explorer build --check", ""),
    Job("play against an agent", "play --black human --white greedy", "left as it stands", "2,2\nquit\n"),
    Job("let a Python agent play", "play --black my_player3.py --white greedy", "Black wins 1"),
    Job("let a C++ agent play", "play --black 'CPP' --white greedy", "1 game", needs="g++"),
    Job("let a Java agent play", "play --black 'JAVA' --white greedy", "1 game", needs="javac"),
    Job("end an agent that hangs", f"play --black 'HANGS' {GREEDY} --cpu 0.3s --wall 100s", "timeout 1"),
    Job(
        "play a tournament, two processes",
        "tournament greedy aggressive --games 2 --workers 2",
        "wins",
        installed=True,
    ),
    Job("grade an agent", "grade greedy --scheme 2020 --games 2", "points"),
    Job("ask an agent positions, two processes", "exam greedy --positions 24 --workers 2", "of 24"),
    Job("grade a class", "class CLASS --scheme 2020 --games 1 --out OUT", "gradebook.csv"),
    Job("check an agent before the upload", "doctor PASSES", "right  as White"),
    Job("review a game", "review GAMES", "Mistakes: Black [0-9]+"),
    Job("solve a puzzle", "puzzle", "", "hint\nquit\n"),
    Job("be an engine for Sabaki", "gtp", "= E5|= [A-E][1-5]", "boardsize 5\nclear_board\ngenmove b\nquit\n"),
    Job("play against a Go engine", f"play --black 'gtp:gnugo --mode gtp' {GREEDY}", "1 game", on=LINUX, needs="gnugo"),
    Job("run agents in a sandbox", f"play --sandbox --black my_player3.py {GREEDY}", "1 game", on=LINUX, needs="bwrap"),
]

CPP = """#include <fstream>
int main() { std::ofstream("output.txt") << "PASS"; }
"""

JAVA = """import java.io.FileWriter;
class my_player {
    public static void main(String[] words) throws Exception {
        try (FileWriter file = new FileWriter("output.txt")) { file.write("PASS"); }
    }
}
"""


def run(
    system: str, words: str, typed: str = "", python: str = sys.executable, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run little-go as on a system. words: the words for a shell. python: the Python in which it is installed."""
    begun = [python, "tests/imitation.py", system] if system != "linux" else [str(Path(python).with_name("little-go"))]
    return subprocess.run(
        [*begun, *shlex.split(words)],
        input=typed,
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


#: On Linux the documents and other tests do the jobs, so here only the jobs that need Linux are done.
DONE = [(system, job) for system in SYSTEMS for job in JOBS if system != "linux" or job.on == LINUX]


def marks_of(system: str, job: Job) -> list[pytest.MarkDecorator]:
    """Return the marks of a job: for each change it is done on one of macOS and Windows, and in the long tests on the
    other.
    """
    return [pytest.mark.long] if system == SYSTEMS[1 + JOBS.index(job) % 2] else []


@pytest.fixture(scope="module")
def system(request: pytest.FixtureRequest) -> str:
    """Return the name of a system by its value of sys.platform."""
    return str(request.param)


@pytest.fixture(scope="module")
def place(system: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a blank in its name, a game that was played as on the system, and files of agents."""
    place = tmp_path_factory.mktemp("my files")
    for name, source in (("my_player.cpp", CPP), ("my_player.java", JAVA), ("hangs.py", "while True: pass\n")):
        # The file is like one from an editor on Windows.
        (place / name).write_bytes(source.replace("\n", "\r\n").encode())
    # The student's program loses by its second move, because reviews of long games take minutes.
    for folder, move in (("class/ada", "2,2"), ("passes", "PASS")):
        (place / folder).mkdir(parents=True)
        (place / folder / "my_player.py").write_text(f'open("output.txt", "w").write("{move}")')
    assert run(system, f"generator run --plies 14 --db '{place}/small.db'").returncode == 0
    made = run(system, f"play --black greedy --white random --jsonl '{place}/games.jsonl'")
    assert made.returncode == 0, made.stderr
    return place


@pytest.mark.early
@pytest.mark.system
@pytest.mark.parametrize(
    ("system", "job"),
    [pytest.param(*each, marks=marks_of(*each), id=f"{each[0]}-{each[1].name}") for each in DONE],
    indirect=["system"],
)
def test_a_job_is_done(
    system: str, place: Path, shipped_store: Path, tmp_path: Path, installed: Installed, job: Job
) -> None:
    if job.needs and not shutil.which(job.needs):
        pytest.skip(f"no {job.needs} here")
    if "SOLVED" in job.words:
        (tmp_path / "solved").mkdir()
        shutil.copy(shipped_store, tmp_path / "solved" / "book.db")
    names = {
        "DB": shipped_store,
        "NEW": tmp_path / "new.db",
        "GAMES": place / "games.jsonl",
        "SMALL": place / "small.db",
    }
    names |= {"CLASS": place / "class", "OUT": tmp_path / "made", "SOLVED": tmp_path / "solved"}
    names |= {"CPP": place / "my_player.cpp", "JAVA": place / "my_player.java", "HANGS": place / "hangs.py"}
    names["PASSES"] = place / "passes" / "my_player.py"
    words = job.words
    for name, path in names.items():
        words = re.sub(rf"'?\b{name}\b'?", f"'{path}'", words)
    done = run(system, words, job.typed, str(installed.programs / "python") if job.installed else sys.executable)
    assert "Traceback" not in done.stderr
    if system not in job.on:
        assert done.returncode != 0
        assert len(done.stderr.splitlines()) <= 2, done.stderr
        assert "Linux" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert re.search(job.expected, done.stdout + done.stderr)


@pytest.mark.system
@pytest.mark.parametrize("other", SYSTEMS[1:])
def test_workers_and_commands_of_a_command_are_imitated_too(other: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOTE_THE_END)
    seen = tmp_path / "seen"
    # The first command of the demo refuses the option.
    (tmp_path / "book.db").write_text("no database")
    for words in ("tournament greedy random --games 9 --workers 2", f"demo --out '{tmp_path}'"):
        run(other, words, PYTHONPATH=str(tmp_path), SEEN=str(seen))
    lines = seen.read_text().splitlines()
    # These are two commands, a command that the second one calls, and workers. A second worker is spawned only while
    # the first is busy.
    assert lines.count(f"{other} False spawn") == 3
    assert len(lines) - 3 == lines.count(f"{other} True spawn") > 0


#: For each Python that ends: its sys.platform, whether it was a worker, and its start method.
NOTE_THE_END = """
import atexit, multiprocessing, os, sys
def note():
    if "resource_tracker" not in str(sys.orig_argv):
        words = sys.platform, "--multiprocessing-fork" in sys.orig_argv, multiprocessing.get_start_method(True)
        with os.fdopen(os.open(os.environ["SEEN"], os.O_WRONLY | os.O_APPEND | os.O_CREAT), "w") as file:
            print(*words, file=file)
atexit.register(note)
"""


def test_one_job_in_ten_is_done_by_an_installed_wheel() -> None:
    assert 10 * sum(job.installed for job in JOBS) >= len(JOBS)


def jobs() -> str:
    """Return the list in docs/guides/INSTALL.md: the number of jobs, and the jobs that need Linux."""
    rest = [job.name for job in JOBS if job.on == LINUX]
    return "\n".join([f"Of {len(JOBS)} jobs, {len(rest)} need Linux:", "", *(f"- {name}" for name in rest), ""])


BEGIN, END = "<!-- jobs, by python -m tests.test_platforms -->\n", "<!-- end of jobs -->\n"


def shown(text: str) -> str:
    """Return docs/guides/INSTALL.md with the current list."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{jobs()}\n{END}{rest.partition(END)[2]}"


def test_the_list_of_jobs_is_that_of_the_tests() -> None:
    text = INSTALL.read_text("utf-8")
    assert text == shown(text)


if __name__ == "__main__":
    INSTALL.write_text(shown(INSTALL.read_text("utf-8")), "utf-8")
