"""Render pages from the templates in ``arena/templates``, in particular the page on reviewed games.

The templates escape all values. A page is self-contained: it makes no requests, and its content security policy allows
only the script that it contains.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from little_go.arena.review.fault import Fault
from little_go.arena.review.review import Mistake
from little_go.arena.review.summary import AgentSummary, counts_text, lengths_text, puzzles_text
from little_go.arena.review.text import cost_text
from little_go.arena.standings.tally import count_text, seconds_text
from little_go.book.drawing.picture import STYLE, mistake_svg, writable
from little_go.runtime.files import MIB, read_text
from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE
from little_go.solver.position import Position, move_name, parse_move

if TYPE_CHECKING:
    from jinja2 import Environment

#: For the page about an agent: maximum number of moves with a board, and of lost wins under "What to repair first".
MOST_BOARDS, MOST_FIRST = 10, 3

#: Maximum number of lessons on a student's page.
MOST_LESSONS = 3

#: Maximum number of further games that are listed for the same fault.
MOST_OTHERS = 5

#: The markup of a bold text, and of a name, which must not change the writing direction of the text around the name.
BOLD, NAME = Markup("<b>{}</b>"), Markup("<bdi>{}</bdi>")


class Card(NamedTuple):
    """A board on a page, with a heading.

    lines: the CSS class (or "") and the text of each paragraph below the board; a paragraph without text is omitted.
    """

    head: str
    board: Markup
    lines: Sequence[tuple[str, str]]


def rendered(template: str, **values: Any) -> str:
    """Return the page, or part of a page, that a template produces. template: a file in ``arena/templates``."""
    return writable(_templates().get_template(template).render(values))


@cache
def _templates() -> "Environment":
    # Jinja is imported here, because most commands write no page and start faster without it.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "count": count_text,
        "seconds": seconds_text,
        "points": points_text,
        "sentence": capitalized,
        "casefold": str.casefold,
        "seal": lambda script: b64encode(sha256(script.encode()).digest()).decode(),
    }
    found.globals |= {"board_style": Markup(read_text(STYLE, MIB)), "plies": lengths_text([COURSE])}
    return found


def points_text(points: float | None) -> str:
    """Return a number of points as a text with at most two decimals; "-" for None."""
    return "-" if points is None else f"{round(points, 2):g}"


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def board(position: Position, move: int | None, better: int | None, told: str, named: Sequence[int] = ()) -> Markup:
    """Return the picture that mistake_svg() draws, as markup."""
    return Markup(mistake_svg(position, move, better, told, named))


def report_page(summaries: Mapping[str, AgentSummary]) -> str:
    """Return the page on the reviewed games of agents, in the given order.

    summaries: the agents' summaries by name. A name may be any text.
    """
    variants = {variant for summary in summaries.values() for variant in summary.variants} or {COURSE}
    games = [] if variants == {COURSE} else sorted(map(str, variants))
    agents = [_agent(name, summary) for name, summary in summaries.items()]
    return rendered("agents.html", agents=agents, games=games, plies=lengths_text(variants))


def _agent(name: str, summary: AgentSummary) -> dict[str, Any]:
    moves = summary.by_move()[:MOST_BOARDS]
    lost_wins = [alike for alike in moves if any(mistake.decisive for mistake in alike)][:MOST_FIRST]
    return {
        "name": name,
        "summary": summary,
        "lost_wins": lost_wins,
        "first": [*map(_fault_card, summary.by_fault()), *map(_lost_win_card, lost_wins)],
        "notebook": [(entry.kind, counts_text(entry), puzzles_text(entry)) for entry in summary.notebook()],
        "rest": [_card(alike) for alike in moves if alike not in lost_wins],
    }


def student_html(summary: AgentSummary) -> str:
    """Return a part of a page on all reviewed games of a student's agent: faults, lessons, opponents and kinds."""
    faults = [_fault_card(alike, alike[0][0].past) for alike in summary.by_fault()]
    lessons = [*map(_lesson_card, summary.lessons(MOST_LESSONS))]
    return rendered("student_review.html", summary=summary, faults=faults, lessons=lessons)


def _fault_card(alike: Sequence[tuple[Fault, str]], kind: str = "") -> Card:
    first, opponent = alike[0]
    head = Markup("{}: {} lost").format(BOLD.format(capitalized(kind or first.kind)), count_text(len(alike), "game"))
    told = Markup("Ply {} against {}: {}. {}").format(first.ply, NAME.format(opponent), first.deed, first.effect)
    places = [Markup("ply {} against {}").format(fault.ply, NAME.format(other)) for fault, other in alike[1:]]
    places = list(dict.fromkeys(places))
    more = Markup("Also at {}{}.").format(Markup(", ").join(places[:MOST_OTHERS]), ", …" * (len(places) > MOST_OTHERS))
    shown = board(first.position, first.point, None, f"The board before ply {first.ply}: {first.deed}")
    return Card(head, shown, [("", told), ("rule", first.rule), ("", more if places else "")])


def _lost_win_card(alike: Sequence[Mistake]) -> Card:
    first = alike[0]
    times = count_text(sum(mistake.decisive for mistake in alike), "win")
    head = Markup("{}: {} given away").format(BOLD.format(f"Plays {move_name(first.move)} at ply {first.ply}"), times)
    better = f"; {move_name(first.instead[0])} keeps the win" if first.instead else ""
    told = f"{COLOURS[first.mover]}'s {move_name(first.move)} gives away {_cost_text(first)} and the win{better}."
    return _mistake_card(first, head, told)


def _lesson_card(alike: Sequence[Mistake]) -> Card:
    first = alike[0]
    move, better = move_name(first.move), move_name(first.instead[0]) if first.instead else ""
    instead = f"play {better}, not {move}" if better else f"{move} is a mistake"
    wins = sum(mistake.decisive for mistake in alike)
    cost = _cost_text(first) + (" and the win" if first.decisive else "")
    times = "" if len(alike) == 1 else f" Played {len(alike)} times"
    if times:
        times += f"; {count_text(wins, 'won game')} given away by it." if wins else "."
    head = BOLD.format(f"As {COLOURS[first.mover]} at ply {first.ply}: {instead}")
    return _mistake_card(first, head, f"{move} gives away {cost} ({first.kind}).{times}")


def _card(alike: Sequence[Mistake]) -> Card:
    first = alike[0]
    times = "" if len(alike) == 1 else f", {len(alike)} times"
    instead = Markup(" instead of <b>{}</b>").format(move_name(first.instead[0])) if first.instead else ""
    move = BOLD.format(move_name(first.move))
    head = Markup("Ply {}{}: {} {}{}").format(first.ply, times, COLOURS[first.mover], move, instead)
    return _mistake_card(first, head, f"{cost_text(first)} ({first.kind})")


def _cost_text(mistake: Mistake) -> str:
    return f"{count_text(mistake.cost, 'point')}{'' if mistake.exact else ' or more'}"


def _mistake_card(first: Mistake, head: str, cost: str) -> Card:
    better = first.instead[0] if first.instead else None
    named = {} if first.reason is None else first.reason.named
    points = {parse_move(name) for names in named.values() for name in names}
    told = f"{move_name(first.move)} is a mistake" + ("" if better is None else f", {move_name(better)} is better")
    shown = board(first.position, first.move, better, told, sorted(points))
    return Card(head, shown, [("cost", cost), ("", "" if first.reason is None else first.reason.text)])
