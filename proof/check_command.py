"""The command ``little-go check``: options, progress and what it says in the end."""

import random
import sys
import time
from pathlib import Path
from typing import NoReturn

import click

from proof.checker.certificate import BadCertificate, Certificate, Fault, read_certificate
from proof.pool import Outcome, check, open_state
from proof.state import CheckNotes, WorkDone
from runtime.display import Display
from runtime.errors import BadUsage, exit_interrupted
from runtime.options import FILE, seed_option, workers_option
from runtime.release import here_or_shipped

#: Exit code of a verdict that rests on notes.
BELIEVED = 3

#: Seconds between plain lines.
PLAIN_INTERVAL = 30.0


@click.command("check")
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True)
@workers_option("Number of processes.")
@click.option("--sample", type=click.IntRange(1), help="Check only so many lines of each, drawn at random.")
@seed_option("Chooses the lines that --sample draws.")
@click.option(
    "--notes",
    type=FILE,
    help="Note in this file what has been checked, and trust its notes of earlier checks of the same certificate.",
)
def check_command(
    certificates: tuple[str, ...], workers: int, sample: int | None, seed: int, notes: Path | None
) -> None:
    """Check certificates: strategies by which one side guarantees a bound on the result.

    Name files, or those that ship without ".cert.gz": game-at-least-3.

    It uses only the rules and a search of its own; see docs/reference/CERTIFICATE.md. For each certificate it prints
    "proved", or names the first wrong line and exits with 1. A verdict that counts lines checked
    earlier, according to --notes, begins with that and exits with 3.
    """
    if notes is not None and (sample is not None or len(certificates) > 1):
        raise BadUsage("--notes needs exactly one certificate and no --sample")
    for path in certificates:
        if len(certificates) > 1:
            click.echo(f"{path}: ", nl=False)
        check_one(path, workers, sample, seed, notes)


def check_one(path: str, workers: int, sample: int | None, seed: int = 0, notes: Path | None = None) -> None:
    """Check a certificate, or so many lines of it, and say what was found; exit if it is wrong or rests on notes."""
    started = time.monotonic()
    read, state = _open(path, notes)
    drawn = None
    if sample is not None:
        drawn = sorted(random.Random(seed).sample(range(len(read.lines)), min(sample, len(read.lines))))
    total = len(read.lines if drawn is None else drawn)
    done = WorkDone()
    try:
        with Display(PLAIN_INTERVAL) as display:

            def show(tally: WorkDone) -> None:
                nonlocal done
                done = tally
                display.show(f"{Path(path).name}: {_standing(tally, total)}", tally.lines, total)

            outcome = check(read, workers=workers, state=state, sample=drawn, show=show)
    except KeyboardInterrupt:
        exit_interrupted(f"interrupted: {done.lines:,} of {total:,} lines checked, no error so far")
    finally:
        if state is not None:
            state.close()
    if outcome.fault is not None:
        _exit_wrong(outcome.fault)
    click.echo(_verdict(read, outcome, drawn is not None, time.monotonic() - started, notes))
    if outcome.earlier:
        sys.exit(BELIEVED)


def _open(path: str, notes: Path | None) -> tuple[Certificate, CheckNotes | None]:
    try:
        read = read_certificate(str(_file_of(path)))
    except BadCertificate as error:
        _exit_wrong(error.fault)
    if read.fault is not None:
        click.echo(f"{_fault_text(read.fault)}\nchecking the lines before it", err=True)
    return read, None if notes is None else open_state(notes, read)


def _file_of(name: str) -> Path:
    folders = ("proof/certificates", "proof/certificates/large")
    named = [here_or_shipped(each) for each in (name, *(f"{folder}/{name}.cert.gz" for folder in folders))]
    return next(filter(Path.exists, named), named[0])


def _standing(tally: WorkDone, total: int) -> str:
    return f"{tally.lines:,} of {total:,} lines, {tally.leaves:,} leaves, {tally.nodes / 1e6:,.1f} M positions"


def _exit_wrong(fault: Fault) -> NoReturn:
    click.echo(f"wrong: {_fault_text(fault)}")
    sys.exit(1)


def _fault_text(fault: Fault) -> str:
    return f"line {fault.number}: {fault.line or '(nothing)'}: {fault.why}"


def _verdict(certificate: Certificate, outcome: Outcome, sampled: bool, seconds: float, notes: Path | None) -> str:
    tally = outcome.tally
    work = (
        f"{tally.leaves:,} leaves, {tally.nodes:,} positions searched, "
        f"CPU {tally.cpu:,.1f} s, on the clock {seconds:,.1f} s"
    )
    if sampled:
        return f"no error in {tally.lines:,} of {len(certificate.lines):,} lines (a sample proves nothing); {work}"
    counting = f", counting {outcome.earlier:,} lines checked earlier, according to {notes}" if outcome.earlier else ""
    return f"proved{counting}: {claim_text(certificate)}: {tally.lines:,} lines, {work}"


def claim_text(certificate: Certificate) -> str:
    """Put a certificate's claim into words."""
    claim = certificate.claim
    side, bound = ("Black", "or more") if claim.black else ("White", "or less")
    starts = ", ".join(_start_text(start.text, start.reached) for start in certificate.starts)
    return f"{side} can keep Black - White at {claim.bound:+d} {bound} {starts}{_meaning(claim.black, claim.bound)}"


def _start_text(text: str, reached: bool) -> str:
    if text == "empty":
        return "from the empty board"
    if (text[0].isdigit() and text[1] == ",") or text.startswith("PASS"):
        return f"after {text}"
    return f"from {text}" + ("" if reached else ", which no game is shown to reach")


def _meaning(black: bool, bound: int) -> str:
    if black and bound >= 3:
        return "; so Black wins"
    return "; so White wins" if not black and bound <= 2 else ""
