"""Fixtures that open the page in a browser, once for each test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tools.browsing import DESK, Explorer


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Explorer]]:
    """Return a function that opens the page at a fragment, offline.

    After the test, check that the page made no request and reported no error.
    """
    contexts, explorers = [], []

    def open_page(fragment: str = "", viewport: dict[str, int] = DESK, **settings: Any) -> Explorer:
        context = browser.new_context(viewport=viewport, offline=True, **settings)
        contexts.append(context)
        explorers.append(Explorer(context, fragment))
        return explorers[-1]

    yield open_page
    for explorer in explorers:
        explorer.check()
    for context in contexts:
        context.close()


@pytest.fixture
def explorer(opened: Callable[..., Explorer]) -> Explorer:
    return opened()
