"""The handlers of signals before, during and after a run."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from little_go.generator.workers.search_run import flag_on_signals
from little_go.runtime.ctrl_c import defer_sigint, ending_at_once, interruptible

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

#: The context managers that handle signals during a block.
BLOCKS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "a run's": lambda: flag_on_signals([]),
    "defer_sigint": defer_sigint,
    "ending_at_once": ending_at_once,
    "interruptible": interruptible,
}


def handlers() -> list[Any]:
    return [signal.getsignal(number) for number in ENDS]


@pytest.fixture(params=["Python's own", "ignored", "others"])
def before(request: pytest.FixtureRequest) -> Iterator[list[Any]]:
    """Set the handlers, and return them."""
    old = handlers()
    kinds: dict[str, list[Any]] = {
        "Python's own": [signal.default_int_handler, signal.SIG_DFL, signal.SIG_DFL],
        "ignored": [signal.SIG_IGN] * 3,
        "others": [lambda *_: None] * 3,
    }
    own = kinds[request.param]
    for number, handler in zip(ENDS, own, strict=True):
        signal.signal(number, handler)
    yield own
    for number, handler in zip(ENDS, old, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("fails", [False, True])
def test_a_block_leaves_the_handlers_as_they_were(name: str, fails: bool, before: list[Any]) -> None:
    try:
        with BLOCKS[name]():
            if fails:
                raise OSError
    except OSError:
        assert fails
    assert handlers() == before


def test_after_one_signal_a_late_ctrl_c_has_nothing_to_end(
    before: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """An ignored signal stays ignored and is not counted, as with nohup."""
    with flag_on_signals([]) as seen:
        for number in ENDS:
            if signal.getsignal(number) != signal.SIG_IGN:
                os.kill(os.getpid(), number)
                break
    expected = [] if before[0] is signal.SIG_IGN else [signal.SIGINT]
    assert seen == expected
    assert handlers() == [signal.SIG_IGN, *before[1:]]
    line = "stopping after the current jobs; a second signal stops at once\n"
    assert capsys.readouterr().err == (line if expected else "")


def test_a_second_signal_hurries_every_worker() -> None:
    hurried: list[int] = []
    old = handlers()
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with flag_on_signals([lambda: hurried.append(1), lambda: hurried.append(2)]) as seen:
            os.kill(os.getpid(), signal.SIGINT)
            assert hurried == []
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
        assert (seen, hurried) == ([signal.SIGINT, signal.SIGTERM], [1, 2])
    finally:
        for number, handler in zip(ENDS, old, strict=True):
            signal.signal(number, handler)
