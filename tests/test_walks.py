"""The walks through the project are short, and FLOW.md draws them as they are."""

from dataclasses import replace

import pytest

from tests.shell_blocks import ROOT
from tools.walk import WALKS, Walk, walk_text, walked

#: Files that a newcomer reads to follow a walk, at most.
MOST_FILES = 6


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_is_short_and_drawn(name: str) -> None:
    files = walked(WALKS[name])
    assert len(files) <= MOST_FILES
    assert all((ROOT / file).is_file() for file in files)
    text = (ROOT / "docs" / "explanation" / "FLOW.md").read_text("utf-8")
    assert f"$ python -m tools.walk {name}\n{walk_text(WALKS[name].what, files)}\n" in text


def test_a_stage_that_nothing_makes_is_found() -> None:
    walk = Walk("nothing", lambda: None, ("book.answers.query.Knowledge",))
    with pytest.raises(RuntimeError, match=r"no book\.answers\.query\.Knowledge on the way"):
        walked(walk)


def test_a_command_is_counted_unless_the_walk_leaves_commands_out() -> None:
    query = WALKS["query"]
    assert len(walked(query)) == len(walked(replace(query, has_commands=False))) + 1
