"""The messages about refused texts (``refusals.jsonl``) quote the deciding part and state the remedy."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.notation.ports import table

REFUSED = [
    (row["input"], row["said"])
    for row in map(json.loads, Path(__file__).with_name("refusals.jsonl").read_text("utf-8").split("\n")[:-1])
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_a_refusal_names_the_part_and_the_way_out(text: str, said: str) -> None:
    done = CliRunner().invoke(main, shlex.split("query - --live 0"), input=text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [f"Error: -: {said}"]


def test_there_are_many_and_the_table_has_most_of_them() -> None:
    assert len(REFUSED) >= 60
    sentences = {name: text.split("<")[0].split("{")[0] for name, (_, text) in table()["refuse"].items()}
    said = "\n".join(said for _, said in REFUSED)
    assert sum(len(begin) > 8 and begin in said for begin in sentences.values()) >= 25
