"""The documents agree with the commands and with the game."""

import re
from pathlib import Path

import click
import pytest

from little_go.__main__ import PACKAGES, group_of
from little_go.book.files.shipped import MAIN_LINE, MAIN_VALUE
from little_go.runtime.hints import called_by_users
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, START, parse_moves, play_all

ROOT = Path(__file__).parents[1]
ROOMS: dict[str, click.Group] = {room: group_of(room) for room in PACKAGES}
#: The documents for users, without the decisions and the changelog.
USERS = [
    path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    if path.name != "DECISIONS.md"
]
COMMANDS = [(room, name) for room, group in ROOMS.items() for name in group.commands]


@pytest.mark.parametrize(("room", "name"), COMMANDS)
def test_every_command_is_in_a_document_for_users(room: str, name: str) -> None:
    called = re.compile(rf"{called_by_users(room, name)}\b|python -m {room} {name}\b")
    assert any(called.search(text) for text in USERS)


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 180


def test_the_readme_leads_to_every_document() -> None:
    linked = set(re.findall(r"\]\((docs/[\w/]+\.md)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert linked == {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}


@pytest.mark.parametrize(("room", "name"), COMMANDS)
def test_every_command_and_option_has_help(room: str, name: str) -> None:
    command = ROOMS[room].commands[name]
    assert command.help
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help, f"{name} {parameter.name}"


def test_the_principal_variation_takes_the_least_of_all_best_moves() -> None:
    text = (ROOT / "docs" / "explanation" / "SOLUTION.md").read_text(encoding="utf-8")
    shown = re.search(r"```\n(2,2 .*?)\n\n", text, re.DOTALL)
    assert shown
    line = parse_moves(shown.group(1))
    assert tuple(line) == MAIN_LINE
    assert len(line) == GAME_PLIES
    end = play_all(START, line)
    assert end.black.bit_count() - end.white.bit_count() == MAIN_VALUE
    kernel = Kernel(open_table(64))
    # Earlier plies take minutes, and `generator solve` tests them.
    for ply in range(9, GAME_PLIES):
        position = play_all(START, line[:ply])
        assert kernel.value(position).value == MAIN_VALUE
        best = (
            move for move in sorted(position.legal_moves()) if kernel.value(position.play(move)).value == MAIN_VALUE
        )
        assert next(best) == line[ply]


@pytest.mark.parametrize(("option", "words"), [("--sandbox", "run and compile"), ("--strict", "an answer that is")])
def test_the_host_s_page_lists_the_commands_with_an_option(option: str, words: str) -> None:
    text = " ".join((ROOT / "docs" / "reference" / "HOST.md").read_text(encoding="utf-8").split())
    found = re.search(rf"(?:With|with) `{option}`, (?:in )?([^.]*?),? {words}", text)
    assert found
    having = {
        called_by_users(room, name).removeprefix("little-go ")
        for room, name in COMMANDS
        if any(option in parameter.opts for parameter in ROOMS[room].commands[name].params)
    }
    assert set(re.findall(r"`(\w+)`", found[1])) == having
