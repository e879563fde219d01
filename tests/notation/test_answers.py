"""The answers to random texts are the same everywhere, and the same as at the last intended change."""

from tests.notation.answers import STORED, checksums
from tests.stored_numbers import stored_numbers


def test_the_answers_are_those_of_the_last_commit_that_changed_them() -> None:
    """If the change is intended, run ``python -m tools.affected --accept``.

    A name consists of a file of texts and a fault, so a new text changes at most the answers to its own two variants.
    """
    assert checksums() == stored_numbers(STORED)
