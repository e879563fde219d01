"""``python -m lab bench-host``: how fast the host is."""

import json
import sys

import click

from lab.speed import host_speed as speed
from runtime.options import json_option


@click.command("bench-host")
@json_option("Print one JSON object; times in seconds.")
def bench_host(as_json: bool) -> None:
    """Measure the host on a fixed workload, which takes some seconds on one core.

    First it referees games in this process, greedy against greedy, by CPU time. Then it calls a program that writes
    PASS at once, through input.txt and output.txt, and compares this with bare starts of that program: both by the
    clock, and the CPU time that the host itself adds.
    """
    games = speed.measure_refereeing(speed.GAMES)
    rate = games.games / games.seconds
    if not as_json:
        click.echo(f"{games.games:,} games, {games.plies:,} plies: {games.seconds:.2f} s, {rate:,.0f} games/s")
    calls = speed.measure_calling(speed.CALLS, [sys.executable, "-I", "-S"])
    if as_json:
        refereeing = {**games._asdict(), "games_per_second": round(rate)}
        click.echo(json.dumps({"refereeing": refereeing, "calling": calls._asdict()}))
    else:
        call, start, overhead = (f"{1000 * part:.2f} ms" for part in (calls.call, calls.start, calls.overhead))
        click.echo(
            f"{calls.calls} calls of a program: {call} each, a bare start {start}; the host adds {overhead} of CPU"
        )
