"""The pictures in KERNEL.md and in the kernel's comments agree with the output of kernel_pictures.c."""

import re
import shutil
from pathlib import Path

import pytest

from tests.solver.kernel_pictures import DOCUMENT, pictures_of, printed_pictures, with_pictures

NATIVE = Path(__file__).parents[2] / "solver" / "native"

TEXT = DOCUMENT.read_text("utf-8")
SHOWN = pictures_of(TEXT)

#: The pictures whose boards are also in comments.
COMMENTS = {"groups": "kernel_board.h", "siege": "kernel_bounds.h", "last": "kernel_last_plies.h"}


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here: the pictures of the kernel are not compared")
    return printed_pictures()


def test_the_document_has_every_picture(printed: dict[str, str]) -> None:
    assert SHOWN.keys() == printed.keys()


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_is_what_the_kernel_prints(printed: dict[str, str], name: str) -> None:
    """If the change is intended, run ``python -m tools.affected --accept``."""
    assert SHOWN[name].splitlines() == printed[name].splitlines()


def test_pictures_are_written_into_their_places() -> None:
    others = {name: f"{name} 1\n\n{name} 2\n" for name in SHOWN}
    changed = with_pictures(TEXT, others)
    assert pictures_of(changed) == others
    assert with_pictures(changed, SHOWN) == TEXT


@pytest.mark.parametrize(("name", "file"), COMMENTS.items())
def test_a_comment_has_the_same_board(printed: dict[str, str], name: str, file: str) -> None:
    rows = [line[:9] for line in printed[name].splitlines()[:5]]
    lines = re.findall(r"^ \*     (\S \S \S \S \S)(?: |$)", (NATIVE / file).read_text("utf-8"), re.MULTILINE)
    assert any(lines[at : at + 5] == rows for at in range(len(lines)))
