"""Reports about a position: readable text, JSON, and rows of a table."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from little_go.book.answers.query import Knowledge, KnownMove
from little_go.book.answers.sources import ATLAS, BOOK, BY_MOVES, BY_POSITION, CERTIFICATE, KERNEL, LINE, RULES, STORE
from little_go.book.store.facts import Choice, Origin
from little_go.notation.record import answer_record, game_keys, to_record
from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.bounds import COLOURS, worth_text
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, canonical_key, transform

#: By kind of source, the phrase that describes it in a report.
_SOURCES = {
    STORE: "found by the generator, and stored in {names}",
    ATLAS: "the values of the first plies, found by the kernel ({names})",
    BOOK: "the winners, found by the kernel ({names})",
    CERTIFICATE: "a proof from only the rules, which was checked; little-go check checks it again ({names})",
    LINE: "on a shipped line of best play, found by the kernel",
    KERNEL: "found by a search now, which used the results of the other sources",
    RULES: "the game is over: the stones are counted",
    BY_MOVES: "a position has the value of its best move",
    BY_POSITION: "no move has a better value than the position",
}

#: The columns of the table of moves, in which symmetric moves share a row. The page's tables begin with the same
#: columns.
SHARED_COLUMNS = (
    "key", "after_key", "ply", "mover", "move", "alike", "winner", "worth", "value", "lo", "hi",
    "lost_least", "lost_most",
)  # fmt: skip
COLUMNS = (*SHARED_COLUMNS, "replies", "holding", "open", "pv", "lo_from", "hi_from")


def knowledge_text(knowledge: Knowledge) -> str:
    """Return the board and the knowledge about the position as readable text."""
    position, answer, game = knowledge.position, knowledge.answer, knowledge.game
    lines = [heading(position, game), position.diagram(), "", verdict(position, answer, game)]
    if best := _best_line(knowledge):
        lines.append(best)
    if knowledge.pv:
        # If only bounds are proven, the line consists of moves that keep the bounds.
        name = "A line that keeps the proven bounds" if knowledge.value is None else "Principal variation"
        lines.append(f"{name}: {_names(knowledge.pv)}")
    if knowledge.choice is not None:
        lines.append(f"Our player plays {_choice_text(knowledge.choice)}.")
    if knowledge.moves:
        lines += ["", *_table(_rows(knowledge)), "", *_legend(knowledge)]
    return "\n".join(lines)


def heading(position: Position, game: Variant) -> str:
    """Return a line with the side to move, and the komi if it is not the course's komi.

    >>> heading(COURSE.start, COURSE)
    '0 of 24 plies played, Black (X) to move.'
    >>> heading(Variant(12, -1.5).start, Variant(12, -1.5))
    '0 of 12 plies played, Black (X) to move; komi -1.5.'
    """
    komi = "" if game.komi == COURSE.komi else f"; komi {game.komi:g}"
    if position.is_over:
        length = "" if game.plies == COURSE.plies else f" of {game.plies} plies"
        return f"The game{length} is over{komi}."
    ply = position.ply - game.first_ply
    passed = ", after a PASS" if position.passed and ply else ""
    mark = "X" if position.black_to_move else "O"
    return f"{ply} of {game.plies} plies played, {COLOURS[position.mover]} ({mark}) to move{passed}{komi}."


def verdict(position: Position, answer: Answer | None, game: Variant) -> str:
    """Return the result, or the proven part of the result, in words."""
    if answer is None:
        return "Not in the book: who wins is not known."
    if position.is_over:
        return f"The result: {worth_text(answer, game)}."
    colour = game.winner(answer)
    if colour is None:
        return "In the book, undecided."
    worth, winner = worth_text(answer, game), f"{COLOURS[colour]} wins"
    return f"Proven: {winner}." if worth == winner else f"Proven: {winner}, {worth}."


def settling_text(knowledge: Knowledge) -> str:
    """Return a line about the state of a search: the winner, the best move, and the number of exact moves."""
    best = knowledge.best_moves
    best_text = f", best {move_name(best[0])}" if best else ""
    return f"{knowledge.worth}{best_text}; exact: {knowledge.exact} of {len(knowledge.after_moves)} moves"


def settled_text(knowledge: Knowledge, seconds: float) -> str:
    """Return a line with the result and the duration of a search."""
    moves = len(knowledge.after_moves)
    exact = "all moves" if knowledge.exact == moves else f"{knowledge.exact} of {moves} moves"
    return f"Exact after {seconds:.1f} s: {exact}."


def short_value(answer: Answer | None) -> str:
    """Return a value or bounds in a few characters, or "" if nothing is known.

    >>> [short_value(Answer(lo, hi, None, 0)) for lo, hi in [(3, 3), (3, 24), (-24, 2), (-5, 9)]]
    ['+3', '≥+3', '≤+2', '-5…+9']
    """
    if answer is None or (answer.lo, answer.hi) == (LEAST, MOST):
        return ""
    if answer.value is not None:
        return f"{answer.value:+d}"
    if answer.hi == MOST:
        return f"≥{answer.lo:+d}"
    return f"≤{answer.hi:+d}" if answer.lo == LEAST else f"{answer.lo:+d}…{answer.hi:+d}"


def _best_line(knowledge: Knowledge) -> str | None:
    """Return the report's line about the best move, or None if no move is known to be better than another move."""
    position, winner, best = knowledge.position, knowledge.winner, knowledge.best
    if moves := knowledge.best_moves:
        return f"Best move: {_names(moves)}" if len(moves) == 1 else f"Best moves, worth the same: {_names(moves)}"
    # The first move of the winner's line keeps the win, but it may not keep the bound.
    winning = best if best is not None else knowledge.likely if knowledge.pv else None
    if winner == position.mover and winning is not None:
        return f"A move that wins: {move_name(winning)}"
    if best is None and knowledge.likely is None:
        return None
    return "No best move is known." if winner is None else "All moves lose; which one is best is not known."


def _choice_text(choice: Choice) -> str:
    name = move_name(choice.move)
    if choice.chance is not None:
        return f"{name}, a trap: a modelled opponent errs later on with a chance of {choice.chance:.1%}"
    if choice.solver_nodes is not None:
        return f"{name}, which it finds by itself in {choice.solver_nodes:,} nodes"
    return f"{name}, by the book"


def _rows(knowledge: Knowledge) -> list[list[str]]:
    head = ["move", "result", "loses", "replies that hold", "from"]
    return [head, *(_row(known) for known in knowledge.moves)]


def _row(known: KnownMove) -> list[str]:
    after = known.after
    others = f" (also {_names(known.moves[1:])})" if len(known.moves) > 1 else ""
    return [
        move_name(known.moves[0]) + others,
        "?" if after.answer is None or after.winner is None else after.worth,
        lost_text(known),
        holding_text(known),
        origins_text(after),
    ]


def lost_text(known: KnownMove) -> str:
    """Return the points that a move loses compared with the best move, or "" if they are not known."""
    least, most = known.lost
    if least == most:
        return str(least) if least else "best"
    return f"{least} or more" if least else ""


def holding_text(known: KnownMove) -> str:
    """Return the number of replies after which the side that replies wins, such as "3 of 20"."""
    if not known.replies:
        return "-"
    if not known.open:
        return f"{known.holding} of {known.replies}"
    if not known.holding:
        return ""
    return f"{known.holding} or more of {known.replies}"


def origins_text(knowledge: Knowledge) -> str:
    """List the sources of the bounds.

    If a source states only one of the bounds, the list contains the name of this bound.
    """
    answer = knowledge.bounds
    lo, hi, winner = map(_kinds, (knowledge.lo_from, knowledge.hi_from, knowledge.winner_from))
    whole = [kind for kind in lo if kind in hi] if answer.lo > LEAST and answer.hi < MOST else lo or hi
    parts = list(whole)
    for kind in dict.fromkeys((*lo, *hi, *winner)):
        # Usually several sources prove the winner. Of such sources, only a certificate is listed, because its proof can
        # be checked.
        if kind not in whole and (kind in lo or kind in hi or kind == CERTIFICATE):
            bound = "lower" if kind in lo else "upper"
            parts.append(f"{kind} ({'who wins' if kind in winner else f'{bound} bound'})")
    return ", ".join(parts)


def _kinds(origins: Iterable[Origin]) -> list[str]:
    return list(dict.fromkeys(origin.kind for origin in origins))


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align rows in columns, and omit empty columns."""
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    lines = zip(*columns, strict=True)
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _legend(knowledge: Knowledge) -> list[str]:
    origins: dict[str, list[str]] = {}
    for each in (knowledge, *(known.after for known in knowledge.moves)):
        for origin in (*each.lo_from, *each.hi_from, *each.winner_from):
            names = origins.setdefault(origin.kind, [])
            if origin.name not in names:
                names.append(origin.name)
    return [f"{kind}: {_SOURCES[kind].format(names=_files(names))}" for kind, names in origins.items()]


def _files(names: list[str]) -> str:
    return ", ".join(sorted(names)) if len(names) <= 3 else f"{len(names)} files"


def knowledge_record(knowledge: Knowledge) -> dict[str, Any]:
    """Return the JSON fields of a position. Each move of the position has the same fields.

    docs/reference/FIELDS.md describes the fields.
    """
    answer = answer_record(knowledge.bounds, knowledge.sources)
    ends = {key: answer.pop(key) for key in ("nodes", "sources")}
    moves = {
        move_name(move): {
            **knowledge_record(turn_knowledge(known.after, knowledge.position.play(move))),
            **_move_record(known, move),
        }
        for known in knowledge.moves
        for move in known.moves
    }
    return {
        **to_record(knowledge.position, knowledge.game),
        **answer,
        "likely": None if knowledge.likely is None else move_name(knowledge.likely),
        "winner": None if knowledge.winner is None else COLOURS[knowledge.winner],
        "best": [move_name(move) for move in knowledge.best_moves] if moves else None,
        "pv": [move_name(move) for move in knowledge.pv],
        "moves": moves,
        **ends,
        **origins_record(knowledge),
    }


def origins_record(knowledge: Knowledge) -> dict[str, list[str]]:
    """Return the JSON fields that list the sources."""
    return {
        "lo_from": list(map(str, knowledge.lo_from)),
        "hi_from": list(map(str, knowledge.hi_from)),
        "winner_from": list(map(str, knowledge.winner_from)),
    }


def turn_knowledge(knowledge: Knowledge, position: Position) -> Knowledge:
    """Return the knowledge of a position, without its moves, for a symmetric copy of the position."""
    symmetry = next(each for each in range(SYMMETRIES) if transform(each, knowledge.position) == position)
    image, answer = POINT_IMAGE[symmetry], knowledge.answer
    if answer is not None and answer.best is not None:
        answer = answer._replace(best=image[answer.best])
    likely = None if knowledge.likely is None else image[knowledge.likely]
    pv = tuple(image[move] for move in knowledge.pv)
    return replace(knowledge, position=position, answer=answer, likely=likely, pv=pv, moves=())


def _move_record(known: KnownMove, move: int) -> dict[str, Any]:
    return {
        "alike": [move_name(other) for other in known.moves if other != move],
        "lost_least": known.lost[0],
        "lost_most": known.lost[1],
        "replies": known.replies,
        "holding": known.holding,
        "open": known.open,
    }


def knowledge_csv(knowledge: Knowledge, *, header: bool) -> str:
    """Return CSV with the columns COLUMNS and a row for each group of symmetric moves, from best to worst for the
    mover.

    In games other than the course's, each row also has ``plies`` and ``komi``, because a key contains neither.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    named = game_keys(knowledge.game)
    if header:
        writer.writerow([*COLUMNS, *named])
    position = knowledge.position
    for known in knowledge.moves:
        after = known.after
        writer.writerow(
            [
                canonical_key(position),
                canonical_key(after.position),
                position.ply - knowledge.game.first_ply,
                COLOURS[position.mover],
                move_name(known.moves[0]),
                _names(known.moves[1:]),
                "" if after.winner is None else COLOURS[after.winner],
                after.worth,
                "" if after.value is None else after.value,
                after.lo,
                after.hi,
                *known.lost,
                known.replies,
                known.holding,
                known.open,
                _names(after.pv),
                _origins(after.lo_from),
                _origins(after.hi_from),
                *named.values(),
            ]
        )
    return text.getvalue()


def _origins(origins: Iterable[Origin]) -> str:
    return "; ".join(map(str, origins))


def _names(moves: Iterable[int]) -> str:
    return " ".join(move_name(move) for move in moves)
