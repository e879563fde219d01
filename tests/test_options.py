"""The options of all commands agree with tests/options.txt: one name for one meaning."""

import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import click
import pytest
from click.testing import CliRunner

from lab.speed.bench import MOVES_TABLE_MIB
from little_go.__main__ import PACKAGES
from little_go.arena.commands.game_options import _course_terms, _terms
from little_go.arena.commands.play import FEW_GAMES
from little_go.arena.course.grading import NEWEST, SCHEMES
from little_go.arena.exam.paper import EXAM
from little_go.arena.review.review import GAME_NODES
from little_go.arena.standings.entrants import Terms
from little_go.book.files.shipped import BOOK_FILE
from little_go.generator.__main__ import SPLIT_NODES
from little_go.proof.__main__ import LEAVES
from little_go.runtime.help_texts import ENDINGS, GROUPS, OPTIONS
from little_go.runtime.hints import called_by_users
from little_go.runtime.options import COLOUR, LEAST_TABLE_MIB, Duration, Size, cores
from little_go.solver.family import COURSE
from little_go.solver.native.table import LEAST_MIB
from tests.groups import group_of
from tests.options import LIVE, NO_SEARCH, live_option
from tests.test_layout import MAKERS, ROOT

TABLE = Path(__file__).parent / "options.txt"

#: A row has the option, its kind of value, and its default if all commands have the same one. runtime/help_texts.py has
#: its meaning.
ROW = re.compile(r"^\| `(--[\w-]+)` \| (\w+(?: or \w+)?) \|(?: ([^|]+))? \|$", re.MULTILINE)


class Word(NamedTuple):
    """A row of the table."""

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
    """Return, by option, the commands that have it."""
    found = defaultdict(list)
    for name, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option):
                found[option.opts[0]].append(Use(name, option))
    return found


def words() -> dict[str, Word]:
    """Return the table."""
    return {name: Word(kind, default) for name, kind, default in ROW.findall(TABLE.read_text())}


def options_text() -> str:
    """Return the current table of all options: kinds of values, and the defaults that all commands share."""
    rows = ["| option | takes | default |"]
    for name, found in sorted(uses().items()):
        defaults = {default_of(use.option) for use in found}
        kinds = " or ".join(sorted({kind_of(use.option) for use in found}))
        rows.append(f"| `{name}` | {kinds} | {defaults.pop() if len(defaults) == 1 else ''} |".replace("|  |", "| |"))
    return "\n".join([*rows, ""])


def kind_of(option: click.Option) -> str:
    """Return an option's kind of value, in the words of the table."""
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
    """Return the default in the help text of an option."""
    told = re.search(
        r"\[default: ([^;\]]+)", (option.get_help_record(click.Context(click.Command("x"))) or ("", ""))[1]
    )
    return told[1].strip("()") if told else ""


def test_every_option_is_in_the_table_and_no_other() -> None:
    assert sorted(words()) == sorted(uses())


@pytest.mark.parametrize("name", sorted(uses()))
def test_an_option_takes_what_the_table_says(name: str) -> None:
    assert {kind_of(use.option) for use in uses()[name]} == set(words()[name].kind.split(" or "))


#: What is enforced without an option that click gives no default: by option, in the words of its help.
ENFORCED: dict[str, Callable[[], str]] = {
    "--cpu": lambda: f"{default_terms().limits.cpu:g}s",
    "--wall": lambda: {3.0: "three times --cpu"}[default_terms().limits.wall / default_terms().limits.cpu],
    "--memory": lambda: f"{default_terms().limits.memory >> 30}GiB",
    "--scheme": lambda: str(_course_terms(None, None, sys.executable, False, False)[0].year),
    "--plies": lambda: str(COURSE.plies),
    "--komi": lambda: str(COURSE.komi),
    "--boards": lambda: f"up to {FEW_GAMES} games",
    "--left": lambda: f"{LEAVES[True]} for >=, {LEAVES[False]} for <=",
    "--book": lambda: BOOK_FILE.name,
    "--nodes": lambda: f"{GAME_NODES:,} for a whole game",
    "--table": lambda: f"{MOVES_TABLE_MIB}MiB",
    "--split-nodes": lambda: f"never, or {SPLIT_NODES:,} with --scheduler",
}


def is_absent(use: Use) -> bool:
    """Return whether click gives an option no default, so that the command does what the words in its help say."""
    # Later versions of click have a value of their own for no default.
    return not isinstance(use.option.default, (str, int, float, tuple, Path))


#: Defaults in words, each with the check that the option has it.
WORDS: dict[str, Callable[[Use], bool]] = {
    "all": is_absent,
    "all stages of the scheme": is_absent,
    "any free one": lambda use: use.option.default == 0,
    "as in the scheme": is_absent,
    "detected from the names": is_absent,
    "BOOK.walked-COLOUR": is_absent,
    "book.db, if there is one": is_absent,
    "book.db, made if missing": is_absent,
    "by free memory": is_absent,
    "both": lambda use: use.option.default == COLOUR.choices,
    "from the empty board": is_absent,
    "if possible": is_absent,
    "no limit": is_absent,
    "one per core": lambda use: use.option.default == cores(),
    "the Python of this command": lambda use: use.option.default == sys.executable,
    "the shipped one": lambda use: use.option.default == EXAM or is_absent(use),
    "the smallest that fits": is_absent,
    "the store's name with .log": is_absent,
}


def default_terms() -> Terms:
    """Return the terms of programs if only --sandbox is given."""
    with patch("little_go.arena.commands.game_options.require_sandbox"):
        return _terms(None, sys.executable, sandbox=True)


@pytest.mark.parametrize("name", sorted(uses()))
def test_a_default_that_a_help_prints_is_what_is_enforced(name: str) -> None:
    """In every command: click's own default, or what the command takes in its place."""
    for use in uses()[name]:
        if told := default_of(use.option):
            assert is_enforced(use, told), f"{use.command} {name}: {told}"


def is_enforced(use: Use, told: str) -> bool:
    """Return whether an option has the default in its help."""
    option, default = use.option, use.option.default
    if told in WORDS:
        return WORDS[told](use)
    if is_absent(use):
        return told == ENFORCED[option.opts[0]]()
    if isinstance(default, Path):
        return default.as_posix().endswith(told)
    if isinstance(default, tuple):
        return told == ", ".join(default)
    given, shown = (option.type.convert(each, option, None) for each in (default, told))
    return bool(given == shown)


def test_no_check_of_a_default_is_left_over() -> None:
    printed = {(use.option.opts[0], default_of(use.option)) for its in uses().values() for use in its}
    assert set(WORDS) <= {told for _, told in printed}
    assert set(ENFORCED) <= {name for name, told in printed if told and told not in WORDS}


def test_a_new_year_changes_the_defaults_that_helps_print() -> None:
    """The scheme determines the limit: in the new year it is one second longer than in the newest year."""
    newest = SCHEMES[NEWEST].move_cpu
    year, cpu = NEWEST + 1, newest + 1
    source = f"""
import sys
from unittest.mock import patch
from little_go.arena.course import grading
grading.SCHEMES[{year}] = grading.SCHEMES[grading.NEWEST]._replace(move_cpu={cpu})
grading.NEWEST = {year}
from click.testing import CliRunner
from little_go.arena.__main__ import main
from little_go.arena.commands.game_options import _course_terms
for command in ("play", "tournament", "exam", "grade"):
    print(CliRunner().invoke(main, [command, "--help"]).output)
course, terms = _course_terms(None, None, sys.executable, False, False)
print(course.year, terms.limits.cpu, terms.limits.wall)
"""
    shown = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert shown.endswith(f"{year} {cpu} {3 * cpu}\n")
    shown = " ".join(shown.split())
    assert f"[default: {newest:g}s]" not in shown
    assert (shown.count(f"[default: {cpu:g}s]"), shown.count(f"[default: {year}]")) == (3, 1)


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


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_has_one_text_and_one_heading(name: str) -> None:
    option = OPTIONS[name]
    assert {use.option.help for use in uses()[name]} == {option.text}
    assert option.group in GROUPS


def test_the_options_of_users_are_in_the_table_of_texts() -> None:
    of_users = {name for name, its in uses().items() if any(use.command.split()[0] not in MAKERS for use in its)}
    assert of_users == set(OPTIONS)


OF_USERS = sorted(name for name in COMMANDS if name.split()[0] not in MAKERS)


@pytest.mark.parametrize("name", OF_USERS)
def test_a_help_ends_with_an_example_of_the_command_and_the_page_to_read(name: str, tmp_path: Path) -> None:
    """The example is a valid command line of the command, in a folder that contains only the shipped files."""
    ending = ENDINGS[name]
    assert (ROOT / ending.page).is_file()
    begun = called_by_users(*name.split())
    assert f"{ending.example} ".startswith(f"{begun} ")
    words = shlex.split(ending.example.removeprefix(begun))
    for data in ("my_player3.py", "data"):
        (tmp_path / data).symlink_to(ROOT / data)
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        context = COMMANDS[name].make_context(name, words)
    finally:
        os.chdir(before)
    assert not context.args
    shown = CliRunner().invoke(COMMANDS[name], ["--help"]).output
    assert shown.endswith(f"  Example: {ending.example}\n  Read next: {ending.page}\n")


@pytest.mark.parametrize("room", PACKAGES)
def test_the_list_of_commands_has_whole_sentences(room: str) -> None:
    shown = CliRunner().invoke(group_of(room), ["--help"]).output
    assert re.findall(r"^  \w+ .*\.\.\.$", shown, re.MULTILINE) == []


def test_a_help_has_its_options_under_headings() -> None:
    shown = CliRunner().invoke(COMMANDS["book query"], ["--help"]).output
    at = [shown.index(f"\n\n{heading}:\n") for heading in GROUPS]
    assert at == sorted(at)
    assert shown.index("--komi") > at[1] > shown.index("--db")
    assert at[3] > shown.index(LIVE) > at[2]


def test_the_limit_of_a_search_is_live() -> None:
    """Other tests take the option's name from the command, so only this test fails if its name changes."""
    assert NO_SEARCH == ("--live", "0")
    assert live_option(COMMANDS["arena gtp"]) == live_option(COMMANDS["lab bench-queries"], "5m") == "--live"


def test_the_smallest_table_is_the_kernels() -> None:
    assert LEAST_TABLE_MIB == LEAST_MIB


@pytest.mark.parametrize("name", sorted(name for name in COMMANDS if name.split()[0] not in MAKERS))
def test_the_help_of_a_user_s_command_fits_80_columns(name: str) -> None:
    command = COMMANDS[name]
    line = called_by_users(*name.split())
    context = command.context_class(command, info_name=line, terminal_width=80, max_content_width=80)
    assert max(map(len, command.get_help(context).splitlines())) <= 80
