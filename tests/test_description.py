"""The description for a package index: the README without links to files that only the repository has."""

import re
import subprocess
import sys

from tests.shell_blocks import ROOT


def test_the_long_description_has_no_relative_link_and_keeps_the_words() -> None:
    done = subprocess.run(
        [sys.executable, "setup.py", "--long-description"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    text = done.stdout
    assert [link for link in re.findall(r"\]\(([^)]*)\)", text) if not link.startswith("https://")] == []
    assert "<!--" not in text
    assert "Start with your first agent." in " ".join(text.split())
    assert text.count("```console") > 4
