"""The reactions of the page's views to clicks, in Node.js with a small substitute for the document."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("page_views.mjs")

NAMES = re.findall(r'^  (?:async )?"(.+)"\(\) \{$', SCRIPT.read_text("utf-8"), re.MULTILINE)


@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here")
@pytest.mark.parametrize("name", NAMES)
def test_a_view(name: str) -> None:
    done = subprocess.run(["node", str(SCRIPT), name], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_there_are_views_to_try() -> None:
    assert len(NAMES) == 31
