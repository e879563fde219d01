"""The tests follow the recipes of CONTRIBUTING.md in a copy of the clone, with the commands in the recipes."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from little_go.arena.course.grading import NEWEST, SCHEMES
from tests.shell_blocks import ROOT, lay_out
from tests.solver import nodes
from tests.stored_numbers import stored_numbers
from tools.derived import gradebook_columns

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

#: The position after "2,2 PASS".
PASSED = {"black": ["2,2"], "white": [], "ply": 2, "passed": True, "ko": None}

ACCEPT = "python -m tools.affected --accept"


class Clone:
    """A copy of the clone with its changes committed, and the text of a recipe."""

    def __init__(self, place: Path, recipe: str) -> None:
        lay_out(place)
        self.place = place
        self._recipe = CONTRIBUTING.partition(f"\n### {recipe}\n")[2].partition("\n### ")[0]
        assert self._recipe, recipe
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "before"]):
            who = ("-c", "user.name=a", "-c", "user.email=a@b")
            subprocess.run(["git", *who, *words], cwd=place, check=True)

    def edit(self, path: str, *changes: tuple[str, str], to: str = "") -> None:
        """Replace texts in a file, each once. to: the file for the result, or None for the same file."""
        text = (self.place / path).read_text("utf-8")
        for before, after in changes:
            assert text.count(before) == 1, f"{path}: {before}"
            text = text.replace(before, after)
        (self.place / (to or path)).write_text(text, "utf-8")

    def run(self, command: str, code: int = 0) -> str:
        """Run a command of the project and return what it prints."""
        words = [sys.executable, *shlex.split(command.removeprefix("python "))]
        environment = {**os.environ, "PYTHONPATH": str(self.place)}
        done = subprocess.run(words, cwd=self.place, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def follow(self, command: str) -> str:
        """Run a command that the recipe states."""
        assert f"`{command}`" in self._recipe
        return self.run(command)

    def affected(self) -> list[str]:
        """Return the tests that ``python -m tools.affected`` lists; all pins must agree."""
        assert "`python -m tools.affected`" in self._recipe
        (tests,) = re.findall("^python -m pytest -q (.+)", self.run("python -m tools.affected"), re.MULTILINE)
        return str(tests).split()

    def test(self, *words: str) -> None:
        """Run tests, which must pass."""
        self.run(f"python -m pytest -q -p no:cacheprovider -p no:randomly {' '.join(words)}")


@pytest.fixture
def clone(tmp_path: Path) -> Callable[[str], Clone]:
    return lambda recipe: Clone(tmp_path / "clone", recipe)


@pytest.mark.system
def test_an_agent_is_added(clone: Callable[[str], Clone]) -> None:
    copy = clone("Add an agent")
    copy.edit(
        "arena/agents/greedy.py",
        ('    "greedy",\n', '    "timid",\n'),
        ('rule="the largest capture, otherwise any legal point"', 'rule="the smallest capture"'),
        to="arena/agents/timid.py",
    )
    assert "+| timid | the smallest capture | one ply |" in copy.follow(ACCEPT)
    assert "tests/arena/agents" in copy.affected()
    assert "timid" in copy.run("python -m arena play --black timid --white random --games 2 --seed 1")
    assert "timid" in copy.run("python -m arena play --help")
    assert "tests/test_messages.py" in copy.affected()
    copy.test("tests/test_pins.py", "tests/test_derived.py", "tests/test_messages.py")
    copy.test("tests/arena/agents/test_agents.py", "-k 'timid or declares'")


@pytest.mark.system
def test_a_scheme_is_added(clone: Callable[[str], Clone]) -> None:
    copy = clone("Add a grading scheme")
    year, cpu, end = NEWEST + 1, SCHEMES[NEWEST].move_cpu + 1, "}\n\n#: The year that is used"
    full, fair = SCHEMES[NEWEST].shares.full + 1, SCHEMES[NEWEST].shares.fair + 1
    added = f"    {year}: Scheme(_SINCE_2021, repetitions=4, move_cpu={cpu}, shares=Shares({full}, {fair})),\n"
    copy.edit("arena/course/grading.py", (end, f"{added}{end}"))
    shown = copy.follow(ACCEPT)
    same = [each for each in SCHEMES if gradebook_columns(each) == gradebook_columns(2021)]
    assert f"+| | {' | '.join(map(str, [*SCHEMES, year]))} |" in shown
    assert f"+| {', '.join(map(str, [*same, year]))} | `name`, `number`, " in shown
    assert f"+| CPU, user + system, of all threads and processes | {cpu:g} s<!--limits.cpu-->" in shown
    assert f"+| {full} % or more (" in shown
    assert "tests/arena/course/test_grading.py" in copy.affected()
    copy.run("python -m arena class --new course.toml")
    assert f"winning {full} % of the games or more" in (copy.place / "course.toml").read_text("utf-8")
    assert f"[default: {cpu:g}s]" in " ".join(copy.run("python -m arena play --help").split())
    copy.test("tests/test_pins.py", "tests/test_derived.py", "tests/test_options.py", "tests/test_figures.py")
    copy.test("tests/arena/course")


@pytest.mark.long
def test_an_option_is_added(clone: Callable[[str], Clone]) -> None:
    copy = clone("Add an option")
    copy.edit(
        "maker/__main__.py",
        ("def family(", '@click.option("--slowly", is_flag=True)\ndef family(slowly: bool, '),
    )
    text = '    "--solver-nodes": OptionText('
    copy.edit("runtime/help_texts.py", (text, f'    "--slowly": OptionText(OUTPUT, "Wait after each line."),\n{text}'))
    copy.run("python -m pytest -q -p no:cacheprovider -x tests/test_options.py", code=1)
    assert "+| `--slowly` | flag | |" in copy.follow(ACCEPT)
    assert "tests/test_options.py" in copy.affected()
    copy.test("tests/test_options.py", "tests/test_pins.py")


@pytest.mark.long
def test_a_notation_is_added(clone: Callable[[str], Clone]) -> None:
    copy = clone("Add a notation")
    texts = {"m-skip": "x3y3 skips", "m-skip-log": "Player 1 move: x3y3\nPlayer 2 move: skips"}
    rows = [
        json.dumps({"id": name, "form": "moves", "input": text, "position": PASSED, "note": ""})
        for name, text in texts.items()
    ]
    pasted = copy.place / "tests/notation/pasted.jsonl"
    pasted.write_text("\n".join([*pasted.read_text("utf-8").splitlines(), *rows, ""]), "utf-8")
    copy.run("python -m pytest -q -p no:cacheprovider tests/notation/test_pasted.py -k m-skip", code=1)
    copy.edit(
        "notation/forms.toml",
        ("VERTEX = '(?:", "VERTEX = '(?:x[1-5]y[1-5]|"),
        ("SPOT = '(?:", "SPOT = '(?:x[0-9]{1,2}y[0-9]{1,2}|"),
        ("PASS = '(?:pass)'", "PASS = '(?:pass|skips)'"),
    )
    read = '    elif p.holds("y", word):\n        place = [p.number(word[3:4]) - 1, p.number(word[1:2]) - 1]\n'
    copy.edit("notation/texts.py", ("    else:\n        place =", f"{read}    else:\n        place ="))
    copy.follow("python -m tools.reading_js")
    copy.follow("python -m explorer build")
    copy.follow(ACCEPT)
    assert "skips" in (copy.place / "explorer.html").read_text("utf-8")
    assert {"tests/explorer", "tests/notation"} <= {*copy.affected()}
    copy.test("tests/notation/test_pasted.py", "tests/test_pins.py", "tests/test_derived.py")


@pytest.mark.system
def test_a_column_is_added(clone: Callable[[str], Clone]) -> None:
    copy = clone("Add a column")
    copy.edit(
        "book/answers/report.py",
        ('COLUMNS = (*SHARED_COLUMNS, "replies",', 'COLUMNS = (*SHARED_COLUMNS, "answers",'),
    )
    copy.edit("docs/reference/FIELDS.md", ("| `replies`, `holding` |", "| `answers`, `replies`, `holding` |"))
    assert "answers" in copy.follow(ACCEPT)
    assert "tests/test_fields.py" in copy.affected()
    copy.test("tests/test_pins.py", "tests/test_fields.py", "-k 'header or made or makes or csv_is'")


@pytest.mark.long
def test_the_kernel_is_changed(clone: Callable[[str], Clone]) -> None:
    """The test changes the count of a search instead of the kernel, because compiling the kernel takes long."""
    copy = clone("Change the kernel")
    copy.edit("tests/solver/nodes.py", ('"player": nodes_of_the_player', '"player": lambda: nodes_of_the_player() + 1'))
    assert f'-"player" = {stored_numbers(nodes.STORED)["player"]:_}\n' in copy.follow(ACCEPT)
    copy.test("tests/solver/test_nodes.py")
