import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from runtime.release import shipped


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("my_player3.py", "book.json"):
        shutil.copy(shipped(name), tmp_path)
    return tmp_path


def doctor(folder: Path) -> tuple[int, str]:
    run = CliRunner().invoke(main, ["doctor", str(folder), "--python", sys.executable])
    return run.exit_code, run.output


def test_what_ships_is_right(folder: Path) -> None:
    code, said = doctor(folder)
    assert code == 0
    assert said.count("the one that ships") == 2
    assert "plays 2,2 on the empty board" in said
    assert "wrong" not in said


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("my_player3.py", "if (x := 1): pass", "Python 3.7 cannot read it"),
        ("my_player3.py", "", "no move on the empty board"),
        ("my_player3.py", "open('output.txt', 'w').write('7,7')", "ends the game at once: invalid_off_board"),
        ("my_player3.py", None, "is not there: cp "),
        ("book.json", "{", "book.json"),
        ("book.json", None, "plays weaker without it: cp "),
    ],
)
def test_what_is_wrong_is_named(folder: Path, name: str, content: str | None, complaint: str) -> None:
    path = folder / name
    path.unlink() if content is None else path.write_text(content)
    code, said = doctor(folder)
    assert code == 1
    (line,) = [line for line in said.splitlines() if line.startswith("wrong")]
    assert complaint in line
