import pytest

from little_go.runtime.display import Display, tracked


def test_off_a_terminal_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    with Display(interval=10.0) as display:
        display.part("ply 2", 5, 1000)
        now[0] += 10.5
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
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    now, shown = [0.0], []
    monkeypatch.setattr("little_go.runtime.display.time.monotonic", lambda: now[0])
    monkeypatch.setattr(Display, "show", lambda _, *words: shown.append(words))
    for _ in tracked(range(1024), "Games"):
        now[0] += 1 / 1024
    expected = [(f"Games: {done:,} of 1,024", done, 1024) for done in range(0, 1024, 103)]
    assert shown == expected


def test_the_bar_is_filled_where_the_amount_of_all_work_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    bars: list[dict[str, object]] = []
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **bar: bars.append(bar))
    with Display() as display:
        display.show("ply 2", 5, 10)
        display.show("ply 4", 5, None)
    assert bars == [
        {"description": "ply 2", "completed": 5, "total": 10},
        {"description": "ply 4", "completed": 0, "total": None},
    ]
