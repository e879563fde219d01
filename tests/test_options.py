"""The options of all commands: one word for one thing, as tests/options.txt lists them."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from little_go.__main__ import PACKAGES, group_of
from runtime.hints import called_by_users
from runtime.options import LEAST_TABLE_MIB, Duration, Size
from solver.native.table import LEAST_MIB
from tests.test_layout import MAKERS

TABLE = Path(__file__).parent / "options.txt"

#: A row: the option, what it means, what it takes, and its default where all commands have the same. What is bold
#: in the meaning is in the help of every command that has the option.
ROW = re.compile(r"^\| `(--[\w-]+)` \| ([^|]+) \| (\w+(?: or \w+)?) \|(?: ([^|]+))? \|$", re.MULTILINE)


class Word(NamedTuple):
    """An option as the table has it."""

    meaning: str
    kind: str
    default: str


class Use(NamedTuple):
    """An option of one command."""

    command: str
    option: click.Option


def commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands below a group, by their full names."""
    if isinstance(command, click.Group):
        for word, below in command.commands.items():
            yield from commands(f"{name} {word}", below)
    else:
        yield name, command


COMMANDS = dict(found for room in [*PACKAGES, *MAKERS] for found in commands(room, group_of(room)))


def uses() -> dict[str, list[Use]]:
    """Return the commands that have each option, as their help shows it."""
    found = defaultdict(list)
    for name, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option):
                found[option.opts[0]].append(Use(name, option))
    return found


def words() -> dict[str, Word]:
    """Return the table."""
    return {name: Word(meaning, kind, default) for name, meaning, kind, default in ROW.findall(TABLE.read_text())}


def kind_of(option: click.Option) -> str:
    """Return what an option takes, in the table's words."""
    if option.is_flag:
        return "flag"
    kinds: dict[type, str] = {Duration: "time", Size: "size", click.Choice: "choice", click.Path: "path"}
    for kind, word in kinds.items():
        if isinstance(option.type, kind):
            return word
    number = {"integer": "integer", "integer range": "integer", "float": "number", "float range": "number"}
    if option.type.name in number:
        return number[option.type.name]
    return {"FILE": "path", "PATH": "path"}.get(option.metavar or "", "text")


def default_of(option: click.Option) -> str:
    """Return the default that the help of an option tells."""
    told = re.search(
        r"\[default: ([^;\]]+)", (option.get_help_record(click.Context(click.Command("x"))) or ("", ""))[1]
    )
    return told[1] if told else ""


def test_every_option_is_in_the_table_and_no_other() -> None:
    assert sorted(words()) == sorted(uses())


@pytest.mark.parametrize("name", sorted(uses()))
def test_an_option_takes_what_the_table_says(name: str) -> None:
    assert {kind_of(use.option) for use in uses()[name]} == set(words()[name].kind.split(" or "))


@pytest.mark.parametrize("name", sorted(name for name, word in words().items() if word.default))
def test_an_option_has_the_default_of_the_table(name: str) -> None:
    assert {default_of(use.option) for use in uses()[name]} == {words()[name].default}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_help_shows_every_option_with_its_meaning(name: str) -> None:
    package, *below = name.split()
    main = group_of(package)
    result = CliRunner().invoke(main, [*below, "--help"], terminal_width=200)
    assert result.exit_code == 0
    shown = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", result.output, re.MULTILINE)) - {"--help"}
    assert shown <= set(words())
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option):
            assert option.opts[0] in shown
            assert option.help


@pytest.mark.parametrize("name", sorted(name for name, word in words().items() if "**" in word.meaning))
def test_an_option_means_the_same_everywhere(name: str) -> None:
    for phrase in re.findall(r"\*\*(.+?)\*\*", words()[name].meaning):
        for use in uses()[name]:
            assert phrase.lower() in (use.option.help or "").lower(), use.command


def test_the_smallest_table_is_the_kernels() -> None:
    assert LEAST_TABLE_MIB == LEAST_MIB


@pytest.mark.parametrize("name", sorted(name for name in COMMANDS if name.split()[0] not in MAKERS))
def test_the_help_of_a_user_s_command_fits_80_columns(name: str) -> None:
    command = COMMANDS[name]
    line = called_by_users(*name.split())
    context = command.context_class(command, info_name=line, terminal_width=80, max_content_width=80)
    assert max(map(len, command.get_help(context).splitlines())) <= 80
