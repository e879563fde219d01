"""The cycle collector is disabled for a block, and afterwards it is as before."""

import gc
from collections.abc import Iterator

import pytest

from little_go.runtime.collector import without_collector


@pytest.fixture(params=[True, False])
def enabled(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether the collector is enabled before the test."""
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("fails", [False, True])
def test_the_collector_is_disabled_only_within_the_block(enabled: bool, fails: bool) -> None:
    try:
        with without_collector():
            assert not gc.isenabled()
            if fails:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        assert fails
    assert gc.isenabled() == enabled


def test_blocks_can_be_nested(enabled: bool) -> None:
    with without_collector():
        with without_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled() == enabled
