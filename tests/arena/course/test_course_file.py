"""The course file: the file that ``class --new`` writes, the effect of its keys, and refusals of one line each."""

import re
import sys
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.arena.__main__ import main
from little_go.arena.course.course_file import Course, course_of, course_text, read_course
from little_go.arena.course.grading import SCHEMES, Opponent, Round, Shares
from little_go.arena.match.provided import MOST_PROVIDED, ProvidedFile, course_modules
from little_go.runtime.errors import BadUsage

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read(folder: Path, content: str, year: int | None = None) -> Course:
    path = folder / "course.toml"
    path.write_text(content, "utf-8")
    return read_course(path, year)


@pytest.mark.parametrize("year", SCHEMES)
def test_a_new_file_has_the_terms_of_its_year(tmp_path: Path, year: int) -> None:
    path = tmp_path / "course.toml"
    done = CliRunner().invoke(main, ["class", "--new", str(path), "--scheme", str(year)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-1] == f"wrote {path}: edit it, and give it as --course {path}"
    assert read_course(path) == course_of(year)._replace(packages=(), provide=course_modules())
    again = CliRunner().invoke(main, ["class", "--new", str(path)])
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_a_new_file_has_every_key() -> None:
    """The due date is an exception, because it has no default."""
    keys = {"scheme", "packages", "files", "provide", "late_penalty", "repetitions", "assignment", "limits"}
    keys |= {"stage1", "stage2"}
    content = tomllib.loads(course_text(2025))
    assert content.keys() == keys
    assert content["stage1"].keys() == {"games", "cpu", "submit_games", "submit_cpu", "opponents"}
    assert "# due = 2025-10-25T23:59:00-07:00" in course_text(2025).splitlines()


def test_a_course_provides_ours_or_its_own_files_or_none(tmp_path: Path) -> None:
    assert read(tmp_path, "scheme = 2025").provide is None
    assert read(tmp_path, "provide = []").provide == ()
    assert read(tmp_path, 'provide = "course"').provide == course_modules()
    (tmp_path / "host.py").write_text("# ours\n")
    assert read(tmp_path, 'provide = ["host.py"]').provide == (ProvidedFile("host.py", b"# ours\n"),)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"ours"', "provide is 'ours': give \"course\", or a list of files next to this one"),
        ('["../host.py"]', "provide is ['../host.py']: give"),
        ('["my_player3.py"]', "provide has 'my_player3.py': that is the name of a student's program"),
        ('["read.py"]', "provide: read.py cannot be read: No such file or directory: put it next to this file"),
        ('["large.py"]', "provide: large.py cannot be read: "),
        ('["a.py", "b.py"]', "provide: b.py cannot be read: "),
    ],
)
def test_what_cannot_be_provided_is_refused_in_one_line(tmp_path: Path, value: str, words: str) -> None:
    for name, size in (("large.py", MOST_PROVIDED + 1), ("a.py", MOST_PROVIDED), ("b.py", 1)):
        (tmp_path / name).write_bytes(b"#" * size)
    with pytest.raises(BadUsage) as caught:
        read(tmp_path, f"provide = {value}")
    assert words in str(caught.value)


def test_a_file_without_a_scheme_is_of_the_newest_year(tmp_path: Path) -> None:
    assert read(tmp_path, "repetitions = 2").year == max(SCHEMES)


def test_keys_change_what_they_name_alone(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """
        scheme = 2023
        packages = ["numpy", "numpy", "_x"]
        files = ["*.bin"]
        due = 2023-10-25T23:59:00-07:00
        late_penalty = 12.5
        repetitions = 2
        [limits]
        cpu = 4
        memory = "512MiB"
        [stage1]
        games = 4
        cpu = "none"
        submit_cpu = "5m"
        [stage1.opponents]
        greedy = { full = 30 }
        random = { full = 10, fair = 5, poor = 2, reserved = true }
        """,
    )
    assert (found.year, found.packages, found.files) == (2023, ("numpy", "_x"), ("*.bin",))
    assert found.due == datetime.fromisoformat("2023-10-25T23:59:00-07:00")
    assert (found.late_penalty, found.memory, found.scheme.move_cpu, found.scheme.repetitions) == (12.5, 512, 4.0, 2)
    first = found.scheme.stages[1]
    assert first.opponents == (Opponent("greedy", 30, 30, 0), Opponent("random", 10, 5, 2, reserved=True))
    assert (first.real, first.submit) == (Round(4, None), Round(20, 300.0))
    assert found.scheme.stages[2] == SCHEMES[2023].stages[2]
    assert read(tmp_path, "scheme = 2023", 2021).year == 2021


def test_all_texts_and_points_have_the_shares_of_the_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A course file cannot change the shares, so its own opponents have the shares of its year, too."""
    monkeypatch.setitem(SCHEMES, 2025, SCHEMES[2025]._replace(shares=Shares(97, 53)))
    assert set(re.findall(r"\d+ %", course_text(2025))) == {"97 %", "53 %"}
    other = "scheme = 2025\n[stage1.opponents]\ngreedy = {{ {} }}"
    assert read(tmp_path, other.format("full = 1")).scheme.shares == (97, 53)
    with pytest.raises(BadUsage, match=r"greedy\.full is missing: give the points for 97 % of the games$"):
        read(tmp_path, other.format("fair = 1"))


REFUSED = {
    "nosuch = 1": "no key 'nosuch': there are scheme, ",
    "scheme = 2022": "scheme is 2022: give 2020, 2021, 2023, 2025",
    "scheme = true": "scheme is True: give 2020",
    'scheme = "2025"': "scheme is '2025': give 2020",
    'packages = "numpy"': "packages is 'numpy': give a list of names",
    "packages = [1]": "packages is [1]: give a list of names",
    'packages = ["opencv-python"]': "packages is ['opencv-python']: give a list of names",
    'files = [""]': "files is ['']: give a list of patterns",
    "due = 2025-10-25T23:59:00": "due is 2025-10-25T23:59:00: give a time with its zone",
    "due = 2025-10-25": "due is 2025-10-25: give a time with its zone",
    'due = "soon"': "due is 'soon': give a time with its zone",
    "late_penalty = 101": "late_penalty is 101: give per cent, 0 to 100",
    "late_penalty = true": "late_penalty is True: give per cent",
    "late_penalty = nan": "late_penalty is nan: give per cent",
    "repetitions = 0": "repetitions is 0: give a whole number, 1 to 100",
    "limits = 3": "limits is 3: give a table, [limits]",
    "[limits]\ncpu = 0": "limits.cpu is 0: give a time",
    '[limits]\ncpu = "none"': "limits.cpu is 'none': give a time",
    "[limits]\ncpu = inf": "limits.cpu is inf: give a time",
    "[limits]\nmemory = 512": "limits.memory is 512: give a size",
    '[limits]\nmemory = "1MiB"': "limits.memory is '1MiB': give a size",
    "[limits]\nwall = 3": "no key 'limits.wall': there are cpu, memory",
    "[stage1]\ngames = 3": "stage1.games is 3: give an even number",
    "[stage1]\ngames = 0": "stage1.games is 0: give a whole number, 2 to 1000",
    "[stage2]\nsubmit_games = 2.0": "stage2.submit_games is 2.0: give a whole number",
    '[stage1]\ncpu = "3 h"': 'stage1.cpu is \'3 h\': give a time such as "10s" or "2h", or "none"',
    "[stage3]": "no key 'stage3'",
    "scheme = 2020\n[stage2]": "stage2: the text of 2020 has no such stage",
    "[stage1.opponents]": "stage1.opponents contains no opponent: add one",
    "[stage1.opponents]\nhuman = { full = 1 }": "no opponent 'stage1.opponents.human': there are aggressive, ",
    "[stage1.opponents]\ngreedy = 25": "stage1.opponents.greedy is 25: give a table",
    "[stage1.opponents]\ngreedy = { fair = 2 }": "stage1.opponents.greedy.full is missing",
    "[stage1.opponents]\ngreedy = { full = -1 }": "stage1.opponents.greedy.full is -1: give a whole number",
    "[stage1.opponents]\ngreedy = { full = 1, reserved = 1 }": "stage1.opponents.greedy.reserved is 1: give true",
    "[stage1.opponents]\ngreedy = { full = 1, x = 1 }": "no key 'stage1.opponents.greedy.x': there are full",
    "[stage2.opponents]\ngreedy = { full = 1 }": "stage2.opponents: greedy is in stage1.opponents, too",
    "scheme = ": "not TOML: ",
    "scheme = 2025\nscheme = 2025": "not TOML: ",
    "": "the course file contains no key: write a new one by little-go class --new FILE",
    "# scheme = 2025\n": "the course file contains no key: write a new one by little-go class --new FILE",
}


@pytest.mark.parametrize("content", REFUSED)
def test_what_cannot_be_used_is_one_line_with_key_and_file(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadUsage) as refused:
        read(tmp_path, content)
    (line,) = str(refused.value).splitlines()
    assert line.startswith(f"{tmp_path / 'course.toml'}: {REFUSED[content]}"), line


def test_what_is_no_text_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "course.toml"
    for content in (b"\xff", b"\0", b"x" * (2 << 20)):
        path.write_bytes(content)
        done = CliRunner().invoke(main, ["grade", "greedy", "--course", str(path)])
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: {path}: ")
        assert len(done.stderr.splitlines()) == 1
    assert CliRunner().invoke(main, ["grade", "greedy", "--course", str(tmp_path / "none")]).exit_code == 2


def test_grade_counts_by_the_course(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(
        "scheme = 2020\n[stage1]\ngames = 2\n[stage1.opponents]\nrandom = { full = 40 }\n"
    )
    words = ["grade", "aggressive", "--course", str(tmp_path / "course.toml")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == "points: 40 of 40"
    assert "of 4" in CliRunner().invoke(main, [*words, "--scheme", "2021", "--stage", "1"]).stdout


def test_a_new_course_file_needs_no_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command runs no program, so it writes the file without bubblewrap and without a note about a sandbox."""
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(main, ["class", "--new", str(tmp_path / "course.toml")])
    assert (done.exit_code, "sandbox" in done.stderr) == (0, False)
    assert "no sandbox here" in CliRunner().invoke(main, ["class", str(tmp_path), "--check"]).stderr
