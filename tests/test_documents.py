"""The commands in the documents have the shown output; the convention is in tests/shell_blocks.py."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from little_go.__main__ import PACKAGES
from little_go.runtime.hints import SHORT
from tests.groups import group_of
from tests.options import LIVE
from tests.shell_blocks import DOCUMENTS, ROOT, Block, blocks_of, lay_out, run_document
from tests.test_layout import MAKERS

#: The command groups of the packages.
GROUPS: dict[str, click.Group] = {room: group_of(room) for room in [*PACKAGES, *MAKERS]}

#: Options of other programs that documents mention without the program: of GNU Go, dask and pytest.
OTHERS = {
    "--capture-all-dead", "--level", "--never-resign", "--memory-limit", "--nthreads", "--nworkers", "--randomly-seed",
}  # fmt: skip

#: The documents whose commands took 27 and 10 s of CPU in CI.
EXPENSIVE = {Path("CONTRIBUTING.md"), Path("docs/guides/REVIEW.md")}


@pytest.mark.system
@pytest.mark.parametrize(
    "document",
    [pytest.param(each, marks=pytest.mark.long) if each in EXPENSIVE else each for each in DOCUMENTS],
    ids=str,
)
def test_what_a_document_shows_is_what_happens(document: Path, tmp_path: Path) -> None:
    """The commands that take at most a few seconds, in a new clone without a database and without bubblewrap."""
    blocks = blocks_of((ROOT / document).read_text("utf-8"))
    if any(not (step.why or step.long) for block in blocks for step in block.steps):
        lay_out(tmp_path / "clone")
        assert_as_shown(document, blocks, tmp_path / "clone", long=False)


@pytest.mark.long
@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_what_takes_long_is_as_a_document_shows_it(document: Path, tmp_path: Path) -> None:
    blocks = blocks_of((ROOT / document).read_text("utf-8"))
    if any(step.long and not step.why for block in blocks for step in block.steps):
        lay_out(tmp_path / "clone")
        assert_as_shown(document, blocks, tmp_path / "clone", long=True)


def assert_as_shown(document: Path, blocks: list[Block], clone: Path, long: bool) -> None:
    wrong = run_document(blocks, clone, long)
    assert not wrong, f"{document}\n" + "\n\n".join(wrong)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_block_of_a_shell_is_a_console(document: Path) -> None:
    """Blocks with other marks would not be run."""
    assert re.findall(r"^```(?:sh|bash|shell)$", (ROOT / document).read_text("utf-8"), re.MULTILINE) == []


def named_commands(text: str) -> Iterator[str]:
    """Yield each command line in a document: in its console blocks, run or not, and in code in its prose."""
    for block in blocks_of(text):
        yield from (step.command.replace("\\\n", " ") for step in block.steps if block.kind == "console")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (" ".join(found.split()) for found in re.findall(r"`([^`]+)`", prose))


def unknown_in(line: str) -> list[str]:
    """Find the commands and options in a command line that do not exist."""
    # Words in quotes are for another program, or are moves.
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", line.partition(" # ")[0])
    return [name for part in re.split(r"&&|[|;]", bare) for name in _unknown_in_one(part.strip())]


def _unknown_in_one(command: str) -> list[str]:
    options = set(re.findall(r"(?<![\w/-])--\w[\w-]*", command))
    full = re.search(r"(?:python -m|little-go) (\w+)(?: (\w[\w-]*))?", command)
    if full and full[1] in [*SHORT, *GROUPS]:
        package, name = SHORT.get(full[1], full.groups())
        group = GROUPS[package]
        if name not in [None, *group.commands]:
            return [name]
        return sorted(options - _options(group.commands[name] if name else group))
    word = command.partition(" ")[0]
    if word.startswith("-"):
        return sorted(options - OTHERS.union(*map(_options, _commands())))
    found = [_options(each) for each in _commands() if each.name == word]
    return sorted(options.difference(*found)) if found else []


def misfit_in(line: str) -> list[str]:
    """Return the missing and unknown parts of one of our command lines; a command without arguments is only a name."""
    try:
        words = shlex.split(line.partition(" # ")[0])
    except ValueError:
        return []
    start = next((at for at, word in enumerate(words) if re.search(r"(?:^|/)little-go$", word)), None)
    if start is None or any(word in ("|", "&&") or word[0] in "<>" or "…" in word for word in words if word):
        return []
    package, name, rest = _called(words[start + 1 :])
    if not rest or name is None or "--help" in rest or name not in GROUPS[package].commands:
        return []
    command = GROUPS[package].commands[name]
    if isinstance(command, click.Group):
        return []
    # Prose mentions an option without its argument: `query --why`.
    context = command.context_class(command, info_name=name, resilient_parsing=True)
    try:
        values, left, _ = command.make_parser(context).parse_args(rest)
    except click.UsageError as error:
        return [error.format_message()]
    needed = [each for each in command.params if each.required and values.get(each.name or "") in (None, [], ())]
    return [f"{each.opts[0]} is missing" for each in needed] + [f"{word} is too much" for word in left]


def _called(words: list[str]) -> tuple[str, str | None, list[str]]:
    """Return the package, the command and the arguments of the words after ``little-go``."""
    if words and words[0] in SHORT:
        return (*SHORT[words[0]], words[1:])
    if len(words) > 1 and words[0] in GROUPS:
        return words[0], words[1], words[2:]
    return "book", None, []


def _commands() -> list[click.Command]:
    return [command for group in GROUPS.values() for command in group.commands.values()]


def _options(command: click.Command) -> set[str]:
    """Return the options of a command and of its subcommands."""
    if isinstance(command, click.Group) and command not in GROUPS.values():
        return {"--help"}.union(*map(_options, command.commands.values()))
    return {"--help", *(name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts))}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_command_and_option_that_a_document_names_is_there(document: Path) -> None:
    text = (ROOT / document).read_text("utf-8")
    assert {line: unknown for line in named_commands(text) if (unknown := unknown_in(line))} == {}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_command_that_a_document_names_can_be_called_so(document: Path) -> None:
    text = (ROOT / document).read_text("utf-8")
    assert {line: misfit for line in named_commands(text) if (misfit := misfit_in(line))} == {}


@pytest.mark.parametrize(
    ("line", "misfit"),
    [
        ("little-go make course", ["--out is missing", "course is too much"]),
        ("little-go grade", []),
        ("little-go grade my_player3.py    # 3 min", []),
        ("little-go query --why", []),
        (".venv/bin/little-go import --db x.db --db", []),
        ("little-go check FILE…", []),
        ("little-go check", []),
    ],
)
def test_a_call_that_does_not_fit_is_found(line: str, misfit: list[str]) -> None:
    assert misfit_in(line) == misfit


@pytest.mark.parametrize(
    ("line", "unknown"),
    [
        ("python -m book query --foo", ["--foo"]),
        ("python -m book query --moves '--foo'    # --bar", []),
        ("python -m book nothing --db x", ["nothing"]),
        ("python -m lab bench --foo", ["--foo"]),
        ("python -m lab theorem coq --piece 3 --foo", ["--foo"]),
        ("python -m book --db x", ["--db"]),
        ("python -m generator run --db x && .venv/bin/python -m book query --db x --json=1 --jsn", ["--jsn"]),
        (f"little-go query {LIVE} 3 --bar", ["--bar"]),
        ("~/little-go/bin/little-go book quarry", ["quarry"]),
        ("little-go --version", []),
        ("query --zip", ["--zip"]),
        ("atlas --split-nodes 3 --values FILE --xx", ["--xx"]),
        ("--nope", ["--nope"]),
        (f"{LIVE} 60", []),
        ("gnugo --mode gtp", []),
    ],
)
def test_what_is_not_there_is_found(line: str, unknown: list[str]) -> None:
    assert unknown_in(line) == unknown


def test_commands_are_found_in_blocks_and_in_prose() -> None:
    text = "See `query --a\n1`.\n\n```console\n$ one \\\n  --b    # 3 min\nsaid\n```\n\n```text\n`--c`\n```\n"
    assert list(named_commands(text)) == ["one    --b    # 3 min", "query --a 1"]
