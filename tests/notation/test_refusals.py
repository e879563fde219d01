"""The messages about refused texts (``refusals.jsonl``) quote the deciding part and state the remedy.

The first row with a refusal of ``notation/forms.toml`` contains the message in full (``said``). Other rows contain the
refusal's name, its values, and the place (``at``), so that a change of the message concerns one row.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.notation.ports import refusal, table
from little_go.solver.position import OCCUPIED
from tests.options import NO_SEARCH

ROWS: list[dict[str, Any]] = [
    json.loads(row) for row in Path(__file__).with_name("refusals.jsonl").read_text("utf-8").split("\n")[:-1]
]


def message_of(row: dict[str, Any]) -> str:
    """Return the message that a row expects.

    The last value is the name of a state if the refusal says what is possible after it. If a line could decide the
    answer, the values do not contain the remedy.
    """
    if "said" in row:
        return str(row["said"]).replace("{occupied}", OCCUPIED)
    name, values = row["refusal"], list(row.get("values", []))
    if name in ("word", "no-word", "text-ends"):
        values[-1] = table()["state"][values[-1]]["wanted"]
    elif name == "decides":
        values += [one["remedy"] for one in table()["decides"] if one["what"] == values[-1]]
    message = refusal(name, *values).wanted
    return f"{row['at']}: {message}" if "at" in row else message


REFUSED = [(row["input"], message_of(row)) for row in ROWS]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_a_refusal_names_the_part_and_the_way_out(text: str, said: str) -> None:
    done = CliRunner().invoke(main, ["query", "-", *NO_SEARCH], input=text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [f"Error: -: {said}"]


def test_there_are_many_and_the_table_has_most_of_them() -> None:
    assert len(ROWS) >= 60
    full = [row["said"] for row in ROWS if "said" in row]
    texts = {name: re.split(r"[<{]\d[>}]", text) for name, (_, text) in table()["refuse"].items()}
    forms = {name: ".+".join(map(re.escape, parts)) for name, parts in texts.items()}
    in_full = {name for name, form in forms.items() if any(re.search(f"{form}$", message) for message in full)}
    assert len(in_full) >= 40
    assert {row["refusal"] for row in ROWS if "refusal" in row} <= in_full
