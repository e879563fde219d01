"""Node counts of small searches, and checksums of reasons, are the same everywhere as at the last intended change.

If a count changes, the search has changed. If a checksum changes, the sentences or the choice of lines have changed.
``python -m lab bench`` has a larger workload, whose node count is in the commit's message.
"""

import pytest

from tests.solver import nodes, reasons
from tests.solver.nodes import SEARCHES
from tests.stored_numbers import stored_numbers


def test_every_search_has_a_stored_count() -> None:
    assert list(stored_numbers(nodes.STORED)) == list(SEARCHES)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_takes_the_nodes_of_the_last_commit_that_changed_it(name: str) -> None:
    """If the change is intended, run ``python -m tools.affected --accept``."""
    assert SEARCHES[name]() == stored_numbers(nodes.STORED)[name]


def test_the_reasons_of_random_lines_are_those_of_the_last_commit_that_changed_them() -> None:
    """If the change is intended, run ``python -m tools.affected --accept``. The names are themes."""
    assert reasons.checksums() == stored_numbers(reasons.STORED)
