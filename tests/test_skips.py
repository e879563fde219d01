"""The tests that a run omits are counted and listed."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT
from tests.skips import ALLOWED, VARIABLE, by_file, last_line


def test_programs_are_named_once_with_what_installs_them() -> None:
    reasons = Counter({"no Node.js here: it runs": 2, "no Node.js here": 1, "no R here": 4, "not in a clone": 1})
    assert last_line(reasons, []) == (
        "8 tests skipped without R (4), Node.js (3): `make programs` installs what there is for this system"
    )
    assert last_line(Counter({"not in a clone": 1}), ["not in a clone"]) == (
        "1 test skipped. This run allows no skips: not in a clone"
    )


@pytest.mark.system
@pytest.mark.parametrize(
    ("reason", "allows", "code"), [("no Node.js here", "", 0), ("no Node.js here", "1", 1), (ALLOWED[1], "1", 0)]
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
    assert last.startswith("2 tests skipped without Node.js (1)" if reason == "no Node.js here" else "2 tests skipped")
    assert last.endswith("This run allows no skips: no Node.js here") == bool(code)


#: Files whose tests are all long, each with the file whose tests try the same thing for each change.
ALL_LONG = {
    "tests/arena/classroom/test_class_of_sixty.py": "tests/arena/commands/test_classroom.py",
    "tests/arena/match/test_cgroup2.py": "tests/arena/match/test_sandbox.py",
    "tests/test_cross.py": "tests/solver/test_wasm.py",
}


#: A program that prints the files whose tests are all long.
COLLECTED = """
import pytest

class Kinds:
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items):
        always = {item.location[0] for item in items if not item.get_closest_marker("long")}
        print("all long:", *sorted({item.location[0] for item in items} - always))

raise SystemExit(pytest.main(["--collect-only", "-qq", "tests"], plugins=[Kinds()]))
"""


@pytest.mark.system
def test_no_kind_of_test_is_left_to_long_runs() -> None:
    """Each file has tests that run for each change, or is listed with another file that has such tests."""
    done = subprocess.run([sys.executable, "-c", COLLECTED], cwd=ROOT, capture_output=True, text=True, check=True)
    (found,) = [line for line in done.stdout.splitlines() if line.startswith("all long:")]
    assert found.split()[2:] == sorted(ALL_LONG)
    assert all((ROOT / each).is_file() for each in ALL_LONG.values())


def test_functions_that_are_left_are_listed_by_file() -> None:
    left = Counter({"tests/test_b.py::test_two": 1, "tests/test_a.py::test_one": 3, "tests/test_b.py::test_one": 1})
    assert by_file(left) == ["tests/test_a.py: test_one (3)", "tests/test_b.py: test_one, test_two"]


@pytest.mark.system
@pytest.mark.parametrize(
    ("processes", "marks"),
    [([], "system and not long"), (["-n", "2"], "system and not long"), ([], "not long")],
    ids=["one process", "two processes", "other tests"],
)
def test_a_run_of_system_tests_lists_the_long_ones(tmp_path: Path, processes: list[str], marks: str) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    long\n    system\n")
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n\n@pytest.mark.system\ndef test_one() -> None:\n    pass\n\n\n"
        "@pytest.mark.long\n@pytest.mark.parametrize('number', [1, 2])\ndef test_two(number: int) -> None:\n    pass\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "-p", "tests.skips", "-m", marks, *processes]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", tmp_path / "pytest.ini", tmp_path],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    listed = "2 tests are left to `make test-long`:\n  test_it.py: test_two (2)\n"
    assert (listed in done.stdout) == marks.startswith("system"), done.stdout


#: A test that passes or fails, and one that does not end, or that handles Ctrl-C. The seed 1 keeps their order. The
#: second test has a fixture, which can raise an error when the tests end.
SLICED = """
import time

import pytest


@pytest.fixture(scope="session")
def browser():
    yield
    {cleanup}


def test_one():
    assert not {fails}


def test_two(browser):
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        {reaction}
"""


@pytest.mark.system
@pytest.mark.parametrize(
    ("reaction", "fails", "cleanup"),
    [
        ("raise", False, "pass"),
        ("raise", True, "pass"),
        ("raise", False, "raise RuntimeError"),
        ("raise ValueError", False, "pass"),
        ("pass", True, "pass"),
    ],
)
def test_a_slice_of_the_long_tests_ends_after_its_seconds(
    tmp_path: Path, reaction: str, fails: bool, cleanup: str
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(SLICED.format(fails=fails, reaction=reaction, cleanup=cleanup))
    options = ["-q", "-p", "no:cacheprovider", "-p", "tests.skips", "-p", "tests.slices"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", tmp_path / "pytest.ini", tmp_path],
        cwd=ROOT,
        env={**os.environ, VARIABLE: "1", "LITTLE_GO_SLICE": "1 3"},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == fails, done.stdout
    said = "1 of 2 tests in 3 s, in the order by 1\ntest_it.py: test_one\nnot finished: test_it.py::test_two\n"
    assert said in done.stdout


@pytest.mark.system
def test_a_slice_without_an_end_tests_all_in_another_order(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_one():\n    pass\n\n\ndef test_two():\n    pass\n")
    options = ["-v", "-p", "no:cacheprovider", "-p", "tests.slices", "-p", "no:randomly"]
    orders = set()
    for seed in (1, 3):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, "-c", tmp_path / "pytest.ini", tmp_path],
            cwd=ROOT,
            env={**os.environ, "LITTLE_GO_SLICE": f"{seed} 60"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"2 of 2 tests in 60 s, in the order by {seed}\n" in done.stdout
        orders.add(done.stdout.index("test_one") < done.stdout.index("test_two"))
    assert orders == {False, True}
