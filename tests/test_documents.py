"""The commands in the documents do what the documents show; the convention is in tests/shell_blocks.py."""

import re
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT, blocks_of, lay_out, run_document

DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("data/*.md")]
    if path.name not in ("CHANGELOG.md", "DECISIONS.md")
)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_what_a_document_shows_is_what_happens(document: Path, tmp_path: Path) -> None:
    blocks = blocks_of((ROOT / document).read_text("utf-8"))
    if any(not step.why for block in blocks for step in block.steps):
        lay_out(tmp_path / "clone")
        wrong = run_document(blocks, tmp_path / "clone")
        assert not wrong, f"{document}\n" + "\n\n".join(wrong)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_block_of_a_shell_is_a_console(document: Path) -> None:
    """Others would not be run."""
    assert re.findall(r"^```(?:sh|bash|shell)$", (ROOT / document).read_text("utf-8"), re.MULTILINE) == []
