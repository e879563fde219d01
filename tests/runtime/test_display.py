import re
import sys

import pytest

from little_go.runtime.display import Display, tracked


def test_off_a_terminal_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    with Display(interval=10.0) as display:
        now[0] += 9.99
        display.part("ply 2", 5, 1000)
        now[0] = 110.0
        display.part("ply 2", 900, 1000)
        display.show("ply 4", 0, None)
        display.finished("ply 2 is done")
    assert capsys.readouterr() == ("", "   10 s  ply 2: 900 of 1,000\nply 2 is done\n")


def test_hours_off_a_terminal_do_not_fill_pages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    with Display(interval=10.0) as display:
        while now[0] < 12 * 3600:
            now[0] += 10.0
            display.part("ply 4", 5, 1000)
    assert 60 < len(capsys.readouterr().err.splitlines()) < 400


def test_a_terminal_that_cannot_draw_gets_plain_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a terminal of an editor there is no bar, and there are no blank lines instead."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    now = [100.0]
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    with Display(interval=10.0) as display:
        display.part("ply 2", 5, 1000)
        display.hide()
        now[0] += 10.5
        display.part("ply 2", 900, 1000)
        display.finished("ply 2 is done")
    items = [1, 2]
    assert tracked(items) is items
    assert capsys.readouterr() == ("", "   10 s  ply 2: 900 of 1,000\nply 2 is done\n")


def test_the_progress_of_a_loop_is_shown_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress is shown if standard error is a terminal, although standard output is none."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    items = [1, 2]
    assert tracked(items) is items
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    now, shown = [0.0], []
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    monkeypatch.setattr(Display, "show", lambda _, *words: shown.append(words))
    for _ in tracked(range(1024), "Games"):
        now[0] += 1 / 1024
    expected = [(f"Games: {done:,} of 1,024", done, 1024) for done in range(0, 1024, 103)]
    assert shown == expected
    del shown[:]
    assert [*tracked(iter(items))] == [*tracked(items, "Games", 5)] == items
    assert shown == [("Reading: 0", 0, None), ("Games: 0 of 5", 0, 5)]


@pytest.mark.parametrize("patience", [None, 5.0])
def test_the_bar_is_filled_where_the_amount_of_all_work_is_known(
    patience: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    bars: list[dict[str, object]] = []
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **bar: bars.append(bar))
    now = [100.0]
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    with Display(patience=patience) as display:
        if patience is not None:
            now[0] = 104.99
            display.show("ply 1", 5, 10)
            now[0] = 105.0
        display.show("ply 2", 5, 10)
        display.show("ply 4", 5, None)
    assert bars == [
        {"description": "ply 2", "completed": 5, "total": 10},
        {"description": "ply 4", "completed": 0, "total": None},
    ]


@pytest.mark.parametrize(("forecast", "left"), [(True, " -:--:--"), (False, "")])
def test_a_terminal_shows_a_bar_of_20_characters_and_the_times(
    forecast: bool, left: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Display(forecast=forecast) as display:
        display.show("ply 2", 5, 10)
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    lines = [line.rstrip() for line in re.split("[\r\n]+", drawn)]
    assert any(re.fullmatch(rf"ply 2 ━{{10}}[╸╺]━{{9}} \d:\d\d:\d\d{left}", line) for line in lines), lines


@pytest.mark.parametrize(("patience", "drawn"), [(None, True), (60.0, False)])
def test_a_bar_without_patience_is_there_before_the_first_line(
    patience: float | None, drawn: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Display(patience=patience):
        pass
    printed = capsys.readouterr()
    assert printed.out == ""
    assert ("starting" in printed.err) == drawn == bool(printed.err)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_line_is_printed_as_it_is(
    term: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A long line is not broken, a number is not coloured, and a bracket is a bracket."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", term)
    line = "[b]" + "ply 2 is done, " * 20
    with Display(interval=0.0) as display:
        if term == "dumb":
            display.show(line, 1, 2)
        display.finished(line)
    printed = capsys.readouterr().err
    assert printed.count(f"{line}\n") == (2 if term == "dumb" else 1), printed
