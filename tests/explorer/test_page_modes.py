"""The modes and the cards of the page, in one Node.js process with a small substitute for the document."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("page_modes.mjs")

NAMES = re.findall(r'^  (?:async )?"(.+)"\(\) \{$', SCRIPT.read_text("utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def errors() -> dict[str, str]:
    """Return the error of each test of the script, or "" if the test passed."""
    done = subprocess.run(["node", str(SCRIPT)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here")
@pytest.mark.parametrize("name", NAMES)
def test_a_mode(errors: dict[str, str], name: str) -> None:
    assert errors[name] == ""


def test_all_tests_of_the_script_are_found() -> None:
    assert len(NAMES) == SCRIPT.read_text("utf-8").count('"() {\n') > 3
