"""The pictures in docs/explanation/KERNEL.md and in the kernel's comments agree with the kernel's output."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "solver" / "native"
PICTURE = re.compile(r"<!-- picture: (\w+) -->\n```text\n(.*?)\n```", re.DOTALL)

#: The pictures whose boards are also in comments.
COMMENTS = {"groups": "kernel_board.h", "siege": "kernel_bounds.h", "last": "kernel_last_plies.h"}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here: the pictures of the kernel are not compared")
    program = tmp_path_factory.mktemp("pictures") / "kernel_pictures"
    source = Path(__file__).with_name("kernel_pictures.c")
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", source, "-o", program], check=True)
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    parts = (part.partition("\n") for part in output.split("== ")[1:])
    return {name: text.rstrip("\n") for name, _, text in parts}


def test_the_document_has_every_picture(printed: dict[str, str]) -> None:
    document = (ROOT / "docs" / "explanation" / "KERNEL.md").read_text("utf-8")
    assert dict(PICTURE.findall(document)) == printed


@pytest.mark.parametrize(("name", "file"), COMMENTS.items())
def test_a_comment_has_the_same_board(printed: dict[str, str], name: str, file: str) -> None:
    rows = [line[:9] for line in printed[name].splitlines()[:5]]
    lines = re.findall(r"^ \*     (\S \S \S \S \S)(?: |$)", (NATIVE / file).read_text("utf-8"), re.MULTILINE)
    assert any(lines[at : at + 5] == rows for at in range(len(lines)))
