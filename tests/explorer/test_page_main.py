"""The page's modules in Node.js, with the page's data and its kernel: actions, searches, addresses and facts."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

SCRIPTS = ("page_main.mjs", "page_engine.mjs")


def script_of(name: str) -> Path:
    return Path(__file__).with_name(name)


def names_in(name: str) -> list[str]:
    return re.findall(r'^  (?:async )?"(.+)"\(\) \{$', script_of(name).read_text("utf-8"), re.MULTILINE)


@cache
def results_of(name: str) -> dict[str, str | None]:
    """Return the error of each test of a script, or None if the test passes. One process runs all tests of a script."""
    done = subprocess.run(["node", script_of(name)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return dict(json.loads(line) for line in done.stdout.splitlines())


pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here")


@pytest.mark.parametrize(("name", "test"), [(name, test) for name in SCRIPTS for test in names_in(name)])
def test_the_page(name: str, test: str) -> None:
    assert results_of(name)[test] is None


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_test_ran_and_no_promise_was_rejected(name: str) -> None:
    assert [*results_of(name)] == names_in(name)
