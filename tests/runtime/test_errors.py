"""Errors of commands that the user sees as one line."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from little_go.runtime.errors import keep_unnamed


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
