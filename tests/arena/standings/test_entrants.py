import json
import sys
from pathlib import Path

import pytest

from arena.match.contestant import FunctionContestant
from arena.match.host import OPENING
from arena.standings.entrants import Terms, UnknownAgent, open_contestant
from tests.arena.helpers import AMPLE

TERMS = Terms(AMPLE)


def test_built_in_agents_run_in_this_process() -> None:
    with open_contestant("greedy", TERMS) as contestant:
        assert isinstance(contestant, FunctionContestant)
        assert contestant.name == "greedy"


def test_each_program_gets_a_directory_of_its_own_with_its_book(tmp_path: Path) -> None:
    (tmp_path / "my_player3.py").write_text(
        "import os, json\n"
        "place = json.load(open('book.json'))['place']\n"
        "open(place, 'a').write(os.getcwd() + '\\n' + '\\n'.join(sorted(os.listdir('.'))) + '\\n')\n"
        "open('output.txt', 'w').write('2,2')\n"
    )
    (tmp_path / "book.json").write_text(json.dumps({"place": str(tmp_path / "seen")}))
    (tmp_path / "other.txt").write_text("stays behind")
    path = str(tmp_path / "my_player3.py")
    with open_contestant(path, TERMS) as black, open_contestant(path, TERMS) as white:
        assert black.reply(OPENING).text == white.reply(OPENING).text == "2,2"
        first, *files = (tmp_path / "seen").read_text().splitlines()
        assert files[:3] == ["book.json", "input.txt", "my_player3.py"]
        second = files[3]
        assert first != second
        assert Path(first).is_dir()
    assert not Path(first).exists()


def test_program_without_a_book_is_welcome(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("open('output.txt', 'w').write('2,2')")
    with open_contestant(str(tmp_path / "plain.py"), TERMS) as contestant:
        assert contestant.reply(OPENING).text == "2,2"


def test_interpreter_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("this is no Python")
    shell = tmp_path / "interpreter"
    shell.write_text("#!/bin/sh\nprintf 1,2 > output.txt\n")
    shell.chmod(0o755)
    with open_contestant(str(tmp_path / "player.py"), Terms(AMPLE, str(shell))) as contestant:
        assert contestant.reply(OPENING).text == "1,2"


def test_interpreter_may_be_named_relative_to_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "player.py").write_text("open('output.txt', 'w').write('2,2')")
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    with open_contestant("player.py", Terms(AMPLE, "./python")) as contestant:
        assert contestant.reply(OPENING).text == "2,2"


@pytest.mark.parametrize("agent", ["nobody", "no/such/player.py", "", "."])
def test_unknown_agent_is_refused(agent: str) -> None:
    with pytest.raises(UnknownAgent, match="no agent"), open_contestant(agent, TERMS):
        pass


def test_unknown_interpreter_is_refused() -> None:
    with (
        pytest.raises(UnknownAgent, match="no Python interpreter"),
        open_contestant(__file__, Terms(AMPLE, "no-python")),
    ):
        pass
