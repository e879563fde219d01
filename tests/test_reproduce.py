"""The recipes of the shipped files: their commands and commits exist, and files are compared."""

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from lab.__main__ import main as lab
from little_go.__main__ import main as little_go
from little_go.book.files.levels import BLOCK_SHIFT, block_key, block_of, stones_of, write_part
from little_go.book.files.values import read_later
from little_go.solver.answer import LEAST
from little_go.solver.symmetry import position_of
from tools import reproduce
from tools.reproduce import ROOT, Recipe, difference, make_again, recipes, searched_again


def test_every_file_that_a_command_made_has_its_recipe() -> None:
    """The logged games have no recipe, because others have played them."""
    package = json.loads(reproduce.PACKAGE.read_text("utf-8"))
    names = {each["name"] for each in package["resources"] + package["others"]}
    assert names - {*recipes()} == {"staff-games"}
    paths = {recipe.path for recipe in recipes().values()}
    assert all((ROOT / path).is_file() for path in paths)
    certificates = {str(path.relative_to(ROOT)) for path in (ROOT / "proof/certificates").rglob("*.cert.gz")}
    assert certificates == {path for path in paths if path.startswith("proof/")}


def git(*words: str) -> str:
    """Return git's output about this clone, or ""."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def test_the_commits_are_those_that_history_has() -> None:
    """The test needs the whole history. In a shallow clone each file seems to be from its only commit, and an archive
    has no history.
    """
    if git("rev-parse", "--is-shallow-repository") == "false":
        found = {name: git("log", "-1", "--format=%H", "--", recipe.path) for name, recipe in recipes().items()}
        assert [name for name, recipe in recipes().items() if not found[name].startswith(recipe.commit)] == []


@pytest.mark.parametrize("name", recipes())
def test_a_command_has_the_options_that_it_is_given(name: str) -> None:
    for part in recipes()[name].command.split(" && "):
        words = shlex.split(part.partition(" > ")[0].format(out="out", folder="folder"))
        command: click.Command = little_go
        if words[0] == "python":
            assert words[1:3] == ["-m", "lab"]
            command, words = lab, words[2:]
        rest = words[1:]
        while isinstance(command, click.Group):
            context = click.Context(command)
            found = command.get_command(context, rest.pop(0))
            assert found is not None, part
            command = found
        command.make_parser(click.Context(command)).parse_args(list(rest))


def recipe_of(command: str, varies: tuple[str, ...] = ()) -> Recipe:
    return Recipe("data/family.csv", command, "0" * 7, varies)


def test_a_file_is_made_in_the_folder_by_the_command(tmp_path: Path) -> None:
    made = make_again(recipe_of("python -c 'print(1)' > {out} && cp {out} {folder}/copy"), tmp_path / "new")
    assert made == tmp_path / "new" / "family.csv"
    assert made.read_text() == (made.parent / "copy").read_text() == "1\n"
    with pytest.raises(subprocess.CalledProcessError):
        make_again(recipe_of("exit 3"), tmp_path)


def test_tables_are_compared_by_their_columns(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("plies,value,seconds\n2,0,0.1\n4,0,0.2\n")
    two.write_text("plies,value,seconds\n2,0,0.3\n4,1,0.4\n")
    assert difference(one, one) == ""
    assert difference(one, two, ("seconds",)) == "1 rows with another value"
    assert difference(one, two, ("seconds", "value")) == ""
    assert difference(one, two) == "1 rows with another value, 2 rows with another seconds"
    two.write_text("plies,value,seconds\n2,0,0.3\n")
    assert difference(one, two) == "2 rows instead of 1"


def test_other_files_are_compared_by_their_lines_or_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.cert.gz", tmp_path / "two.cert.gz"
    one.write_bytes(gzip.compress(b"a\nb\nc\n"))
    two.write_bytes(gzip.compress(b"a\nc\n"))
    assert difference(one, two) == "3 lines instead of 2, 2 of them the same"
    one, two = tmp_path / "one.values", tmp_path / "two.values"
    one.write_bytes(b"12")
    two.write_bytes(b"13")
    assert difference(one, two) == "2 bytes instead of 2, or others"


def test_the_program_states_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = ROOT / "data" / "family.csv"
    for command, differs in (("cp data/family.csv {out}", False), ("head -3 data/family.csv > {out}", True)):
        monkeypatch.setattr(reproduce, "recipes", lambda command=command: {"family": recipe_of(command, ("seconds",))})
        monkeypatch.setattr(sys, "argv", ["reproduce", "family", "--out", str(tmp_path)])
        if differs:
            with pytest.raises(SystemExit) as ended:
                reproduce.main()
            assert ended.value.code == 1
        else:
            reproduce.main()
        printed = capsys.readouterr().out.splitlines()
        rows = len(shipped.read_text().splitlines()) - 1
        want = f"2 rows instead of {rows}" if differs else "as the shipped file but for seconds"
        assert printed[-1] == f"{tmp_path / 'family.csv'}: {want}"


@pytest.mark.long
def test_the_values_are_made_again_to_the_byte(tmp_path: Path) -> None:
    recipe = recipes()["atlas-values"]
    assert make_again(recipe, tmp_path).read_bytes() == (ROOT / recipe.path).read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("name", ["exam", "family", "puzzles"])
def test_what_takes_minutes_is_made_again(name: str, tmp_path: Path) -> None:
    recipe = recipes()[name]
    assert difference(make_again(recipe, tmp_path), ROOT / recipe.path, recipe.varies) == ""


def test_some_values_of_a_part_are_searched_again(tmp_path: Path) -> None:
    """One of three values is falsified."""
    blocks: dict[int, dict[int, int]] = {}
    for position, value in [*read_later(ROOT / "data/ply7/001.part")][:3]:
        key = block_key(position)
        blocks.setdefault(block_of(key), {})[stones_of(key)] = value - LEAST
    part = tmp_path / "001.part"
    write_part(part, 24, 7, blocks)
    assert searched_again(part, 10, 1) == []
    block, values = next(iter(blocks.items()))
    stones = next(iter(values))
    values[stones] += 1
    write_part(part, 24, 7, blocks | {block: values})
    [wrong] = searched_again(part, 10, 1)
    forged = position_of(block << BLOCK_SHIFT | stones)
    assert wrong == f"{forged}: {values[stones] + LEAST:+d}, and again {values[stones] + LEAST - 1:+d}"


def test_a_sample_is_one_of_a_part() -> None:
    command = [sys.executable, "-m", "tools.reproduce", "family", "--sample", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("--sample goes with a part, such as ply7-1, not with family\n")
