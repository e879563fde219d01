"""Errors of commands that the user sees as one line."""

import errno
import signal
from concurrent.futures import BrokenExecutor
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from little_go.runtime.errors import OneLineErrors, exit_interrupted, given_words, keep_unnamed
from little_go.runtime.help_texts import ENDINGS, OPTIONS


@click.command()
@click.option("--out", default="made.txt", type=Path)
def write(out: Path) -> None:
    keep_unnamed(out)


@pytest.mark.parametrize(
    ("words", "names", "code"),
    [([], [], 0), ([], ["made.txt"], 2), (["--out", "made.txt"], ["made.txt"], 0), (["--out", "b c"], ["made.txt"], 0)],
)
def test_a_default_file_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], names: list[str], code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in names:
        Path(name).touch()
    done = CliRunner().invoke(write, words)
    assert done.exit_code == code
    assert ("give --out made.txt to overwrite it" in done.stderr) == bool(code)


@click.group(cls=OneLineErrors)
def group() -> None:
    pass


@group.command()
@click.argument("path", required=False)
@click.option("--plies")
@click.option("--seed", help="A text of its own.")
@click.option("--other")
def work(**options: str | None) -> None:
    click.echo("|".join(given_words()))


def test_an_option_without_a_text_gets_the_text_that_all_commands_share() -> None:
    texts = {option.opts[0]: option.help for option in work.params if isinstance(option, click.Option)}
    assert texts == {"--plies": OPTIONS["--plies"].text, "--seed": "A text of its own.", "--other": None}


def test_the_help_of_a_command_ends_with_its_example_and_page() -> None:
    group = OneLineErrors("group", room="maker")
    group.add_command(click.Command("make"))
    group.add_command(click.Command("other"))
    ending = ENDINGS["maker make"]
    shown = CliRunner().invoke(group, ["make", "--help"]).output
    assert shown.endswith(f"\n  Example: {ending.example}\n  Read next: {ending.page}\n")
    assert "Example: " not in CliRunner().invoke(group, ["other", "--help"]).output


def test_the_given_words_are_the_words_of_the_user() -> None:
    for words in (["work"], ["work", "--plies=4", "a b", "--seed", "1"]):
        assert CliRunner().invoke(group, words).output == "|".join(words) + "\n"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "a.txt"), 2, "Error: a.txt: No such file\n"),
        (OSError(errno.ENOSPC, "No space left"), 2, "Error: No space left\n"),
        (ZeroDivisionError("cannot divide"), 2, "Error: cannot divide\n"),
        (LookupError("is wrong"), 1, "Error: is wrong\n"),
        (KeyError("both lists have its class"), 1, "Error: 'both lists have its class'\n"),
        (BrokenExecutor("a worker was killed"), 2, "Error: a worker was killed\n"),
        # Nobody reads the output, so there is no line.
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1, ""),
    ],
)
def test_an_error_of_a_command_is_one_line_with_its_exit_code(error: Exception, code: int, line: str) -> None:
    group = OneLineErrors("group", expected=(ZeroDivisionError, KeyError), findings=(LookupError,))

    @group.command()
    def fail() -> None:
        raise error

    done = CliRunner().invoke(group, ["fail"])
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", line)


def test_after_the_line_of_an_interrupted_run_another_ctrl_c_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as ended:
            exit_interrupted()
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "interrupted\n")
