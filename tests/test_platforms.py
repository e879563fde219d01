"""What people do with Little-Go on Linux, and on macOS and Windows as far as taking away what they lack can show it.

``python -m tests.test_platforms`` writes the table of docs/guides/INSTALL.md.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.shell_blocks import ROOT

INSTALL = ROOT / "docs" / "guides" / "INSTALL.md"

#: The systems, as sys.platform has them there, with their names for people.
SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}


class Job(NamedTuple):
    """What somebody does.

    words: after ``little-go``. expected: in its output. typed: on standard input. on: the systems where it is done.
    needs: the program without which it is not tried.
    """

    name: str
    words: str
    expected: str
    typed: str = ""
    on: tuple[str, ...] = tuple(SYSTEMS)
    needs: str = ""


LINUX = ("linux",)
GREEDY = "--white greedy"

#: DB is a store with the shipped data, NEW none yet; the others are files of the fixture ``place``.
JOBS = [
    Job("build a database", "import data/atlas.csv.gz --db NEW", "13,532 of them new"),
    Job("ask what is stored", "query --db DB --moves '2,2 1,1'", "Proven: Black wins"),
    Job("ask what needs a search", "query --moves '2,2 1,1 1,2 2,1 3,1 3,2 2,3 1,3 0,2'", "kernel"),
    Job("ask why a move is wrong", "query --why 1,1 --moves 2,2", "1,1"),
    Job("see what a database has", "status --db DB", "Next"),
    Job("check a database", "proof fsck --db SMALL", "no faults"),
    Job("solve a short game, two threads", "solve --plies 8 --workers 2 --db NEW", "complete"),
    Job("check a certificate, two processes", "check --sample 5 --workers 2 game-at-least-3", "no error in 5"),
    Job("count positions (perft)", "solver perft 3", "13,800"),
    Job("compare the page with the code", "explorer build --check", ""),
    Job("play against an agent", "play --black human --white greedy", "left as it stands", "2,2\nquit\n"),
    Job("let a Python agent play", "play --black my_player3.py --white greedy", "Black wins 1"),
    Job("let a C++ agent play", "play --black 'CPP' --white greedy", "1 game", needs="g++"),
    Job("let a Java agent play", "play --black 'JAVA' --white greedy", "1 game", needs="javac"),
    Job("end an agent that hangs", f"play --black 'HANGS' {GREEDY} --cpu 0.3s --wall 100s", "timeout 1"),
    Job("play a tournament, two processes", "tournament greedy aggressive --games 2 --workers 2", "wins"),
    Job("grade an agent", "grade --agent greedy --scheme 2020 --games 2", "points"),
    Job("ask an agent positions, two processes", "exam greedy --positions 24 --workers 2", "of 24"),
    Job("grade a class", "class CLASS --scheme 2020 --games 1 --out OUT", "gradebook.csv"),
    Job("check an agent before the upload", "doctor my_player3.py", "right  as White"),
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


def run(system: str, words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run little-go as on a system; words: as for a shell."""
    started = ["tests/imitation.py", system] if system != "linux" else ["-m", "little_go"]
    return subprocess.run(
        [sys.executable, *started, *shlex.split(words)],
        input=typed,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    """Name a system, as sys.platform does there."""
    return str(request.param)


@pytest.fixture(scope="module")
def place(system: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a blank in its name: a game that was played as on the system, and agents' files."""
    place = tmp_path_factory.mktemp("my files")
    for name, source in (("my_player.cpp", CPP), ("my_player.java", JAVA), ("hangs.py", "while True: pass\n")):
        # As an editor on Windows writes it.
        (place / name).write_bytes(source.replace("\n", "\r\n").encode())
    for name in ("ada", "bob"):
        (place / "class" / name).mkdir(parents=True)
        (place / "class" / name / "my_player.py").write_text('open("output.txt", "w").write("PASS")')
    assert run(system, f"solve --plies 8 --db '{place}/small.db'").returncode == 0
    made = run(system, f"play --black greedy --white random --jsonl '{place}/games.jsonl'")
    assert made.returncode == 0, made.stderr
    return place


@pytest.mark.system
@pytest.mark.parametrize("job", JOBS, ids=[job.name for job in JOBS])
def test_a_job_is_done(system: str, place: Path, shipped_store: Path, tmp_path: Path, job: Job) -> None:
    if job.needs and not shutil.which(job.needs):
        pytest.skip(f"no {job.needs} here")
    names = {
        "DB": shipped_store,
        "NEW": tmp_path / "new.db",
        "GAMES": place / "games.jsonl",
        "SMALL": place / "small.db",
    }
    names |= {"CLASS": place / "class", "OUT": tmp_path / "graded"}
    names |= {"CPP": place / "my_player.cpp", "JAVA": place / "my_player.java", "HANGS": place / "hangs.py"}
    words = job.words
    for name, path in names.items():
        words = re.sub(rf"'?\b{name}\b'?", f"'{path}'", words)
    done = run(system, words, job.typed)
    assert "Traceback" not in done.stderr
    if system not in job.on:
        assert done.returncode != 0
        assert len(done.stderr.splitlines()) <= 2, done.stderr
        assert "Linux" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert re.search(job.expected, done.stdout + done.stderr)


def table() -> str:
    """Return the jobs by system, as docs/guides/INSTALL.md shows them."""
    rows = [
        f"| {job.name} | {' | '.join('needs Linux' if system not in job.on else how for system, how in HOW.items())} |"
        for job in JOBS
    ]
    return "\n".join([f"| job | {' | '.join(SYSTEMS.values())} |", "|---|---|---|---|", *rows, ""])


HOW = {"linux": "runs here", "darwin": "imitated", "win32": "imitated"}

BEGIN, END = "<!-- jobs, by python -m tests.test_platforms -->\n", "<!-- end of jobs -->\n"


def shown(text: str) -> str:
    """Return docs/guides/INSTALL.md with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def test_the_table_of_jobs_is_that_of_the_tests() -> None:
    text = INSTALL.read_text("utf-8")
    assert text == shown(text)


if __name__ == "__main__":
    INSTALL.write_text(shown(INSTALL.read_text("utf-8")), "utf-8")
