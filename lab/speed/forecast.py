"""Forecast the time of an atlas on more cores and machines, from the log of a run that did a part of it.

Positions get cheaper as the table warms. Over a run, the nodes for the first k positions on one table grow like a power
of k, C(k) = a k^p with p < 1; the fit is in logarithms. Each machine has a table, and does its share of the positions.
On one machine, n cores search n / (1 + s (n - 1)) times as many nodes a second as one, as in Amdahl's law: they wait
for the memory that they share. Nobody knows how far these laws hold beyond what was measured. So the forecast is a
range: from the power law to a table that gets no warmer than it was at the end of the log.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from generator.report.progress import duration
from runtime.files import MIB, open_text

#: How much longer a node takes for each other core of a machine, as a share: two threads, 1.93 times as fast as one.
WAITING = 0.036

#: The fewest positions that a fit is made from.
LEAST_POSITIONS = 40

#: Points of the fit, in equal steps of the logarithm, from a tenth of the log to its end.
_POINTS = 12


class ForecastError(Exception):
    """A log that no forecast can be made from; the message is one line."""


@dataclass(frozen=True)
class RunSample:
    """The finished positions of a run, in order.

    nodes: for each. rate: nodes a second of one worker.
    """

    nodes: list[int]
    rate: float


@dataclass(frozen=True)
class Law:
    """The cost of positions on one table.

    factor, power: the first k of them ``factor`` k^``power`` nodes. late: nodes for one at the end of the log, which
    has ``seen`` positions.
    """

    factor: float
    power: float
    late: float
    seen: int

    def nodes(self, positions: float) -> float:
        """Return the nodes for so many positions on one table, if it warms on as it did."""
        return self.factor * math.pow(positions, self.power)

    def nodes_at_most(self, positions: float) -> float:
        """Return the same, if the table gets no warmer than at the end of the log."""
        return self.nodes(min(positions, self.seen)) + max(0.0, positions - self.seen) * self.late


class Forecast(NamedTuple):
    """The cost on a number of cores; ``nodes``, ``seconds``: by the power law, and if the table gets no warmer."""

    cores: int
    machines: int
    nodes: tuple[float, float]
    seconds: tuple[float, float]


def read_sample(path: str | Path) -> RunSample:
    """Read a log of ``little-go generator atlas --jsonl``; raises ForecastError and OSError."""
    nodes, seconds = [], 0.0
    with open_text(path, 256 * MIB) as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
                if record["event"] == "position" and record["seconds"]:
                    nodes.append(int(record["nodes"]))
                    seconds += float(record["seconds"])
            except (ValueError, KeyError, TypeError) as error:
                raise ForecastError(f"{path}, line {number}: not from the log of atlas --jsonl: {error}") from None
    if len(nodes) < LEAST_POSITIONS:
        raise ForecastError(
            f"{path} has {len(nodes)} positions, too few for a forecast: give the log of a run with at least"
            f" {LEAST_POSITIONS}"
        )
    return RunSample(nodes, sum(nodes) / seconds)


def law_of(sample: RunSample) -> Law:
    """Return the power law that goes through the log's sums, and its end exactly.

    >>> law = law_of(RunSample([round(1000 * ((k + 1)**0.8 - k**0.8)) for k in range(400)], 1.0))
    >>> round(law.factor), round(law.power, 2)
    (1000, 0.8)
    """
    total, sums = 0, []
    for nodes in sample.nodes:
        total += nodes
        sums.append(total)
    count = len(sums)
    at = sorted({round(count * 10 ** (step / (_POINTS - 1) - 1)) for step in range(_POINTS)})
    xs, ys = [math.log(k / count) for k in at], [math.log(sums[k - 1] / sums[-1]) for k in at]
    power = min(1.0, sum(x * y for x, y in zip(xs, ys, strict=True)) / sum(x * x for x in xs))
    quarter = sample.nodes[-(count // 4) :]
    return Law(sums[-1] / count**power, power, sum(quarter) / len(quarter), count)


def forecast(
    law: Law, rate: float, positions: int, cores: Sequence[int], per_machine: int, waiting: float
) -> list[Forecast]:
    """Forecast the cost for each number of cores.

    rate: nodes a second of one core. per_machine: the most cores of a machine. waiting: s of Amdahl's law.
    """
    found = []
    for number in cores:
        machines = -(-number // per_machine)
        each = number / machines
        speed = machines * rate * each / (1 + waiting * (each - 1))
        share = positions / machines
        nodes = machines * law.nodes(share), machines * law.nodes_at_most(share)
        found.append(Forecast(number, machines, nodes, (nodes[0] / speed, nodes[1] / speed)))
    return found


def forecast_text(law: Law, sample: RunSample, found: Sequence[Forecast]) -> str:
    """Return a forecast as a table."""
    lines = [
        f"{len(sample.nodes):,} positions took {sum(sample.nodes) / 1e6:,.0f} M nodes, "
        f"{sample.rate / 1e6:.2f} M nodes a second and worker; k positions {law.factor / 1e6:,.1f} M k^{law.power:.2f}",
        "",
        "cores  machines    billion nodes      time",
    ]
    for cores, machines, nodes, seconds in found:
        work = f"{nodes[0] / 1e9:,.0f} to {nodes[1] / 1e9:,.0f}"
        lines.append(f"{cores:5,} {machines:9,} {work:>16}      {duration(seconds[0])} to {duration(seconds[1])}")
    return "\n".join(lines)
