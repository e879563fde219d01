"""The text of a review: the values, the mistakes with boards, and a summary of three lines."""

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator

from little_go.arena.match.host import describe
from little_go.arena.review.fault import Fault
from little_go.arena.review.review import Mistake, Review
from little_go.arena.standings.tally import count_text
from little_go.book.answers import judging
from little_go.notation.board import game_line
from little_go.notation.movetext import moves_text
from little_go.solver.bounds import COLOURS
from little_go.solver.native.explain import OTHER
from little_go.solver.position import move_name

#: Default width of a text, in columns.
WIDTH = 60

#: Maximum number of plies of a line of best play that are shown.
LINE_PLIES = 6


def review_text(review: Review, width: int = WIDTH) -> list[str]:
    """Return the whole review as lines of text: result, values by ply, mistakes with boards, and summary."""
    return list(partial_review_lines([review], width))


def partial_review_lines(stages: Iterable[Review], width: int = WIDTH) -> Iterator[str]:
    """Yield each line of review_text() as soon as the line is final. stages: the result of partial_reviews()."""
    number, begun = 0, False
    for review in stages:
        if not begun:
            begun = True
            yield from [
                *wrap_lines(_sides(review), width),
                *wrap_lines(_ending(review), width),
                "",
                *_start_text(review),
            ]
        while number < len(review.known) and number not in review.open:
            yield from wrap_lines(_ply_text(review, number), width, " " * 12)
            number += 1
    if fault := review.fault:
        line = f"{fault.ply:2d} {'XO'[fault.mover - 1]} {fault.move:<6}  <- a fault: {fault.kind}"
        yield from [*wrap_lines(line, width, " " * 12), "", *fault_text(fault, width)]
    for mistake in review.mistakes:
        yield from ["", *mistake_text(mistake, width)]
    yield from ["", *summary_text(review, width)]


def game_text(review: Review, width: int = WIDTH) -> list[str]:
    """Return a short text on one of several games: source, players, result, turning point and mistakes."""
    rest = indent_lines(_turn_and_mistakes(review, width - 2))
    return [*wrap_lines(f"{review.game.source}: {_sides(review)}. {_ending(review)}.", width), *rest]


def fault_text(fault: Fault, width: int = WIDTH) -> list[str]:
    """Return lines on a fault: what the player did, the board before the fault, the rule, and the cost."""
    return [
        *wrap_lines(f"Ply {fault.ply}: {fault.deed}.", width),
        *indent_lines([*fault.position.diagram().split("\n"), *game_line(fault.game)]),
        *wrap_lines(f"Rule: {fault.rule}" if fault.rule else "", width),
        *wrap_lines(fault.effect, width),
    ]


def mistake_text(mistake: Mistake, width: int = WIDTH) -> list[str]:
    """Return lines on a mistake: the cost, the board before the mistake, the reason, and the better line."""
    after = mistake.position.play(mistake.move)
    head = f"Ply {mistake.ply}: {COLOURS[mistake.mover]} plays {move_name(mistake.move)}, {cost_text(mistake)}"
    kind = "" if mistake.kind == OTHER else f" ({mistake.kind})"
    board = [*mistake.position.diagram().split("\n"), *game_line(mistake.before.game)]
    lines = [*wrap_lines(f"{head}{kind}.", width), *indent_lines(board)]
    lines += wrap_lines(f"Before: {mistake.before.worth}. After: {mistake.after.worth}.", width)
    if mistake.reason:
        lines += wrap_lines(f"Why: {mistake.reason.text}", width)
    plies = _plies_shown(mistake)
    if mistake.instead:
        line = moves_text(mistake.instead[:plies], mistake.position.ply)
        lines += wrap_lines(f"Better: {line}", width)
    if mistake.answer:
        lines += wrap_lines(f"The answer: {moves_text(mistake.answer[: plies - 1], after.ply)}", width)
    return lines


def _plies_shown(mistake: Mistake) -> int:
    """Return the number of plies to show of both lines, which include every ply that the reason mentions."""
    told = re.findall(r"at ply (\d+)", mistake.reason.text) if mistake.reason else []
    return max(LINE_PLIES + 1, *(int(ply) - mistake.ply + 1 for ply in told), 0)


def summary_text(review: Review, width: int = WIDTH) -> list[str]:
    """Return a text with the result, the turning point, and the number of mistakes of each side."""
    return [*wrap_lines(f"Result: {_ending(review)}.", width), *_turn_and_mistakes(review, width)]


def _turn_and_mistakes(review: Review, width: int) -> list[str]:
    return [
        *wrap_lines(_turn_text(review), width),
        *wrap_lines(f"Mistakes: {_count_text(review, 1)}; {_count_text(review, 2)}.", width),
    ]


def lesson_text(review: Review, colours: Collection[int], width: int = WIDTH) -> list[str]:
    """Return a text for the players of these colours: the turning point, the worst mistake, and a better move."""
    worst = worst_mistake(review, colours)
    if worst is None:
        who = "you" if len(colours) == 1 else "either side"
        rest = [f"Biggest mistake: none is proven for {who}.", "Instead: no better move is proven."]
    else:
        mine = f"ply {worst.ply}, {COLOURS[worst.mover]}'s {move_name(worst.move)} {cost_text(worst)}"
        instead = moves_text(worst.instead[:LINE_PLIES], worst.position.ply) or "no better move is known"
        rest = [f"Biggest mistake: {mine}.", f"Instead: {instead}"]
    return [line for text in (_turn_text(review), *rest) for line in wrap_lines(text, width)]


def worst_mistake(review: Review, colours: Collection[int]) -> Mistake | None:
    """Return the worst mistake of these colours: the last mistake that lost the win, or else the most expensive one."""
    mine = [mistake for mistake in review.mistakes if mistake.mover in colours]
    worst = judging.worst_of([vars(mistake) for mistake in mine])
    return mine[worst] if worst >= 0 else None


def _sides(review: Review) -> str:
    sides = zip(COLOURS.values(), "XO", (review.game.black, review.game.white), strict=True)
    return " - ".join(f"{name} ({sign})" if name == side else f"{name} ({side}, {sign})" for side, sign, name in sides)


def _turn_text(review: Review) -> str:
    turning = review.turning_point
    if turning is None:
        return "Turning point: none; no move is proven to have changed who wins."
    if isinstance(turning, Fault):
        return f"Turning point: ply {turning.ply}, a fault: {turning.deed}. {turning.effect}"
    instead = f"; {move_name(turning.instead[0])} kept the win" if turning.instead else ""
    return f"Turning point: ply {turning.ply}, {COLOURS[turning.mover]} played {move_name(turning.move)}{instead}."


def _start_text(review: Review) -> list[str]:
    start = review.start
    if start == review.game.game.start:
        return []
    return [
        f"It begins after ply {review.first_ply} with {COLOURS[start.mover]} to move:",
        *start.diagram().split("\n"),
        *game_line(review.game.game),
        "",
    ]


def _ply_text(review: Review, number: int) -> str:
    worth = review.known[number].worth
    if not number:
        return f"start        {worth}"
    ply = review.first_ply + number
    mistake = next((each for each in review.mistakes if each.ply == ply), None)
    told = f"  <- {cost_text(mistake)}" if mistake else ""
    return f"{ply:2d} {'XO'[1 - ply % 2]} {review.state.moves[number - 1]:<6}  {worth}{told}"


def cost_text(mistake: Mistake) -> str:
    """Return a clause on a mistake's cost, such as ``costs 2 and the win``."""
    cost = f"costs {mistake.cost}" + ("" if mistake.exact else " or more")
    return f"{cost} and the win" if mistake.decisive else cost


def _count_text(review: Review, colour: int) -> str:
    mine = [mistake for mistake in review.mistakes if mistake.mover == colour]
    lost = sum(mistake.cost for mistake in mine)
    faults = [review.fault] if review.fault and review.fault.mover == colour else []
    told = [*([count_text(lost, "point")] if mine else []), *(f"a fault: {fault.kind}" for fault in faults)]
    count = f"{COLOURS[colour]} {len(mine) + len(faults)}"
    return f"{count} ({', '.join(told)})" if told else count


def _ending(review: Review) -> str:
    if review.state.result is None:
        return f"The game stops after ply {review.state.ply}"
    return describe(review.state)


def wrap_lines(text: str, width: int = WIDTH, indent: str = "  ") -> list[str]:
    """Return a text as lines of at most ``width`` columns. indent: the beginning of every line except the first."""
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True) or [""]


def indent_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines with two blanks before each line."""
    return [f"  {line}" for line in lines]
