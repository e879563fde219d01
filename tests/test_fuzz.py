"""A few attempts of each campaign of tools.fuzz, including attempts that once broke a promise."""

import pytest

from tools.fuzz.__main__ import CAMPAIGNS, attempt

#: The campaigns that take a moment; the others start programs.
QUICK = (
    "books",
    "stores",
    "certificates",
    "notes",
    "games",
    "prose",
    "directories",
    "gtp",
    "power",
    "planted",
    "copies",
)


@pytest.mark.parametrize("name", QUICK)
def test_a_few_attempts(name: str) -> None:
    for number in range(3):
        assert attempt(name, 561, number)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(CAMPAIGNS.keys() - set(QUICK)))
def test_a_few_attempts_with_programs(name: str) -> None:
    for number in range(3):
        assert attempt(name, 561, number)


def test_an_error_that_quotes_a_schema_is_one_line() -> None:
    assert attempt("stores", 561, 9) == "refused"


def test_a_player_named_twice_is_no_error() -> None:
    assert attempt("games", 561, 434)


def test_an_attempt_can_be_repeated() -> None:
    assert attempt("gtp", 7, 7) == attempt("gtp", 7, 7)
