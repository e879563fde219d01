"""The documents keep up with the commands."""

from pathlib import Path

import click
import pytest

import arena.__main__
import book.__main__
import explorer.__main__
import generator.__main__
import player.__main__
import proof.__main__
import solver.__main__

ROOT = Path(__file__).parents[1]
ROOMS: dict[str, click.Group] = {
    "arena": arena.__main__.main,
    "book": book.__main__.main,
    "explorer": explorer.__main__.main,
    "generator": generator.__main__.main,
    "player": player.__main__.main,
    "proof": proof.__main__.main,
    "solver": solver.__main__.main,
}
COMMANDS = [(room, name) for room, group in ROOMS.items() for name in group.commands]


@pytest.mark.parametrize(("room", "name"), COMMANDS)
def test_every_command_is_in_the_readme(room: str, name: str) -> None:
    assert f"python -m {room} {name}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("room", "name"), COMMANDS)
def test_every_command_and_option_has_help(room: str, name: str) -> None:
    command = ROOMS[room].commands[name]
    assert command.help
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help, f"{name} {parameter.name}"
