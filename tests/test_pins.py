"""Files that are made from the code agree with the code."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from tests.options import NO_SEARCH
from tools.pins import KEY_LISTS, PICTURES, PINS, ROOT, Pin, changed_documents, changed_pins, key_lists


@pytest.mark.parametrize("pin", [pin for pin in PINS if pin.path != PICTURES], ids=lambda pin: pin.path.name)
def test_a_stored_file_is_what_the_code_makes(pin: Pin) -> None:
    """If the change is intended, run ``python -m tools.affected --accept``.

    The tests of the solver compare the pictures of the kernel.
    """
    assert pin.make() == (ROOT / pin.path).read_text("utf-8")


def test_documents_state_what_is_stored() -> None:
    assert list(changed_documents()) == []


def test_only_the_pins_of_changed_rooms_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [Pin(KEY_LISTS, lambda: "other", ("book",)), Pin(Path("README.md"), lambda: "other", ("solver",))]
    monkeypatch.setattr("tools.pins.PINS", made)
    assert changed_pins(["book", "docs"]) == {KEY_LISTS: "other"}
    assert len(changed_pins()) == 2


def test_the_header_of_csv_is_the_list_of_columns() -> None:
    done = CliRunner().invoke(main, ["query", "--moves", "2,2 1,1", *NO_SEARCH, "--csv"])
    assert next(csv.reader(io.StringIO(done.stdout))) == [*key_lists()["csv"]["query"]]


def test_the_fields_of_json_are_in_the_list() -> None:
    done = CliRunner().invoke(main, ["query", "--moves", "2,2 1,1", *NO_SEARCH, "--json"])
    record, lists = json.loads(done.stdout), key_lists()["json"]
    assert list(record) == [*lists["query"]]
    assert {tuple(move) for move in record["moves"].values()} == {(*lists["query"], *lists["query, only moves"])}


def test_no_name_in_a_list_has_a_comma() -> None:
    """The comma separates columns."""
    assert [key for lists in key_lists().values() for keys in lists.values() for key in keys if "," in key] == []
