"""If an object that is not a file is in place of a command's file, the command prints one line immediately."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import group_of
from tests.not_files import NOT_FILES
from tests.options import unknown_words

#: The commands, with FILE in place of the file that they read.
COMMANDS = (
    "arena exam greedy --paper FILE",
    "arena review FILE",
    "book import FILE --db new.db",
    "book query --book FILE --moves 2,2",
    "book query --db FILE --moves 2,2",
    "book query --lines FILE",
    "book query --game FILE",
    "book query --board FILE",
    "book query --input FILE",
    "generator status --db FILE",
    "proof check FILE",
    "solver value --lines FILE",
)

WRONG = [command for command in COMMANDS if unknown_words(command)]


def test_the_commands_have_the_options_of_the_table() -> None:
    assert WRONG == []


@pytest.mark.parametrize("kind", NOT_FILES)
@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in WRONG])
def test_what_is_no_file_is_one_line(command: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "file"
    NOT_FILES[kind](file)
    room, *words = command.replace("FILE", str(file)).split()
    done = CliRunner().invoke(group_of(room), words)
    assert isinstance(done.exception, SystemExit), done.exception
    *_, last = (done.stderr or done.stdout).splitlines()
    # `check` prints a verdict about a file that is not a certificate, which is a finding.
    assert done.exit_code == (1 if last.startswith("wrong: ") else 2)
    assert last.startswith(("Error: ", "wrong: ") if command == "proof check FILE" else "Error: ")
