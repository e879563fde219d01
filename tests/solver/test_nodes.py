"""The node counts of small searches are the same everywhere, and the same as at the last change of the search.

If these counts change, the search has changed. ``python -m lab bench`` has a larger workload, whose node count is in
the commit's message.
"""

import pytest

from tests.solver.nodes import SEARCHES, stored_nodes


def test_every_search_has_a_stored_count() -> None:
    assert list(stored_nodes()) == list(SEARCHES)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_takes_the_nodes_of_the_last_commit_that_changed_it(name: str) -> None:
    """If the change is intended, run ``python -m tools.affected --accept``."""
    assert SEARCHES[name]() == stored_nodes()[name]
