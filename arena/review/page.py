"""Reviewed games as one HTML page: where each agent goes wrong most, its dearest moves with boards, and its CPU time.

The page needs no script and no other file, and asks nobody for anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import fmean

from arena.review.review import Mistake
from arena.review.summary import AgentSummary
from arena.review.text import cost_text
from arena.standings.tally import counted, seconds_text
from book.drawing.picture import STYLE, mistake_svg
from runtime.svg import writable
from solver.colours import COLOURS
from solver.position import move_name

#: So many moves are shown with their boards.
MOST_BOARDS = 10

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Little-Go: where the games were lost</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>Where the games were lost</h1>
<p>A <b>mistake</b> is a move that is proven to be worth less than the best one; its cost is in points. On the boards
<span class="sign bad">?</span> is the move played, <span class="sign good">!</span> a better one. Why it is better is
told by rule, from best play after both.</p>
"""


def report_page(summaries: Mapping[str, AgentSummary]) -> str:
    """Return a page on agents, in the order given, by their names, which may be any text."""
    styles = (STYLE, Path(__file__).with_suffix(".css"))
    head = _HEAD.format(style="".join(path.read_text("utf-8") for path in styles))
    names = [_name(name) for name in summaries]
    links = "".join(f'<li><a href="#agent-{at}">{name}</a></li>' for at, name in enumerate(names, 1))
    sections = [
        f'<section id="agent-{at}">\n<h2>{name}</h2>\n{_agent(summary)}\n</section>'
        for at, (name, summary) in enumerate(zip(names, summaries.values(), strict=True), 1)
    ]
    contents = [f"<nav><ul>{links}</ul></nav>"] if len(names) > 1 else []
    return writable("\n".join([head, *contents, *sections, "</main>\n</body>\n</html>\n"]))


def _name(name: str) -> str:
    """Return a name that cannot change what is around it, whatever its signs and whichever way it is written."""
    return f"<bdi>{escape(name)}</bdi>"


def _agent(summary: AgentSummary) -> str:
    cost = sum(mistake.cost for mistake in summary.mistakes)
    facts = [
        counted(summary.games, "game"),
        f"{summary.lost} lost, {summary.threw_away} of them thrown away from a win" if summary.lost else "none lost",
        *([f"{summary.faults} lost by a fault"] if summary.faults else []),
        f"{counted(len(summary.mistakes), 'mistake')}, {counted(cost, 'point')} given away",
    ]
    parts = [f'<p class="facts">{"; ".join(facts)}.</p>', "<h3>Against whom</h3>", _against(summary)]
    if dearest := summary.by_move()[:MOST_BOARDS]:
        boards = "\n".join(_card(alike) for alike in dearest)
        parts += ["<h3>The dearest moves</h3>", f'<div class="cards">\n{boards}\n</div>']
    if summary.mistakes:
        parts += ["<h3>By kind</h3>", _kinds(summary)]
    return "\n".join([*parts, "<h3>By ply</h3>", _plies(summary)])


def _against(summary: AgentSummary) -> str:
    rows = [
        [
            _name(name),
            *(f"{games.won[colour]}/{games.games[colour]}" for colour in COLOURS),
            f"{games.threw_away}",
            f"{games.points}",
        ]
        for name, games in summary.against.items()
    ]
    return _table(["opponent", "won as Black", "won as White", "thrown away", "points given"], rows)


def _kinds(summary: AgentSummary) -> str:
    found = [(kind, counts) for kind, counts in summary.by_kind().items() if counts[0]]
    most = max(cost for _, (_, _, cost) in found)
    rows = [
        [kind, *map(str, counts[:2]), _bar(counts[2], most)]
        for kind, counts in sorted(found, key=lambda each: (-each[1][1], -each[1][2]))
    ]
    return _table(["kind", "mistakes", "lost the win", "points"], rows)


def _plies(summary: AgentSummary) -> str:
    by_ply = summary.by_ply()
    most = max((cost for _, _, cost in by_ply.values()), default=0)
    head, rows = ["ply", "moves", "mistakes", "lost the win", "points"], []
    for ply in sorted(summary.plies.keys() | summary.cpu.keys()):
        count, decisive, cost = by_ply.get(ply, (0, 0, 0))
        row = [f"{ply}", f"{summary.plies[ply]}", f"{count or ''}", f"{decisive or ''}", _bar(cost, most)]
        seconds = summary.cpu.get(ply)
        clock = [seconds_text(fmean(seconds)), seconds_text(max(seconds))] if seconds else ["", ""]
        rows.append([*row, *(clock if summary.cpu else [])])
    return _table([*head, *(["CPU mean", "max"] if summary.cpu else [])], rows)


def _card(alike: Sequence[Mistake]) -> str:
    """Return a board with what is to say of mistakes that are alike."""
    first = alike[0]
    better = first.instead[0] if first.instead else None
    times = "" if len(alike) == 1 else f", {len(alike)} times"
    instead = "" if better is None else f" instead of <b>{move_name(better)}</b>"
    head = f"Ply {first.ply}{times}: {COLOURS[first.mover]} <b>{move_name(first.move)}</b>{instead}"
    why = "" if first.reason is None else f"\n<p>{escape(first.reason.text)}</p>"
    return (
        f"<article>\n{mistake_svg(first.position, first.move, better)}\n<h4>{head}</h4>\n"
        f'<p class="cost">{escape(cost_text(first))} ({first.kind})</p>{why}\n</article>'
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells are HTML. Where it is too wide it can be scrolled, by the keyboard too."""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = [f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>' for row in rows]
    rows_text = "\n".join([f"<thead><tr>{heads}</tr></thead>", *lines])
    return f'<div class="wide" tabindex="0"><table>\n{rows_text}\n</table></div>'


def _bar(count: int, most: int) -> str:
    """Return a number with a bar behind it, of its share of the most."""
    return f'<span class="bar" style="--share: {100 * count / most:.0f}%">{count}</span>' if count else ""
