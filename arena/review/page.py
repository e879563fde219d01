"""Reviewed games as an HTML page: each agent's first repairs, its expensive moves, and its CPU time.

The page has no script and makes no requests.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from statistics import fmean

from arena.review.fault import Fault
from arena.review.review import Mistake
from arena.review.summary import AgentSummary, lengths_text
from arena.review.text import cost_text
from arena.standings.tally import count_text, seconds_text
from book.drawing.picture import STYLE, mistake_svg, writable
from runtime.files import MIB, read_text
from solver.bounds import COLOURS
from solver.family import COURSE
from solver.position import GAME_PLIES, move_name, parse_move

#: Moves shown with their boards, and those that lost the win among the first repairs.
MOST_BOARDS, MOST_FIRST = 10, 3

#: Lessons on a student's page.
MOST_LESSONS = 3

#: Further games named for the same fault.
MOST_OTHERS = 5

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'{policy}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
"""

#: Names of points, plies, results and groups, given the plies of a game.
_NAMING = """<p>A point is named by its row and its column, from 0 to 4, as in input.txt: 0,0 is at the top left. A
<b>ply</b> is one move of one side; a game has {}, and Black has the odd ones. <i>B+0.5</i> is a win for Black by half a
point. Stones of one colour that touch share their <b>liberties</b>, the empty points beside them: stones without one
are taken, and stones with one are in <b>atari</b>.</p>
"""

NAMING = _NAMING.format(GAME_PLIES)

#: Meaning of the words and signs on a page of reviews.
_GLOSSARY = """<p>A <b>fault</b> loses the game at once, whatever the board is worth: a move that the rules forbid,
no move, or one that took too long. A <b>mistake</b> is a move that is proven to be worth less than the best one; its
cost is in points. On the boards <span class="sign bad">?</span> is the move played, <span class="sign good">!</span> a
better one, and frames mark the points that the reason names. Why it is better is told by rule, from best play after
both.</p>
"""

GLOSSARY = _GLOSSARY + NAMING


def report_page(summaries: Mapping[str, AgentSummary]) -> str:
    """Return a page on agents, in the given order, by their names, which may be any text."""
    names = [name_html(name) for name in summaries]
    links = "".join(f'<li><a href="#agent-{at}">{name}</a></li>' for at, name in enumerate(names, 1))
    sections = [
        f'<section id="agent-{at}">\n<h2>{name}</h2>\n{agent_html(summary)}\n</section>'
        for at, (name, summary) in enumerate(zip(names, summaries.values(), strict=True), 1)
    ]
    contents = [f"<nav><ul>{links}</ul></nav>"] if len(names) > 1 else []
    heading = "<h1>Where the games were lost</h1>"
    variants = {variant for summary in summaries.values() for variant in summary.variants} or {COURSE}
    others = [] if variants == {COURSE} else [f"<p>Games of {'; '.join(map(str, sorted(variants)))}.</p>"]
    naming = _NAMING.format(lengths_text(variants))
    return whole_page(
        "Little-Go: where the games were lost", [heading, *others, _GLOSSARY + naming, *contents, *sections]
    )


def whole_page(title: str, parts: Iterable[str], *own: Path, script: str = "") -> str:
    """Return a self-contained page. title: any text. parts: HTML. own: more style files.

    script: the only one allowed to run, or "".
    """
    styles = (STYLE, Path(__file__).with_suffix(".css"), *own)
    seal = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"; script-src 'sha256-{seal}'" if script else ""
    head = _HEAD.format(title=escape(title), policy=policy, style="".join(read_text(path, MIB) for path in styles))
    scripts = [f"<script>{script}</script>"] if script else []
    return writable("\n".join([head, *parts, "</main>", *scripts, "</body>\n</html>\n"]))


def name_html(name: str) -> str:
    """Return a name as HTML, isolated from its surroundings in markup and direction."""
    return f"<bdi>{escape(name)}</bdi>"


def agent_html(summary: AgentSummary) -> str:
    """Return an agent's games as HTML without a heading."""
    facts = [count_text(summary.games, "game"), summary.losses_text(), summary.mistakes_text()]
    parts = [f'<p class="facts">{"; ".join(facts)}.</p>']
    moves = summary.by_move()[:MOST_BOARDS]
    lost_most = [alike for alike in moves if any(mistake.decisive for mistake in alike)][:MOST_FIRST]
    if first := [*map(_fault_card, summary.by_fault()), *map(_lost_win_card, lost_most)]:
        parts += ["<h3>What to repair first</h3>", cards_html("ol", first)]
    parts += ["<h3>Against whom</h3>", _against(summary)]
    if rest := [_card(alike) for alike in moves if alike not in lost_most]:
        parts += [
            f"<h3>{'Other expensive moves' if lost_most else 'The most expensive moves'}</h3>",
            cards_html("ul", rest),
        ]
    if summary.faults or summary.mistakes:
        parts += ["<h3>By kind</h3>", _kinds(summary)]
    return "\n".join([*parts, "<h3>By ply</h3>", _plies(summary)])


def student_html(summary: AgentSummary) -> str:
    """Return all reviewed games of a student's agent as HTML: faults first, three lessons, opponents, kinds."""
    facts = [count_text(summary.games, "game"), summary.losses_text(), summary.mistakes_text()]
    parts = [f'<p class="facts">{"; ".join(facts)}.</p>', f"<p>{_reviewed_text(summary)}</p>"]
    if faults := summary.by_fault():
        parts += [
            "<h3>Faults: each lost a game at once</h3>",
            cards_html("ol", [_fault_card(alike, alike[0][0].past) for alike in faults]),
        ]
    lessons = summary.lessons(MOST_LESSONS)
    if lessons:
        heading = "Three lessons" if len(lessons) == MOST_LESSONS else count_text(len(lessons), "lesson").capitalize()
        parts += [f"<h3>{heading} from your games</h3>", cards_html("ol", [*map(_lesson_card, lessons)])]
    parts += ["<h3>Against whom</h3>", _against(summary)]
    if summary.faults or summary.mistakes:
        parts += ["<h3>Faults and mistakes by kind</h3>", _kinds(summary)]
    return "\n".join(parts)


def _reviewed_text(summary: AgentSummary) -> str:
    """Return the extent of the review, and where a mistake may be missing."""
    reviewed = (
        f"All {count_text(summary.games, 'game')} were reviewed" if summary.games > 1 else "The game was reviewed"
    )
    if not summary.unsettled:
        return f"{reviewed}, move by move."
    left = count_text(summary.unsettled, "game") if summary.games > 1 else "it"
    return (
        f"{reviewed}, move by move. In {left} an early position was not searched to the end: a mistake there may be"
        " missing, or cost more."
    )


def cards_html(kind: str, cards: Sequence[str]) -> str:
    """Return cards as a list: ``ol`` is numbered, ``ul`` is not."""
    items = "\n".join(f"<li>{card}</li>" for card in cards)
    return f'<{kind} class="cards">\n{items}\n</{kind}>'


def _against(summary: AgentSummary) -> str:
    rows = [
        [
            f'<span class="whole">{name_html(name)}</span>' if " " not in name and len(name) < 16 else name_html(name),
            *(f"{games.won[colour]}/{games.games[colour]}" for colour in COLOURS),
            f"{games.faults}",
            f"{games.threw_away}",
            f"{games.points}",
        ]
        for name, games in summary.against.items()
    ]
    return table_html(
        ["opponent", "won as Black", "won as White", "lost by a fault", "thrown away", "points given"], rows
    )


def _kinds(summary: AgentSummary) -> str:
    found = summary.worst_kinds()
    most = max(cost for _, (_, _, cost) in found)
    rows = [[kind, *map(str, counts[:2]), bar_html(counts[2], most)] for kind, counts in found]
    return table_html(["kind", "mistakes", "lost the win", "points"], rows)


def _plies(summary: AgentSummary) -> str:
    by_ply = summary.by_ply()
    most = max((cost for _, _, cost in by_ply.values()), default=0)
    head, rows = ["ply", "moves", "mistakes", "lost the win", "points"], []
    for ply in sorted(summary.plies.keys() | summary.cpu.keys()):
        count, decisive, cost = by_ply.get(ply, (0, 0, 0))
        row = [f"{ply}", f"{summary.plies[ply]}", f"{count or ''}", f"{decisive or ''}", bar_html(cost, most)]
        seconds = summary.cpu.get(ply)
        clock = [seconds_text(fmean(seconds)), seconds_text(max(seconds))] if seconds else ["", ""]
        rows.append([*row, *(clock if summary.cpu else [])])
    return table_html([*head, *(["CPU mean", "max"] if summary.cpu else [])], rows)


def _fault_card(alike: Sequence[tuple[Fault, str]], kind: str = "") -> str:
    """Return a board with alike faults: their number, the first one, the rule."""
    first, opponent = alike[0]
    kind = kind or first.kind
    head = f"<b>{kind[0].upper()}{kind[1:]}</b>: {count_text(len(alike), 'game')} lost"
    told = f"Ply {first.ply} against {name_html(opponent)}: {escape(first.deed)}. {escape(first.effect)}"
    others = list(dict.fromkeys(f"ply {fault.ply} against {name_html(other)}" for fault, other in alike[1:]))
    more = f"\n<p>Also at {', '.join(others[:MOST_OTHERS])}{', …' * (len(others) > MOST_OTHERS)}.</p>" if others else ""
    board = mistake_svg(first.position, first.point, None, f"The board before ply {first.ply}: {first.deed}")
    rule = f'\n<p class="rule">{escape(first.rule)}</p>' if first.rule else ""
    return f"<article>\n<h4>{head}</h4>\n{board}\n<p>{told}</p>{rule}{more}\n</article>"


def _lost_win_card(alike: Sequence[Mistake]) -> str:
    first = alike[0]
    times = count_text(sum(mistake.decisive for mistake in alike), "win")
    head = f"<b>Plays {move_name(first.move)} at ply {first.ply}</b>: {times} given away"
    better = f"; {move_name(first.instead[0])} keeps the win" if first.instead else ""
    cost = f"{count_text(first.cost, 'point')}{'' if first.exact else ' or more'}"
    told = f"{COLOURS[first.mover]}'s {move_name(first.move)} gives away {cost} and the win{better}."
    return _mistake_card(first, head, told)


def _lesson_card(alike: Sequence[Mistake]) -> str:
    """Return a board with a lesson: the better move, the number of games, the reason."""
    first = alike[0]
    move, better = move_name(first.move), move_name(first.instead[0]) if first.instead else ""
    instead = f"play {better}, not {move}" if better else f"{move} is a mistake"
    wins = sum(mistake.decisive for mistake in alike)
    cost = f"{count_text(first.cost, 'point')}{'' if first.exact else ' or more'}"
    cost += " and the win" if first.decisive else ""
    times = "" if len(alike) == 1 else f" Played {len(alike)} times"
    if times:
        times += f"; {count_text(wins, 'won game')} given away by it." if wins else "."
    head = f"<b>As {COLOURS[first.mover]} at ply {first.ply}: {instead}</b>"
    return _mistake_card(first, head, f"{move} gives away {cost} ({first.kind}).{times}")


def _card(alike: Sequence[Mistake]) -> str:
    first = alike[0]
    better = first.instead[0] if first.instead else None
    times = "" if len(alike) == 1 else f", {len(alike)} times"
    instead = "" if better is None else f" instead of <b>{move_name(better)}</b>"
    head = f"Ply {first.ply}{times}: {COLOURS[first.mover]} <b>{move_name(first.move)}</b>{instead}"
    return _mistake_card(first, head, f"{cost_text(first)} ({first.kind})")


def _mistake_card(first: Mistake, head: str, cost: str) -> str:
    better = first.instead[0] if first.instead else None
    why = "" if first.reason is None else f"\n<p>{escape(first.reason.text)}</p>"
    named = {} if first.reason is None else first.reason.named
    points = {parse_move(name) for names in named.values() for name in names}
    told = f"{move_name(first.move)} is a mistake" + ("" if better is None else f", {move_name(better)} is better")
    return (
        f"<article>\n<h4>{head}</h4>\n{mistake_svg(first.position, first.move, better, told, sorted(points))}\n"
        f'<p class="cost">{escape(cost)}</p>{why}\n</article>'
    )


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, cells as HTML, that scrolls where it is too wide, also by keyboard."""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = [f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>' for row in rows]
    rows_text = "\n".join([f"<thead><tr>{heads}</tr></thead>", *lines])
    return f'<div class="wide" tabindex="0"><table>\n{rows_text}\n</table></div>'


def bar_html(count: int, most: int) -> str:
    """Return a number on a bar of its share of the maximum."""
    return f'<span class="bar" style="--share: {100 * count / most:.0f}%">{count}</span>' if count else ""
