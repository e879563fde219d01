"""Node counts of small searches, and checksums of reasons, are the same everywhere as at the last intended change.

If a count changes, the search has changed. If a checksum changes, the sentences or the choice of lines have changed.
``python -m lab bench`` has a larger workload, whose node count is in the commit's message.
"""

import pytest

from tests.solver.nodes import SEARCHES, stored_nodes
from tests.solver.reasons import checksums, stored_checksums


def test_every_search_has_a_stored_count() -> None:
    assert list(stored_nodes()) == list(SEARCHES)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_takes_the_nodes_of_the_last_commit_that_changed_it(name: str) -> None:
    """If the change is intended, run ``python -m tools.affected --accept``."""
    assert SEARCHES[name]() == stored_nodes()[name]


def test_the_reasons_of_random_lines_are_those_of_the_last_commit_that_changed_them() -> None:
    """If the change is intended, run ``python -m tools.affected --accept``. The names are themes."""
    assert checksums() == stored_checksums()
