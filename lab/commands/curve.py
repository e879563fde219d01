"""``python -m lab curve``: what `little-go train` measured, as a picture."""

import json
from pathlib import Path

import click

from arena.learning.run import Point
from lab.games.curve import curve_svg
from runtime.errors import BadUsage
from runtime.files import MIB, open_text, write_whole
from runtime.options import FILE


@click.command()
@click.argument("lines", metavar="FILE", type=FILE, help="What `little-go train --json` has printed.")
@click.option("--out", type=FILE, required=True, help="The picture to write, as SVG.")
def curve(lines: Path, out: Path) -> None:
    """Draw the learning curve of Q-learning: the share of games won against each opponent."""
    points = []
    with open_text(lines, 256 * MIB) as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
                points.append(Point(int(record["episodes"]), {name: float(won) for name, won in record["won"].items()}))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise BadUsage(f"{lines}, line {number}: not a measurement of train --json") from None
    if not points or any(point.rates.keys() != points[0].rates.keys() for point in points):
        raise BadUsage(f"{lines}: no measurements, or of different opponents")
    write_whole(out, curve_svg(points))
    click.echo(f"{out}: {len(points)} measurements")
