"""Searches that a limit stops: the answers to random questions in random order are true.

Every program that keeps results of a search gets random questions, with limits so small that most searches are stopped.
The positions are later and earlier ones, siblings and symmetric copies. Each bound and each best move is compared with
the exact value, from a kernel without any given facts. A seed determines the questions, but the results of a stopped
search differ from run to run.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.arena.gtp.engine import Engine
from little_go.arena.gtp.protocol import Line, WaitForInput
from little_go.arena.match.host import OPENING, State, judge
from little_go.arena.review.adviser import Adviser
from little_go.arena.review.reading import positions_of
from little_go.arena.review.review import Evaluator
from little_go.book.__main__ import main as query
from little_go.book.answers.live import LiveSearch
from little_go.book.answers.query import Knowledge, Service
from little_go.book.answers.sources import session_sources
from little_go.book.files.reader import read_book
from little_go.book.library import open_book
from little_go.book.store.facts import Contradiction
from little_go.notation.movetext import vertex_name
from little_go.notation.record import to_record
from little_go.solver.answer import BLACK_WINS, LEAST, Answer, Bounds
from little_go.solver.bounds import worth_text
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position, move_name, parse_move
from little_go.solver.symmetry import SYMMETRIES, canonical_key, transform
from tests.options import FROM_LINES, LIVE

#: The plies left of the questions: a search is long enough to be stopped, and the exact value takes less than a second.
LEFT = range(11, 16)

#: The node limits of a search: most are too small, and some are enough for any position.
NODES = (100, 1_000, 3_000, 3_000, 30_000, 1 << 40)

#: The table of each search in MiB: small, so that given and kept facts matter.
TABLE = 64


class Truth:
    """The judge: exact values from a kernel without given facts, and the number of compared statements.

    faults: the false statements. told: by kind, the number of compared statements. answers: the number of bounds and
    best moves among them; the others follow from these.
    """

    def __init__(self) -> None:
        self._kernel = Kernel(open_table(256))
        self._values: dict[int, int] = {}
        self.told: Counter[str] = Counter()
        self.faults: list[str] = []

    @property
    def answers(self) -> int:
        return sum(self.told[kind] for kind in ("bounds", "best", "words"))

    def value(self, position: Position) -> int:
        """Return the exact value from Black's side."""
        if position.is_over:
            return position.margin
        key = canonical_key(position)
        if key not in self._values:
            value = self._kernel.value(position).value
            assert value is not None
            self._values[key] = value
        return self._values[key]

    def holds(self, kind: str, is_true: bool, position: Position, words: str) -> None:
        """Count a statement, and record it if it is false."""
        self.told[kind] += 1
        if not is_true:
            self.faults.append(f"{kind}: {position!r} is worth {self.value(position):+d}, but told: {words}")

    def check(self, known: Knowledge) -> None:
        """Compare all statements about a position and its moves."""
        position = known.position
        self.check_one(known)
        for move, after in known.after_moves:
            self.check_one(after)
            value, child = self.value(position), self.value(position.play(move))
            lost = abs(value - child)
            for group in known.moves:
                if move in group.moves:
                    words = f"{move_name(move)} loses {group.lost}"
                    self.holds("loss", group.lost[0] <= lost <= group.lost[1], position, words)
        for move in known.best_moves:
            is_best = self.value(position.play(move)) == self.value(position)
            self.holds("best of several", is_best, position, f"{move_name(move)} is best")

    def check_one(self, known: Knowledge) -> None:
        """Compare the bounds of a position, its best move, and its line if the value is exact."""
        position = known.position
        if (known.lo, known.hi) != Bounds():
            self.holds("bounds", known.lo <= self.value(position) <= known.hi, position, f"{known.lo} to {known.hi}")
        reach = known.mover_bound(position.black_to_move)
        if known.best is not None and reach > LEAST:
            after = self.value(position.play(known.best))
            kept = Bounds(after, after).mover_bound(position.black_to_move) >= reach
            words = f"{known.lo} to {known.hi}, best {move_name(known.best)}, which is worth {after:+d}"
            self.holds("best", kept, position, words)
        if known.value is not None:
            for move in known.pv:
                position = position.play(move)
                self.holds("line", self.value(position) == known.value, known.position, f"line {known.pv}")


def game(rng: Random, left: int) -> State:
    """Return a state with a number of plies left, after random stones."""
    state = OPENING
    while state.position.left > left:
        state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1] or [PASS])))
    return state


def questions(rng: Random, most: int = 8) -> Iterator[Position]:
    """Yield related positions in random order: earlier and later ones, siblings, symmetric copies."""
    *_, before, position = positions_of(game(rng, rng.choice(LEFT[1:-1])))
    siblings = [before.play(move) for move in rng.sample(before.legal_moves(), 2)]
    after = position.play(rng.choice(position.legal_moves()))
    pool = [before, position, *siblings, *([] if after.is_over else [after])]
    for _ in range(most):
        yield transform(rng.randrange(SYMMETRIES), rng.choice(pool))


def ask_service(rng: Random, truth: Truth) -> None:
    """Query a service with and without the moves, with node limits."""
    service = Service([], LiveSearch(TABLE), game=COURSE)
    assert service.live is not None
    for position in questions(rng):
        budget = service.live.nodes(rng.choice(NODES))
        truth.check(service.ask(position, budget, moves=rng.random() < 0.7, replies=rng.random() < 0.3))


def ask_updates(rng: Random, truth: Truth) -> None:
    """Read the updates of a service, and stop at random, like a controller that changes the position."""
    service = Service(session_sources(None), LiveSearch(TABLE), game=COURSE)
    assert service.live is not None
    for position in questions(rng):
        for known in service.updates(position, service.live.nodes(rng.choice(NODES)), 0.0):
            truth.check(known)
            if rng.random() < 0.3:
                break


def ask_book(rng: Random, truth: Truth) -> None:
    """Look positions up in the shipped book, and play moves from them."""
    with open_book("book.json", live=0.03, table=TABLE) as book:
        for position in questions(rng):
            known = book.get(position)
            if known is not None:
                truth.check(known.knowledge)
                truth.check(known.play(move_name(rng.choice(position.legal_moves()))).knowledge)


def ask_engine(rng: Random, truth: Truth) -> None:
    """Play, undo and analyse by GTP, repeatedly or for a moment."""
    state = game(rng, rng.choice(LEFT[1:]))
    engine = Engine(read_book("book.json", game=COURSE), table_mib=TABLE, game=COURSE)
    history = [START]
    for name in state.moves:
        history.append(_play(engine, history[-1], parse_move(name)))
    for _ in range(8):
        position = history[-1]
        if position.left > LEFT[0] and rng.random() < 0.5:
            history.append(_play(engine, position, rng.choice(position.legal_moves()[:-1])))
        elif position.left < LEFT[-1]:
            assert engine.respond("undo") == "=\n\n"
            history.pop()
        looks = rng.randrange(3)
        list(engine.answer(Line("kata-analyze 1", True), stopping_after(looks)))
        _check_lines(truth, history[-1], str(engine.respond("littlego-analyze 0.03")))


def stopping_after(looks: int) -> WaitForInput:
    """Return a function that reports at the first calls that no command waits, and then that one waits."""
    waits = iter([False] * looks)
    return lambda seconds: next(waits, True)


def _play(engine: Engine, position: Position, move: int) -> Position:
    assert engine.respond(f"play {'BW'[position.mover - 1]} {vertex_name(move)}") == "=\n\n"
    return position.play(move)


def _check_lines(truth: Truth, position: Position, lines: str) -> None:
    """Compare the lines of ``littlego-analyze``."""
    found = {}
    for vertex, words, lo, hi in re.findall(r"(\w+) (\S+ winner \w+) lo (-?\d+) hi (-?\d+) sources", lines):
        found[vertex] = words, int(lo), int(hi)
    assert len(found) == len(position.legal_moves())
    for move in position.legal_moves():
        words, lo, hi = found[vertex_name(move)]
        value = truth.value(position.play(move))
        winner = words.endswith("unknown") or words.endswith("Black" if value >= BLACK_WINS else "White")
        truth.holds("bounds", winner and lo <= value <= hi, position.play(move), f"{words} {lo} to {hi}")


#: Patterns: the start of a hint with a best move, the start without one, and the result of the position.
HINT = re.compile(
    r"((Play|Lost against best play; most stubborn is) (?P<move>\S+): |Nothing is proven: |Lost against best play: )?"
    r"(?P<words>.*?)( \(|\. A guess)"
)


def ask_terminal(rng: Random, truth: Truth) -> None:
    """Enter ``values`` and ``hint`` along a game, back and forth, with few nodes."""
    evaluator = Evaluator(session_sources(None), rng.choice((300, 3_000, 30_000)), TABLE)
    adviser = Adviser(lambda: evaluator, [1, 2])
    state = game(rng, LEFT[0])
    states = [judge_all(state.moves[:played]) for played in range(24 - LEFT[-1], 24 - LEFT[0] + 1)]
    for at in rng.choices(states, k=6):
        position = at.position
        _, *lines, _ = adviser.values(at)
        # A long line continues on the next line, indented.
        for line in "\n".join(lines).replace("\n ", " ").splitlines():
            words, _, names = line.partition(":")
            for name in names.split():
                after = position.play(parse_move(name))
                truth.holds("words", says(words, truth.value(after)), after, words)
        hint = " ".join(adviser.hint(at))
        head = HINT.match(hint)
        assert head is not None, hint
        name, words = head["move"], head["words"]
        truth.holds("words", says(words, truth.value(position)), position, hint)
        if name is not None:
            truth.holds("best", says(words, truth.value(position.play(parse_move(name)))), position, hint)


def judge_all(moves: Sequence[str]) -> State:
    """Return the state after the moves."""
    state = OPENING
    for move in moves:
        state = judge(state, move)
    return state


def says(words: str, value: int) -> bool:
    """Return whether words are true for a value: every pair of bounds with these words contains the value."""
    told = " ".join(words.partition("(")[0].split())
    if told in ("undecided", "not in the book, and the search cannot tell"):
        return True
    exact = [each for each in range(-24, 25) if worth_text(Bounds(each, each), game=COURSE) == told]
    if exact:
        return exact == [value]
    winning = [
        each
        for each in range(-24, 25)
        if told in (worth_text(Bounds(each, 24), game=COURSE), worth_text(Bounds(-24, each), game=COURSE))
    ]
    assert len(winning) == 1, words
    (bound,) = winning
    return value >= bound if bound >= BLACK_WINS else value <= bound


def ask_review(rng: Random, truth: Truth) -> None:
    """Review several games with one opening in one process, with few nodes."""
    evaluator = Evaluator(session_sources(None), rng.choice((300, 1_000, 3_000)), TABLE)
    opening = game(rng, LEFT[-1])
    for _ in range(4):
        state = opening
        while state.position.left > 2:
            state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1] or [PASS])))
        for known in evaluator.known_of_all(positions_of(state)):
            if known.position.left in range(1, LEFT[-1] + 1):
                truth.check(known)


def ask_lines(rng: Random, truth: Truth) -> None:
    """Run ``query`` for several positions in one process, and read its JSON."""
    asked = list(questions(rng))
    lines = "".join(json.dumps(to_record(position, COURSE)) + "\n" for position in asked)
    options = ("--only", "kernel", LIVE, "0.03", "--table", f"{TABLE}MiB", FROM_LINES, "-")
    result = CliRunner().invoke(query, ["query", *options], input=lines)
    assert result.exit_code == 0, result.output
    for position, line in zip(asked, result.stdout.splitlines(), strict=True):
        record = json.loads(line)
        truth.check_one(_known(position, record))
        for name, after in record["moves"].items():
            truth.check_one(_known(position.play(parse_move(name)), after))


def _known(position: Position, record: Mapping[str, Any]) -> Knowledge:
    """Return the statements in a JSON record about a position."""
    best = None if record["best_move"] is None else parse_move(record["best_move"])
    assert (record["black"], record["white"], record["ply"]) == (position.black, position.white, position.ply)
    pv = tuple(map(parse_move, record["pv"]))
    return Knowledge(position, Answer(record["lo"], record["hi"], best, record["nodes"]), pv=pv, game=COURSE)


DOORS: tuple[Callable[[Random, Truth], None], ...] = (
    ask_service, ask_updates, ask_book, ask_engine, ask_terminal, ask_review, ask_lines,
)  # fmt: skip

#: By program, the number of answers in the short campaign and in the long one.
FEW, MANY = 60, 7_200


def campaign(door: Callable[[Random, Truth], None], answers: int) -> None:
    """Query a program until it has given a number of answers; none may be false or contradict another."""
    truth = Truth()
    seed = 0
    while truth.answers < answers:
        try:
            door(Random(f"{door.__name__} {seed}"), truth)
        except Contradiction as error:
            truth.faults.append(str(error))
        seed += 1
    # pytest -s shows this line.
    print(f"{door.__name__}: {seed} sessions, {dict(truth.told)}, {len(truth.faults)} false")
    assert truth.faults == []


@pytest.mark.parametrize(
    "door", [door if door is ask_terminal else pytest.param(door, marks=pytest.mark.system) for door in DOORS]
)
def test_what_is_told_is_true(door: Callable[[Random, Truth], None]) -> None:
    campaign(door, FEW)


@pytest.mark.long
@pytest.mark.parametrize("door", DOORS)
def test_more_of_what_is_told_is_true(door: Callable[[Random, Truth], None]) -> None:
    campaign(door, MANY)
