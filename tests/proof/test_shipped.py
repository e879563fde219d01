"""The shipped certificates: their files, their claims, and a few lines of each."""

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.proof.check import check
from little_go.proof.checker.certificate import read_certificate
from little_go.proof.checker.rules import Claim
from little_go.proof.compiled import compiled_checker

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "proof" / "certificates"

CLAIMS = {
    "large/after-0-0-and-0-2-at-least-minus-3.cert.gz": (Claim(True, -3), ["0,0", "0,2"]),
    "large/after-0-1-and-1-1-at-least-minus-2.cert.gz": (Claim(True, -2), ["0,1", "1,1"]),
    "after-0-0-and-0-2-at-most-minus-3.cert.gz": (Claim(False, -3), ["0,0", "0,2"]),
    "after-0-1-and-1-1-at-most-minus-2.cert.gz": (Claim(False, -2), ["0,1", "1,1"]),
    "after-1-2-at-least-0.cert.gz": (Claim(True, 0), ["1,2"]),
    "after-1-2-at-most-0.cert.gz": (Claim(False, 0), ["1,2"]),
    "game-at-least-3.cert.gz": (Claim(True, 3), ["empty"]),
    "game-at-most-3.cert.gz": (Claim(False, 3), ["empty"]),
    "others-at-most-2.cert.gz": (Claim(False, 2), ["0,0", "0,1", "0,2", "1,1", "1,2"]),
}

#: Reading one of the other certificates takes seconds.
SMALLEST = "after-1-2-at-most-0.cert.gz"


def test_the_sums_are_those_of_the_files() -> None:
    rows = (FOLDER / "SHA256SUMS").read_text("ascii").splitlines()
    names = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.gz")}
    assert {row.split("  ")[1] for row in rows} == names == set(CLAIMS)
    for row in rows:
        digest, name = row.split("  ")
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest


#: Two lines of these certificates take over half a minute.
SLOW = {
    "after-1-2-at-least-0.cert.gz",
    "large/after-0-0-and-0-2-at-least-minus-3.cert.gz",
    "large/after-0-1-and-1-1-at-least-minus-2.cert.gz",
    "others-at-most-2.cert.gz",
}


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """Return the pytest marks of a certificate: one certificate is fast, and a few are slow."""
    return [] if name == SMALLEST else [pytest.mark.long if name in SLOW else pytest.mark.system]


@pytest.mark.system
@pytest.mark.parametrize("few", [2, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", [pytest.param(name, marks=marks_of(name)) for name in CLAIMS])
def test_it_says_what_it_should_and_a_few_lines_are_right(name: str, few: int) -> None:
    certificate = read_certificate(FOLDER / name)
    assert certificate.fault is None
    assert (certificate.claim, [start.text for start in certificate.starts]) == CLAIMS[name]
    assert all(start.reached for start in certificate.starts)
    every = range(0, len(certificate.lines), len(certificate.lines) // few)
    outcome = check(certificate, sample=list(every))
    assert outcome.fault is None
    assert outcome.tally.leaves >= 2 * few // 3


def test_the_name_of_one_that_ships_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(main, ["check", "after-1-2-at-most-0", "--sample", "1"])
    assert (run.exit_code, run.output.startswith("no error in 1 of ")) == (0, True), run.output
    run = CliRunner().invoke(main, ["check", "after-1-2"])
    assert (run.exit_code, run.output) == (2, "Error: after-1-2: No such file or directory\n")


@pytest.mark.long
def test_the_compiled_checker_searches_what_the_source_does() -> None:
    certificate = read_certificate(FOLDER / SMALLEST)
    some = range(0, len(certificate.lines), 600)
    compiled, source = (check(certificate, sample=some, compiled=each) for each in (compiled_checker(), None))
    assert compiled.fault is None
    assert compiled.tally[:3] == source.tally[:3]
    # The leaves and the first line, which is no leaf.
    assert compiled.again.lines == compiled.tally.leaves + 1 == 36
