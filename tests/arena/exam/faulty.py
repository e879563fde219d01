"""Sound agents with planted faults. A fault changes what the agent sees, chooses or writes.

An agent is a function of a question. The file also has programs that follow a simple rule, and programs that are only
weak.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import TypeAlias

from little_go.arena.agents import aggressive, alphabeta, greedy, qlearning, random
from little_go.arena.agents.searching import EVALUATIONS, open_searching
from little_go.arena.exam.marking import MarkedAnswer
from little_go.arena.exam.paper import LEGAL, ExamQuestion, needs_the_capture
from little_go.arena.match.limits import Reply
from little_go.arena.match.play import state_after
from little_go.book.answers.reasons import open_oracle
from little_go.generator.opponents.searchers import Searcher
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import (
    CENTRE,
    FROM_CENTRE,
    FULL,
    PASS,
    SIZE,
    Position,
    groups_of,
    move_name,
    neighbours,
    points_of,
)

_JUDGE = open_oracle()

#: The agent searches positions with at most this many plies left. With more plies left, it plays a move that the paper
#: accepts, or like greedy.
_SEARCHED = 15

#: An agent: returns the reply to a question. A base: returns the move in the position that the agent sees.
Plays: TypeAlias = Callable[[ExamQuestion], Reply]
Base: TypeAlias = Callable[[ExamQuestion, Position], int]


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(64))


def _wins(position: Position, mover: int, least: int) -> bool:
    if position.is_over:
        return (1 if position.margin >= least else 2) == mover
    at_least = _kernel().decide(position, least).at_least(least)
    return at_least is (mover == 1)


@cache
def _winning(position: Position, least: int = BLACK_WINS) -> tuple[int, ...]:
    moves = position.legal_moves()
    return tuple(move for move in moves if _wins(position.play(move), position.mover, least))


def perfect(question: ExamQuestion, seen: Position) -> int:
    """Return a move that wins the position that the agent sees; if it is not searched, play like greedy."""
    right = question.accepted if seen == question.position else _winning(seen) if 0 < seen.left <= _SEARCHED else ()
    return right[question.number % len(right)] if right else greedy.candidates(seen)[0]


def by_captures(question: ExamQuestion, seen: Position) -> int:
    """Return the move of an agent that captures stones and does not look ahead."""
    moves = aggressive.candidates(seen)
    return moves[question.number % len(moves)]


def by_search(question: ExamQuestion, seen: Position) -> int:
    """Return the move of an agent that searches a few plies."""
    return alphabeta.equals(seen)[-1:][0]


BASES: dict[str, Base] = {"perfect": perfect, "by captures": by_captures, "by search": by_search}


def reply(text: str | None, complaint: str = "") -> Reply:
    return Reply(text, 0.001, complaint=complaint)


def sound(base: Base) -> Plays:
    return lambda question: reply(move_name(base(question, question.position)))


def _seeing(change: Callable[[ExamQuestion], Position]) -> Callable[[Base], Plays]:
    return lambda base: lambda question: reply(move_name(base(question, change(question))))


def _other_colour(question: ExamQuestion, mover: int = 0) -> Position:
    position = question.position
    if mover == position.mover or position.left < 2:
        return position
    return position._replace(ko=None, passed=False, ply=position.ply + 1)


def _before(question: ExamQuestion) -> Position:
    return Position(*question.states[-1].previous, None, question.position.ply)


def _writing(change: Callable[[int, int], str]) -> Callable[[Base], Plays]:
    def planted(base: Base) -> Plays:
        def plays(question: ExamQuestion) -> Reply:
            move = base(question, question.position)
            return reply("PASS" if move == PASS else change(*divmod(move, SIZE)))

        return plays

    return planted


def _moved(change: Callable[[int, int], tuple[int, int]]) -> Callable[[Base], Plays]:
    return _writing(lambda i, j: ",".join(map(str, change(i, j))))


def _crashing(where: Callable[[ExamQuestion], bool]) -> Callable[[Base], Plays]:
    def planted(base: Base) -> Plays:
        return lambda question: (
            reply(None, "IndexError: list index out of range (agent.py, line 7)")
            if where(question)
            else sound(base)(question)
        )

    return planted


def _slow(base: Base) -> Plays:
    return lambda question: (
        Reply(None, 10.2, "cpu", "timeout", "killed for cpu") if len(question.way) + 1 == 13 else sound(base)(question)
    )


def _without_ko(base: Base) -> Plays:
    """Recapture at once if there is a ko."""

    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        free = position._replace(ko=None)
        move = base(question, free) if position.ko is None else greedy.candidates(free)[0]
        return reply(move_name(move))

    return plays


def _suicide_first(base: Base) -> Plays:
    """Omit moves that have no liberty before their captures are removed."""

    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        move = base(question, position)
        if move != PASS and needs_the_capture(position, move):
            rest = [each for each in position.legal_moves() if each == PASS or not needs_the_capture(position, each)]
            right = [each for each in rest if each in question.accepted]
            move = next(iter(right or rest))
        return reply(move_name(move))

    return plays


def _without_suicide(base: Base) -> Plays:
    """If most empty points are suicide, play as if every empty point were legal."""

    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        empty = FULL & ~(position.black | position.white)
        forbidden = [each for each in points_of(empty & ~position.legal_points()) if each != position.ko]
        if forbidden and 2 * len(forbidden) >= empty.bit_count():
            return reply(move_name(forbidden[0]))
        return sound(base)(question)

    return plays


def _never_passing(base: Base) -> Plays:
    def plays(question: ExamQuestion) -> Reply:
        move, points = base(question, question.position), list(points_of(question.position.legal_points()))
        if move != PASS:
            return reply(move_name(move))
        return reply(move_name(points[0]) if points else "0,0")

    return plays


def _without_komi(base: Base) -> Plays:
    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        right = _winning(position, 1) if position.left <= _SEARCHED else ()
        return reply(move_name(right[question.number % len(right)] if right else base(question, position)))

    return plays


def _by_counter(_: Base) -> Plays:
    order = (12, 6, 8, 16, 18, 2, 10, 14, 22, 0, 4, 24)
    return lambda question: reply(move_name(order[len(question.way) // 2]))


#: The faults by name: a function that plants the fault into a base, and words of the first line of the diagnosis.
FAULTS: dict[str, tuple[Callable[[Base], Plays], str]] = {
    "always Black": (_seeing(lambda question: _other_colour(question, 1)), "always took itself for Black"),
    "always White": (_seeing(lambda question: _other_colour(question, 2)), "always took itself for White"),
    "colours swapped": (_seeing(_other_colour), "took Black for White"),
    "row and column swapped": (_moved(lambda i, j: (j, i)), "row and column were swapped"),
    "mirrored": (_moved(lambda i, j: (4 - i, j)), "rows were counted from the bottom"),
    "ko never judged": (_without_ko, "ko were never judged"),
    "suicide judged before the capture": (_suicide_first, "before the capture"),
    "never PASS": (_never_passing, "never passed"),
    "always PASS": (lambda _: lambda question: reply("PASS"), "always passed"),
    "crash at a ply": (_crashing(lambda question: len(question.way) == 9), "crashed or wrote no move at ply 10"),
    "crash from a ply on": (_crashing(lambda question: len(question.way) > 17), "wrote no move from ply 19 on"),
    "crash as White": (_crashing(lambda question: question.position.mover == 2), "Loses every game as White"),
    "crash on the empty board": (_crashing(lambda question: not question.way), "Loses every game as Black"),
    "the previous board": (_seeing(_before), "read the previous board"),
    "a counter": (_by_counter, "by a counter of its calls"),
    "slow at a ply": (_slow, "too slow at ply 13"),
    "format": (_writing(lambda i, j: f"{i}, {j}"), "in another format"),
    # This fault is not in the list from which the exam was developed.
    "counted from 1": (_moved(lambda i, j: (i + 1, j + 1)), "counted from 1"),
    "no komi": (_without_komi, "no komi"),
    "suicide allowed": (_without_suicide, "suicide were allowed"),
    "crash after a PASS": (_crashing(lambda question: question.position.passed), "after the other side's PASS"),
    "turned": (_moved(lambda i, j: (4 - j, i)), "turned to the left"),
}


# Conditions

#: The conditions under which a fault may be planted, by the words of a diagnosis.
CONDITIONS: dict[str, Callable[[ExamQuestion], bool]] = {
    "": lambda question: True,
    " as Black": lambda question: question.position.mover == 1,
    " as White": lambda question: question.position.mover == 2,
    " up to ply 12": lambda question: len(question.way) < 12,
    " from ply 15 on": lambda question: len(question.way) >= 14,
    " as White up to ply 16": lambda question: question.position.mover == 2 and len(question.way) < 16,
    " as Black from ply 13 on": lambda question: question.position.mover == 1 and len(question.way) >= 12,
}


def under(condition: str, plant: Callable[[Base], Plays]) -> Callable[[Base], Plays]:
    """Return a fault that has an effect only under a condition."""
    holds = CONDITIONS[condition]

    def planted(base: Base) -> Plays:
        faulty, rest = plant(base), sound(base)
        return lambda question: faulty(question) if holds(question) else rest(question)

    return planted


def careless(seed: int, share: float) -> Base:
    """Return an agent that plays a random right move, and in a share of the questions a random legal move."""

    def base(question: ExamQuestion, seen: Position) -> int:
        chance = Random(f"{seed} {question.number}")
        if chance.random() < share:
            return chance.choice(seen.legal_moves())
        return chance.choice(question.accepted) if seen == question.position else perfect(question, seen)

    return base


#: The bases, by seed: the first one is perfect, and the others play random moves in a share of the questions.
SEEDS = {0: careless(0, 0.0), 1: careless(1, 0.1), 2: careless(2, 0.3)}

#: Misreadings of coordinates, by the words of a diagnosis.
MISREADINGS: dict[str, Callable[[Base], Plays]] = {
    "row and column were swapped": _moved(lambda i, j: (j, i)),
    "rows were counted from the bottom (mirrored)": _moved(lambda i, j: (4 - i, j)),
    "columns were counted from the right (mirrored)": _moved(lambda i, j: (i, 4 - j)),
    "the board were turned by half": _moved(lambda i, j: (4 - i, 4 - j)),
    "the board were turned to the left": _moved(lambda i, j: (4 - j, i)),
    "the board were turned to the right": _moved(lambda i, j: (j, 4 - i)),
    "row and column were swapped and mirrored": _moved(lambda i, j: (4 - j, 4 - i)),
    "rows and columns were counted from 1": _moved(lambda i, j: (i + 1, j + 1)),
}


# Simple rules


def _ordered(key: Callable[[ExamQuestion, int], object]) -> Plays:
    """Play the first legal point in an order."""

    def plays(question: ExamQuestion) -> Reply:
        points = list(points_of(question.position.legal_points()))
        return reply(move_name(min(points, key=partial(key, question)) if points else PASS))  # type: ignore[arg-type]

    return plays


def _taken(question: ExamQuestion, point: int) -> int:
    return greedy.captures(question.position).get(point, 0)


def _from_the_last(question: ExamQuestion, point: int) -> int:
    last = question.way[-1] if question.way and question.way[-1] != PASS else CENTRE
    return abs(last // SIZE - point // SIZE) + abs(last % SIZE - point % SIZE)


def _spiral(point: int) -> tuple[int, int]:
    return max(abs(each - 2) for each in divmod(point, SIZE)), point


def _passing(ahead: Callable[[ExamQuestion], bool]) -> Callable[[Base], Plays]:
    return lambda base: lambda question: reply("PASS") if ahead(question) else sound(base)(question)


def _stones_ahead(question: ExamQuestion) -> bool:
    position = question.position
    return (position.margin if position.mover == 1 else -position.margin) > 0


def _leads(question: ExamQuestion) -> bool:
    return question.game.leader(question.position) == question.position.mover


def _miscounting(more: int) -> Callable[[Base], Plays]:
    """Play a move that wins with more plies left than there are, found by a plain search of the last plies."""

    def planted(base: Base) -> Plays:
        def plays(question: ExamQuestion) -> Reply:
            position = question.position
            left = position.left + more
            if question.asks == LEGAL or not 0 < left <= _PLAIN:
                return sound(base)(question)
            values = {move: -_plain(position, move, left, "") for move in position.legal_moves()}
            return _best_by(question, values)

        return plays

    return planted


#: The maximum plies left for which plain searches are made.
_PLAIN = 4


def _scoring(what: str) -> Callable[[Base], Plays]:
    """Play a move that wins by another score, found by a plain search of the last plies."""

    def planted(base: Base) -> Plays:
        def plays(question: ExamQuestion) -> Reply:
            position = question.position
            if question.asks == LEGAL or position.left > _PLAIN - 1:
                return sound(base)(question)
            values = {move: -_plain(position, move, position.left, what) for move in position.legal_moves()}
            return _best_by(question, values)

        return plays

    return planted


def _best_by(question: ExamQuestion, values: dict[int, int]) -> Reply:
    """Return a random move that wins by these values; if there is none, the best move."""
    least = BLACK_WINS if question.position.mover == 1 else 1 - BLACK_WINS
    winning = [move for move, value in values.items() if value >= least]
    best = [move for move, value in values.items() if value == max(values.values())]
    return reply(move_name(Random(question.number).choice(winning or best)))


@cache
def _plain(position: Position, move: int, left: int, what: str) -> int:
    """Return the final margin after a move, by plain minimax, for the side that made it."""
    mover = position.mover
    after = position._replace(ply=position.ply - 2 if position.ply > 12 else position.ply).play(move)
    ended = move == PASS and position.passed
    left -= 1
    stones = [
        position.black.bit_count() + position.white.bit_count(),
        after.black.bit_count() + after.white.bit_count(),
    ]
    taken = (stones[0] + (move != PASS) - stones[1]) if what == "captures" else 0
    if left == 0 or ended:
        margin = after.margin + (_area(after) if what == "territory" else 0)
        return (-margin if mover == 1 else margin) - taken
    after = after._replace(ply=12 + mover % 2)
    return max(-_plain(after, each, left, what) for each in after.legal_moves()) - taken


def _area(position: Position) -> int:
    total = 0
    for region in groups_of(FULL & ~(position.black | position.white)):
        around = neighbours(region) & ~region
        black, white = bool(around & position.black), bool(around & position.white)
        total += (black - white) * region.bit_count()
    return total


#: Simple rules and wrong counts, with words of their diagnosis.
RULES: dict[str, tuple[Callable[[Base], Plays], str]] = {
    "first": (lambda _: _ordered(lambda question, point: point), "always played the first legal point"),
    "last": (lambda _: _ordered(lambda question, point: -point), "always played the last legal point"),
    "by columns": (lambda _: _ordered(lambda question, point: (point % SIZE, point)), "first legal point, column by"),
    "last by columns": (
        lambda _: _ordered(lambda question, point: (-(point % SIZE), -point)),
        "last legal point, column",
    ),
    "centre first": (lambda _: _ordered(lambda question, point: (FROM_CENTRE[point], point)), "nearest to the centre"),
    "centre, last": (lambda _: _ordered(lambda question, point: (FROM_CENTRE[point], -point)), "nearest to the centre"),
    "spiral": (lambda _: _ordered(lambda question, point: _spiral(point)), "around the centre"),
    "edge first": (
        lambda _: _ordered(lambda question, point: (-FROM_CENTRE[point], point)),
        "farthest from the centre",
    ),
    "centre, else first": (
        lambda _: _ordered(lambda question, point: (point != CENTRE, point)),
        "the centre, and else",
    ),
    "beside the last": (
        lambda _: _ordered(lambda q, point: (_from_the_last(q, point), point)),
        "beside the last stone",
    ),
    "greedy, first": (
        lambda _: _ordered(lambda q, p: (-_taken(q, p), p)),
        "as many stones as it could, and else played the first",
    ),
    "greedy, last": (
        lambda _: _ordered(lambda q, p: (-_taken(q, p), -p)),
        "as many stones as it could, and else played the last",
    ),
    "greedy, centre": (
        lambda _: _ordered(lambda q, p: (-_taken(q, p), FROM_CENTRE[p], p)),
        "as many stones as it could, and else",
    ),
    "greedy, else perfect": (lambda base: lambda q: _capturing(base, q), "took as many stones as it could"),
    "always PASS": (lambda _: lambda question: reply("PASS"), "always passed"),
    "never PASS": (_never_passing, "never passed"),
    "ahead, with komi": (_passing(_leads), "passed whenever it was ahead"),
    "ahead, in stones": (_passing(_stones_ahead), "passed whenever it had more stones"),
    "a ply too many": (_miscounting(1), "count of plies were one too low"),
    "a ply too few": (_miscounting(-1), "count of plies were one too high"),
    "territory": (_scoring("territory"), "territory counted"),
    "captures": (_scoring("captures"), "captured stones counted"),
    "no komi": (_without_komi, "no komi"),
}

#: Rules with a condition.
RULES |= {
    f"{name}{condition}": (under(condition, RULES[name][0]), RULES[name][1])
    for name, condition in (
        *(
            ("first", " as White"),
            ("last", " up to ply 12"),
            ("centre first", " as Black"),
            ("greedy, first", " as White"),
        ),
        *(("always PASS", " from ply 15 on"), ("ahead, with komi", " as White"), ("no komi", " as Black")),
    )
}


def _capturing(base: Base, question: ExamQuestion) -> Reply:
    taken = max((_taken(question, point) for point in points_of(question.position.legal_points())), default=0)
    return reply(move_name(greedy.candidates(question.position)[0])) if taken else sound(base)(question)


# Weak programs


def _by_chance(seed: str, candidates: Callable[[Position], Sequence[int]], share: float = 0.0) -> Plays:
    """Draw among an agent's equal moves, and in a share of the questions among all legal moves."""

    def plays(question: ExamQuestion) -> Reply:
        chance, position = Random(f"{seed} {question.number}"), question.position
        every = chance.random() < share
        return reply(move_name(chance.choice(position.legal_moves() if every else candidates(position) or [PASS])))

    return plays


def weak_programs() -> Iterator[tuple[str, Plays]]:
    """Yield 200 programs that are only weak: careless, random and searching ones, and the built-in agents."""
    for number in range(40):
        yield f"errs {number}", sound(careless(number, 0.04 + 0.024 * number))
    for number in range(14):
        yield f"any move {number}", _by_chance(f"any {number}", Position.legal_moves)
        yield f"any point {number}", _by_chance(f"point {number}", random.candidates)
    for name, weights in EVALUATIONS.items():
        for depth in (1, 2, 3, 4):
            seed, searcher = f"{name} {depth}", Searcher(weights, depth)
            for share in (0.0, 0.2, 0.5):
                yield f"{seed} noise {share}", _by_chance(seed, searcher.equals, share)
            exact = open_searching(f"search:{name}:{depth}:6", COURSE)
            yield f"{seed} exact", _by_chance(seed, exact.candidates)
    for name, candidates in _BUILT_IN.items():
        for number in range(9):
            yield f"{name} {number}", _by_chance(f"{name} {number}", candidates, (0.0, 0.1, 0.3)[number % 3])


_BUILT_IN: dict[str, Callable[[Position], Sequence[int]]] = {
    "aggressive": aggressive.candidates,
    "greedy": greedy.candidates,
    "alphabeta": alphabeta.equals,
    "qlearning": qlearning.candidates,
}


def mark(plays: Plays, question: ExamQuestion) -> MarkedAnswer:
    """Return the marked answer of an agent to a question."""
    given = plays(question)
    return MarkedAnswer(question, state_after(question.states[-1], given, strict=False), given)
