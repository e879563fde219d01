"""A plugin that runs the tests in reversed order: ``pytest -p no:randomly -p tests.reversed_order``."""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reverse the order of the files and of the tests in each file."""
    items.reverse()
