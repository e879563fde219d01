"""The limits of programs: reports on a limit, the pauses between measurements, and the stored errors."""

import pytest

from little_go.arena.match import limits
from little_go.arena.match.limits import (
    SHORTEST_PAUSE,
    ErrorTail,
    Limits,
    Report,
    SandboxError,
    useful_line,
    useful_words,
)

TEN = Limits(cpu=10.0, wall=30.0)


@pytest.mark.parametrize(
    ("report", "starved", "text"),
    [
        (Report(TEN, "", 1.0, 2.0), False, ""),
        (Report(TEN, "memory", 1.0, 2.0), False, "killed for memory"),
        (
            Report(TEN, "cpu", 10.012, 10.25, 10.0),
            False,
            "killed for CPU time: 10.01 s of CPU (limit 10 s), 10.2 s by the clock (limit 30 s)",
        ),
        (
            Report(TEN, "wall", 5.0, 30.0, 10.5),
            True,
            "killed by the clock: 30.0 s by the clock (limit 30 s), 10.5 s of them waiting for a core, 5.00 s of CPU"
            " (limit 10 s)",
        ),
        # Exactly half of the time is not most of the time.
        (
            Report(TEN, "wall", 5.0, 30.0, 10.0),
            False,
            "killed by the clock: 30.0 s by the clock (limit 30 s), 5.00 s of CPU (limit 10 s)",
        ),
        (
            Report(TEN, "wall", 10.0, 30.0, 19.0),
            False,
            "killed by the clock: 30.0 s by the clock (limit 30 s), 10.00 s of CPU (limit 10 s)",
        ),
    ],
)
def test_a_report_on_a_limit(report: Report, starved: bool, text: str) -> None:
    assert (report.cpu_starved, report.limit_text()) == (starved, text)
    assert report.is_late == (report.exceeded in ("cpu", "wall"))


def test_every_core_may_use_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_CORES", 4)
    assert [TEN.seconds_to_check(cpu) for cpu in (0.0, 8.0, 9.99, 11.0)] == [2.5, 0.5, SHORTEST_PAUSE, SHORTEST_PAUSE]


def tail_of(*pieces: bytes) -> str:
    tail = ErrorTail()
    for piece in pieces:
        tail.add(piece)
    return tail.text()


def test_the_beginning_and_the_end_of_the_errors_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_HEAD", 8)
    monkeypatch.setattr(limits, "_MOST_TAIL", 8)
    assert tail_of(b"abc\nde\nfghijk\nm\n") == "abc\nde\nfghijk\nm\n"
    assert tail_of(*(bytes([letter]) for letter in b"abc\nde\nfghijk\nm\n")) == "abc\nde\nfghijk\nm\n"
    # One byte more cuts the middle in whole lines.
    assert tail_of(b"abc\nde\nfghijk\nmn\n") == "abc\nde\nmn\n"
    assert tail_of(b"abc\nde\nf", b"ghijk\nmn\n", b"op\n") == "abc\nde\nmn\nop\n"
    # Without a line end the cut is within a line.
    assert tail_of(b"x" * 20) == "x" * 8
    assert tail_of(b"a\n" + b"x" * 20) == "a\n" + "x" * 8
    assert tail_of(b"\xff") == "\ufffd"


@pytest.mark.parametrize(
    ("errors", "line"),
    [
        ("", ""),
        ("\n \n", ""),
        ("first\nsecond\n", "first"),
        ("first\nan Error\n", "an Error"),
        ("warning: x\n", "warning: x"),
        ("warning: error\nplain\n", "plain"),
        ("  indented error\nplain\n", "plain"),
        ("  indented\n", "indented"),
        ("at a.b(C.java:1)\n... 3 more\nreason\n", "reason"),
        ('  File "a.py", line 1\n  File "b.py", line 2\n    code\nKeyError: 1\nerror of a later line\n', "KeyError: 1"),
        ("KeyError: 1\nException ignored in x\nerror\n", "KeyError: 1"),
        ("\x1b[31mred\x1b[0m\ta\u202eb\x07\n", "red ab"),
        ("one\rtwo error\n", "two error"),
        ("x" * 201, "x" * 200),
    ],
)
def test_the_useful_line_of_errors(errors: str, line: str) -> None:
    assert useful_line(errors) == line


@pytest.mark.parametrize(
    ("errors", "alone", "words"),
    [
        ('  File "/a/mine.py", line 7\nKeyError: 1', False, "KeyError: 1 (mine.py, line 7)"),
        (
            '  File "/a/mine.py", line 7\n  File "/usr/lib/python3.7/json.py", line 9\nKeyError: 1',
            False,
            "KeyError: 1 (mine.py, line 7)",
        ),
        ('  File "<frozen x>", line 7\nKeyError: 1', False, "KeyError: 1"),
        (f'  File "{"x" * 50}.py", line 7\nE: 1', False, f"E: 1 ({'x' * 40}, line 7)"),
        ("ModuleNotFoundError: No module named 'x'", False, "ModuleNotFoundError: No module named 'x'"),
        (
            "ModuleNotFoundError: No module named 'x'",
            True,
            "ModuleNotFoundError: No module named 'x'; no such module is next to the file",
        ),
        ("KeyError: 1", True, "KeyError: 1"),
        ('  File "a.py", line 7\n', False, ""),
        (
            "Error: no\n\tat java.base/java.util.List.get(List.java:1)\n\tat A.f(A.java:2)\n\tat B.g(B.java:3)\n",
            False,
            "Error: no (A.java, line 2)",
        ),
    ],
)
def test_the_place_of_an_error(errors: str, alone: bool, words: str) -> None:
    assert useful_words(errors, alone) == words


def test_a_missing_sandbox_has_a_remedy_or_none() -> None:
    assert (str(SandboxError("no", "install it")), str(SandboxError("no"))) == ("no: install it", "no")
