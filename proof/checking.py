"""The command ``python -m proof check``: options, progress and what it says in the end."""

import os
import random
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from typing import NoReturn

import click

from proof.checker.check import (
    START,
    BadCertificate,
    Certificate,
    Fault,
    Outcome,
    State,
    Tally,
    check,
    read_certificate,
)
from runtime.display import Display

#: Seconds between plain lines.
PLAIN_INTERVAL = 30.0


@click.command("check")
@click.argument("certificate", metavar="CERTIFICATE")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes.  [default: one per core]")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Check only so many lines, drawn at random.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Draws the lines of --sample.")
@click.option("--state", metavar="FILE", help="What is checked already.  [default: CERTIFICATE.checked]")
def check_command(certificate: str, workers: int | None, sample: int | None, seed: int, state: str | None) -> None:
    """Check a certificate: a complete strategy with which one colour wins.

    By the rules alone, with a search of its own; see docs/CERTIFICATE.md. Stop it when you like: the same command goes
    on where it was. It says "proved", or names the first wrong line and exits with 1.
    """
    started = time.monotonic()
    try:
        read = read_certificate(certificate)
    except BadCertificate as error:
        _exit_wrong(error.fault)
    if read.fault is not None:
        click.echo(f"{_fault_text(read.fault)}\nchecking the lines before it", err=True)
    drawn = None
    if sample is not None:
        drawn = sorted(random.Random(seed).sample(range(len(read.lines)), min(sample, len(read.lines))))
    store = None if drawn is not None else State(state or f"{certificate}.checked", read)
    if store is not None and store.notice:
        click.echo(store.notice, err=True)
    total = len(read.lines if drawn is None else drawn)
    done = Tally()
    try:
        with Display(PLAIN_INTERVAL) as display:

            def show(tally: Tally) -> None:
                nonlocal done
                done = tally
                display.show(_standing(tally, total), tally.lines, total)

            outcome = check(read, workers=workers or _cores(), state=store, sample=drawn, show=show)
    except BrokenProcessPool:
        raise click.ClickException(f"a worker process died; {done.lines:,} of {total:,} lines checked") from None
    except KeyboardInterrupt:
        click.echo(f"interrupted: {done.lines:,} of {total:,} lines checked, no error so far", err=True)
        sys.exit(130)
    if outcome.fault is not None:
        _exit_wrong(outcome.fault)
    click.echo(_verdict(read, outcome, drawn is not None, time.monotonic() - started))


def _standing(tally: Tally, total: int) -> str:
    return f"{tally.lines:,} of {total:,} lines, {tally.leaves:,} leaves, {tally.nodes / 1e6:,.1f} M positions"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _exit_wrong(fault: Fault) -> NoReturn:
    click.echo(f"wrong: {_fault_text(fault)}")
    sys.exit(1)


def _fault_text(fault: Fault) -> str:
    return f"line {fault.number}: {fault.line or '(nothing)'}: {fault.why}"


def _verdict(certificate: Certificate, outcome: Outcome, sampled: bool, seconds: float) -> str:
    tally = outcome.tally
    work = (
        f"{tally.leaves:,} leaves, {tally.nodes:,} positions searched, "
        f"CPU {tally.cpu:,.1f} s, on the clock {seconds:,.1f} s"
    )
    if sampled:
        return f"no error in {tally.lines:,} of {len(certificate.lines):,} lines (a sample proves nothing); {work}"
    earlier = f" ({outcome.earlier:,} of the lines in an earlier run)" if outcome.earlier else ""
    return f"proved: {_claim(certificate)}: {tally.lines:,} lines, {work}{earlier}"


def _claim(certificate: Certificate) -> str:
    wins = "Black wins by 3 or more" if certificate.winner == "Black" else "White wins (Black is at most 2 ahead)"
    if certificate.starts == (START,):
        return f"{wins} from the empty board, 24 plies left"
    return f"{wins} from {', '.join(certificate.starts)}"
