"""``python -m lab bench-host``: how fast the host is."""

import json
import sys
from collections.abc import Iterator

import click

from arena.match.limits import SandboxError
from lab.speed import host_speed as speed
from runtime.options import json_option


@click.command("bench-host")
@json_option("Print one JSON object; times in seconds.")
def bench_host(as_json: bool) -> None:
    """Measure the host on a fixed workload, which takes some minutes on one core.

    First it referees games in this process, greedy against greedy, by CPU time. Then it calls a program that writes
    PASS at once, through input.txt and output.txt, and compares this with bare starts of that program: both by the
    clock, and the CPU time that the host itself adds. Six students play all games of 2025: the CPU of their opponents.
    Last, ten games of programs that take 0.1 s a move, as a class has them, without a sandbox and in one: the CPU of
    host, warden and records as a share of the programs' own, and with that of the opponents.
    """
    games = speed.measure_refereeing(speed.GAMES)
    rate = games.games / games.seconds
    if not as_json:
        click.echo(f"{games.games:,} games, {games.plies:,} plies: {games.seconds:.2f} s, {rate:,.0f} games/s")
    calls = speed.measure_calling(speed.CALLS, [sys.executable, "-I", "-S"])
    if not as_json:
        call, start, overhead = (f"{1000 * part:.2f} ms" for part in (calls.call, calls.start, calls.overhead))
        click.echo(
            f"{calls.calls} calls of a program: {call} each, a bare start {start}; the host adds {overhead} of CPU"
        )
    opponents = speed.measure_opponents(speed.STUDENTS, speed.SCHEME)
    if not as_json:
        click.echo(
            f"{opponents.students} students, {opponents.games:,} games of 2025: opponents take "
            f"{1000 * opponents.seconds:.1f} ms of CPU for each call of a program, "
            f"{1000 * opponents.championship:.1f} ms of it championship"
        )
    classes = list(_class_games(opponents.seconds, as_json))
    if as_json:
        refereeing = {**games._asdict(), "games_per_second": round(rate)}
        found = [{**each._asdict(), "share": each.share} for each in classes]
        more = {"opponents": opponents._asdict(), "class": found}
        click.echo(json.dumps({"refereeing": refereeing, "calling": calls._asdict(), **more}))


def _class_games(opponents: float, as_json: bool) -> Iterator[speed.ClassGames]:
    for sandboxed in (False, True):
        try:
            found = speed.measure_class(speed.CLASS_GAMES, sandboxed)
        except SandboxError as error:
            click.echo(str(error), err=True)
            return
        if not as_json:
            own, host, where = 1000 * found.own, 1000 * found.host, "in" if sandboxed else "outside"
            click.echo(
                f"{found.games} games, {found.calls} calls of programs of 0.1 s {where} a sandbox: "
                f"{own:.1f} ms of CPU each; host, warden and records {host:.1f} ms, {100 * found.share:.1f} %; with "
                f"opponents {100 * (found.share + opponents / found.own):.1f} %"
            )
        yield found
