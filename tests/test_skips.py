"""What is skipped is counted and named, and fails a run that allows no skips."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT
from tests.skips import ALLOWED, VARIABLE, last_line


def test_programs_are_named_once_with_what_installs_them() -> None:
    reasons = Counter({"no node here: WebAssembly is not run": 2, "no node here": 1, "not in a clone": 1})
    assert last_line(reasons, []) == (
        "4 tests skipped without node: `make programs` installs what there is for this system"
    )
    assert last_line(Counter({"not in a clone": 1}), ["not in a clone"]) == (
        "1 test skipped. This run allows no skips: not in a clone"
    )


@pytest.mark.system
@pytest.mark.parametrize(
    ("reason", "allows", "code"), [("no node here", "", 0), ("no node here", "1", 1), (ALLOWED[1], "1", 0)]
)
def test_a_run_that_allows_no_skips_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, allows: str, code: int
) -> None:
    (tmp_path / "test_it.py").write_text(
        f"import pytest\n\n\ndef test_one() -> None:\n    pytest.skip({reason!r})\n\n\n"
        f"def test_two() -> None:\n    pytest.skip({ALLOWED[0]!r})\n"
    )
    monkeypatch.setenv(VARIABLE, allows)
    options = ["-q", "-c", "/dev/null", "-p", "no:cacheprovider", "-p", "tests.skips"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    last = done.stdout.splitlines()[-1]
    assert last.startswith("2 tests skipped without node" if reason == "no node here" else "2 tests skipped")
    assert last.endswith("This run allows no skips: no node here") == bool(code)
