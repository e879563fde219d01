import pytest

from runtime.display import Display


def test_off_a_terminal_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr("runtime.display.time.monotonic", lambda: now[0])
    with Display(interval=10.0) as display:
        display.part("ply 2", 5, 1000)
        now[0] += 10.5
        display.part("ply 2", 900, 1000)
        display.show("ply 4", 0, None)
        display.finished("ply 2 is done")
    assert capsys.readouterr() == ("", "   10 s  ply 2: 900 of 1,000\nply 2 is done\n")
