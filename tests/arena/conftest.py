"""Settings for all tests of the arena."""

from collections.abc import Iterator

import pytest

from arena.standings.entrants import close_idle


@pytest.fixture(autouse=True)
def no_idle_warden() -> Iterator[None]:
    """End the wardens that a test of this process has left for later contestants."""
    yield
    close_idle()
