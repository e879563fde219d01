import pytest

from little_go.arena.standings.tally import Progress
from little_go.solver.family import COURSE


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list with one entry, the time that the progress reads."""
    now = [100.0]
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    return now


def test_short_runs_show_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(10, hidden=False, plies=COURSE.plies) as shown:
        clock[0] += 1.9
        shown.ply(3)
        shown.game()
    assert capsys.readouterr() == ("", "")


def test_long_runs_show_a_line_now_and_then(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(10, hidden=False, plies=COURSE.plies) as shown:
        shown.game()
        clock[0] += 2.1
        shown.ply(3)
        shown.game()
        clock[0] += 10.1
        shown.game()
    assert capsys.readouterr() == ("", "    2 s  games: 1 of 10, ply 3 of 24\n   12 s  games: 3 of 10\n")


def test_hidden_progress_shows_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(10, hidden=True, plies=COURSE.plies) as shown:
        clock[0] += 1000
        shown.game()
    assert capsys.readouterr() == ("", "")


def test_terminal_shows_a_bar(
    clock: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Progress(10, hidden=False, plies=COURSE.plies) as shown:
        clock[0] += 2.1
        shown.game()
        shown.hide()
        shown.ply(5)
    out, err = capsys.readouterr()
    assert out == ""
    assert "1 of 10" in err
    assert "ply 5 of 24" in err
