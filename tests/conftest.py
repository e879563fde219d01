"""What holds for all tests."""

import time

import pytest
from hypothesis import settings

# A busy machine must not fail a test, so no example is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


class TickingClock:
    """A process clock that goes on by a millisecond at each look, however busy the machine is.

    looks: how often it was looked at.
    """

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        """Return the seconds."""
        self.looks += 1
        return self.looks / 1000


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> TickingClock:
    """Put a ticking clock in the place of time.process_time."""
    clock = TickingClock()
    monkeypatch.setattr(time, "process_time", clock)
    return clock
