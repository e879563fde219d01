"""The old names of the packages, which also work in a clone: ``from book import …`` and ``python -m ROOM``."""

import subprocess
import sys

import pytest

import book
import little_go
import little_go.book
import solver
from little_go.__main__ import PACKAGES
from little_go.solver.position import Position
from tests.test_layout import ROOT


def test_the_public_names_are_the_same_objects() -> None:
    assert book.open_book is little_go.open_book
    assert solver.Position is Position
    public = [[name for name in dir(each) if name[:2] != "__"] for each in (book, little_go.book)]
    assert public[0] == public[1]
    assert "open_book" in public[0]


@pytest.mark.parametrize("room", sorted({*PACKAGES} - {"solver"}))
@pytest.mark.parametrize("package", ["", "little_go."])
def test_a_room_is_called_by_python_m(package: str, room: str) -> None:
    command = [sys.executable, "-m", f"{package}{room}", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"Usage: python -m {package}{room} ")
