"""The nodes that small searches take: the same everywhere, and those of the last commit that changed the search.

A change of these counts is a change of the search. ``python -m lab bench`` has a larger workload; its node count is in
the commit's message.
"""

import pytest

from tests.solver.nodes import SEARCHES, stored_nodes


def test_every_search_has_a_stored_count() -> None:
    assert list(stored_nodes()) == list(SEARCHES)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_takes_the_nodes_of_the_last_commit_that_changed_it(name: str) -> None:
    """If the change is meant: ``python -m tools.affected --accept``."""
    assert SEARCHES[name]() == stored_nodes()[name]
