import shutil
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.arena.match.python_source import check_source
from little_go.runtime.release import shipped

#: A complete agent that plays the first empty point.
FIRST_EMPTY = """
    rows = open("input.txt").read().split()[6:]
    empty = [(i, j) for i in range(5) for j in range(5) if rows[i][j] == "0"]
    open("output.txt", "w").write("%d,%d" % empty[0])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("my_player3.py", "book.json"):
        shutil.copy(shipped(name), tmp_path)
    return tmp_path


def doctor(agent: str | Path, python: str = sys.executable, *more: str) -> tuple[int, str]:
    run = CliRunner().invoke(main, ["doctor", str(agent), "--python", python, *more])
    return run.exit_code, run.stdout


def test_a_source_that_takes_too_much_is_not_looked_at(tmp_path: Path) -> None:
    chain = "if x == 0:\n    pass\n" + "".join(f"elif x == {number}:\n    pass\n" for number in range(1000))
    for content, words in (
        (f"x = 1\n{chain}import numpy\n", "imports numpy (line 2004), a package that no course file lists"),
        ("x=1\n" * 140_000, "its source was not checked: 560,000 bytes are more than 524,288"),
        ("x = " + "-" * 100_000 + "1\n", "its source was not checked: it "),
    ):
        (tmp_path / "my_player3.py").write_text(content)
        found = [*check_source(tmp_path / "my_player3.py", tmp_path)]
        assert [words in each.words for each in found].count(True) == 1, found


def wrong(said: str) -> list[str]:
    return [line for line in said.splitlines() if line.startswith("wrong")]


@pytest.mark.system
def test_what_ships_is_right(folder: Path) -> None:
    code, said = doctor(folder)
    assert code == 0
    assert said.count("the shipped one") == 2
    assert f"as Black against greedy, with {sys.executable}: 12 moves, the first 2,2, the slowest in " in said
    assert "as White against greedy" in said
    assert not wrong(said)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("book.json", "{", "book.json"),
        ("book.json", None, "plays weaker without it: cp "),
    ],
)
def test_what_is_wrong_with_ours_is_named(folder: Path, name: str, content: str | None, complaint: str) -> None:
    path = folder / name
    path.unlink() if content is None else path.write_text(content)
    code, said = doctor(folder)
    assert code == 1
    (line,) = wrong(said)
    assert complaint in line


# A student's own agent


def own(folder: Path, source: str, name: str = "my_player3.py") -> Path:
    (folder / name).write_text(dedent(source))
    return folder


@pytest.mark.system
@pytest.mark.parametrize("form", ["directory", "file"])
def test_an_agent_of_ones_own_needs_no_book_of_ours(tmp_path: Path, form: str, python: str) -> None:
    own(tmp_path, "rows = open('input.txt').read().split()\nopen('output.txt', 'w').write('PASS')\n")
    code, said = doctor(tmp_path if form == "directory" else tmp_path / "my_player3.py", python)
    assert (code, wrong(said)) == (0, [])
    assert "an agent of your own" in said
    assert "book.json" not in said
    assert said.count("the first PASS") >= 2


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("if (x := 1): pass", "Python 3.7 cannot read it"),
        ("", "ply 1: Black wrote no move: no output.txt. The program must write its move to output.txt"),
        ("1 / 0", "ply 1: Black wrote no move: ZeroDivisionError: division by zero (my_player3.py, line 1)"),
        ("open('output.txt', 'w').write('7,7')", "ply 1: Black played 7,7, which is not on the board"),
        ("open('output.txt', 'w').write('0,0')", "played 0,0, where there is a stone already"),
        ("import numpy", "imports numpy (line 1), a package that no course file lists"),
        ("def late():\n    import click\n", "imports click (line 2), a package that no course file lists"),
        ("import tomllib", "imports tomllib (line 1), which Python 3.7 does not have"),
        ("open('/home/me/table.json')", "reads /home/me/table.json (line 1), which is not copied with the agent"),
    ],
)
def test_what_is_wrong_with_ones_own_is_named(tmp_path: Path, source: str, complaint: str) -> None:
    code, said = doctor(own(tmp_path, source))
    assert code == 1
    assert any(complaint in line for line in wrong(said)), said


@pytest.mark.system
@pytest.mark.parametrize("module", ["rules", "package"])
def test_the_modules_of_an_agent_are_looked_at_and_come_with_its_directory(tmp_path: Path, module: str) -> None:
    own(tmp_path, f"import {module}\n{dedent(FIRST_EMPTY)}")
    place = tmp_path if module == "rules" else tmp_path / "package"
    place.mkdir(exist_ok=True)
    (place / "__init__.py").touch()
    path = own(place, "import numpy\n", "rules.py") / "rules.py"
    code, said = doctor(tmp_path)
    what_to_do = "a package that no course file lists (--course FILE, under packages): add it there, or do without it"
    assert (code, wrong(said)) == (1, [f"wrong  {path}: imports numpy (line 1), {what_to_do}"])
    path.write_text("SIZE = 5\n")
    assert not [line for line in wrong(doctor(tmp_path)[1]) if "rules" in line]
    code, said = doctor(tmp_path / "my_player3.py")
    named = "rules.py" if module == "rules" else "package"
    assert f"its own modules are copied with it; upload them, too: {named}" in said
    assert not [line for line in wrong(said) if "rules" in line]


def test_what_a_file_runs_comes_along_but_no_module_of_the_standard_library_s_name(tmp_path: Path) -> None:
    own(tmp_path, "import subprocess, sys\nsubprocess.run([sys.executable, 'inner.py'])\n")
    own(tmp_path, "import outer\nopen('output.txt', 'w').write(outer.MOVE)\n", "inner.py")
    own(tmp_path, "import random\nMOVE = random.choice(['PASS'])\n", "outer.py")
    own(tmp_path, "raise SystemExit\n", "unused.py")
    code, said = doctor(tmp_path / "my_player3.py")
    assert (code, "its own modules are copied with it; upload them, too: inner.py, outer.py" in said) == (0, True)
    own(tmp_path, "def choice(moves): return moves[0]\n", "random.py")
    assert "imports random, which is not copied with it: give the directory instead" in doctor(tmp_path / "outer.py")[1]


@pytest.mark.parametrize("course", ["", "packages = []\n", "provide = []\n"])
def test_the_course_s_modules_are_known_and_the_line_is_given(tmp_path: Path, course: str) -> None:
    own(tmp_path, "from host import GO\nfrom read import readInput\nimport write\n")
    (tmp_path / "c.toml").write_text(course)
    _, said = doctor(tmp_path, sys.executable, *(("--course", str(tmp_path / "c.toml")) if course else ()))
    whose = "the course file does not provide" if "provide" in course else "are not provided"
    line = 'write provide = "course" in ' + ("it" if "provide" in course else "a course file (--course FILE), or put")
    (found,) = wrong(said)
    assert f"imports host, read and write, modules of the course that {whose}: {line}" in found
    for command in ("exam", "grade", "play --white greedy --black", "tournament greedy"):
        done = CliRunner().invoke(main, [*command.split(), str(tmp_path)])
        assert (done.exit_code, "imports host, read and write, modules of" in done.stderr) == (2, True), done.stderr


def test_the_files_of_an_agent_come_with_its_directory(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text("{}")
    passing = "open('output.txt', 'w').write('PASS')"
    own(tmp_path, f"import os\nopen(os.path.join(os.path.dirname(__file__), 'table.json')).read()\n{passing}\n")
    code, said = doctor(tmp_path)
    assert (code, "the files that it reads are copied with it: table.json" in said) == (0, True)
    code, said = doctor(tmp_path / "my_player3.py")
    assert (code, "reads table.json, which is not copied with it" in said) == (1, True)


def test_what_an_agent_does_without_is_a_note(tmp_path: Path) -> None:
    source = """
    try:
        import numpy
    except ImportError:
        numpy = None
    try:
        notes = open("notes.txt").read()
    except OSError:
        notes = ""
    open("output.txt", "w").write("PASS")
    """
    code, said = doctor(own(tmp_path, source))
    assert (code, wrong(said)) == (0, [])
    assert "plays without numpy (line 3), a package that no course file lists" in said
    assert "reads notes.txt (line 7), which is not here" in said


def test_an_agent_that_forgets_the_ko_or_the_rules_is_caught_in_a_game(tmp_path: Path) -> None:
    code, said = doctor(own(tmp_path, FIRST_EMPTY))
    assert code == 1
    assert any("ply " in line for line in wrong(said)), said


def test_answers_not_to_the_letter_are_a_note(tmp_path: Path) -> None:
    code, said = doctor(own(tmp_path, "open('output.txt', 'w').write('PASS \\n')"))
    assert (code, "it answered 'PASS \\n' where the assignment asks for i,j or PASS" in said) == (0, True)


def test_a_directory_of_several_programs_must_say_which(tmp_path: Path) -> None:
    for name in ("alice.py", "bob.py"):
        own(tmp_path, "open('output.txt', 'w').write('PASS')", name)
    run = CliRunner().invoke(main, ["doctor", str(tmp_path)])
    assert (run.exit_code, run.stderr.endswith(": name the file as DIR:FILE\n")) == (2, True)
    code, said = doctor(f"{tmp_path}:bob.py")
    assert (code, "bob.py: the assignment requires the name my_player3.py: rename it" in said) == (0, True)


@pytest.mark.system
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_an_agent_in_another_language_plays_too(tmp_path: Path) -> None:
    (tmp_path / "my_player.cpp").write_text(
        '#include <fstream>\nint main() { std::ofstream("output.txt") << "PASS"; }\n'
    )
    code, said = doctor(tmp_path)
    assert (code, wrong(said), "Python" in said) == (0, [], False)


# The terms of a course file


def test_a_student_tests_under_the_terms_of_the_course(tmp_path: Path) -> None:
    course, agent = tmp_path / "course.toml", tmp_path / "agent"
    agent.mkdir()
    (agent / "table.bin").touch()
    own(agent, "import click\nopen('output.txt', 'w').write('PASS')\n")
    course.write_text("scheme = 2025\n")
    code, said = doctor(agent, sys.executable, "--course", str(course))
    assert code == 1
    listed = "imports click (line 1), and the course file lists no packages (under packages): add it there, or do"
    assert any(listed in line for line in wrong(said)), said
    allowed = "*.py, *.java, *.cpp, *.json, *.txt"
    assert f"note   {agent}: omitted, because the course allows only {allowed}: table.bin" in said
    course.write_text('packages = ["click"]\nfiles = ["*.bin"]\n[limits]\ncpu = "7s"\n')
    code, said = doctor(agent, sys.executable, "--course", str(course))
    assert (code, wrong(said), "omitted" in said) == (0, [], False)
    assert "of 7 s of CPU" in said


# The quick exam


@pytest.mark.system
def test_it_ends_with_a_quick_exam(tmp_path: Path) -> None:
    own(tmp_path, "open('output.txt', 'w').write('PASS')\n")
    code, said = doctor(tmp_path)
    last = said.splitlines()[-1]
    assert code == 0
    assert last.startswith("note   exam: ")
    assert " of 20 questions right: " in last
    assert f"little-go exam {tmp_path} asks all" in last


@pytest.mark.system
def test_what_would_lose_a_game_at_once_is_wrong_in_the_exam_too(tmp_path: Path) -> None:
    # This agent plays a whole game by PASSes, and plays on an occupied point if the board is full.
    source = """
    rows = open("input.txt").read().split()[6:]
    stones = sum(row.count("1") + row.count("2") for row in rows)
    open("output.txt", "w").write("PASS" if stones < 16 else "0,0")
    """
    own(tmp_path, source)
    code, said = doctor(tmp_path)
    found = [line for line in wrong(said) if "exam: Question" in line]
    assert found
    assert code == 1


def test_an_agent_that_fails_its_games_is_not_examined(tmp_path: Path) -> None:
    own(tmp_path, "open('output.txt', 'w').write('9,9')\n")
    code, said = doctor(tmp_path)
    assert code == 1
    assert "exam: " not in said
