"""Advice at the terminal, compared with the kernel."""

import re
from random import Random

import pytest

from little_go.arena.match.host import OPENING, State, judge
from little_go.arena.review.adviser import Adviser
from little_go.arena.review.review import Evaluator
from little_go.book.answers.sources import session_sources
from little_go.book.files.reader import read_book
from little_go.book.store.facts import Origin, Statement
from little_go.solver.bounds import score_text
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import KOMI, PASS, Position, move_name
from tests.arena.helpers import after
from tests.book.positions import Told


@pytest.fixture(scope="module")
def adviser() -> Adviser:
    return Adviser(lambda: Evaluator(session_sources(read_book("book.json", game=COURSE)), 300_000), [1])


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel(open_table(64))


def late(seed: int, left: int) -> State:
    """Return a state with this number of plies left, reached by random stones."""
    rng, state = Random(seed), OPENING
    while state.position.left > left:
        state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1] or [PASS])))
    return state


def value_after(kernel: Kernel, position: Position, move: int) -> int:
    child = position.play(move)
    value = child.margin if child.is_over else kernel.value(child).value
    assert value is not None
    return value


#: Seeds, and the number of plies left.
LATE = [
    *((seed, left) for seed in range(3) for left in (1, 4, 8)),
    *(pytest.param(seed, left, marks=pytest.mark.long) for seed in range(3) for left in (9, 10)),
]


@pytest.mark.parametrize(("seed", "left"), LATE)
def test_values_are_the_kernels_the_best_first(adviser: Adviser, kernel: Kernel, seed: int, left: int) -> None:
    state = late(seed, left)
    head, *lines, last = adviser.values(state)
    own = kernel.value(state.position).value
    assert own is not None
    points = "half a point" if own in (2, 3) else f"{abs(own - KOMI)} points"
    winner = "Black (X)" if own >= 3 else "White (O)"
    assert head == f"{score_text(own, komi=COURSE.komi)} here: {winner} wins by {points}, komi included."
    assert re.fullmatch(r"Exact after \d+\.\d s: all moves\.", last)
    found = {name: value for value, names in groups(lines) for name in names}
    expected = {move_name(move): value_after(kernel, state.position, move) for move in state.position.legal_moves()}
    assert found == expected
    order = [value for value, _ in groups(lines)]
    assert order == sorted(order, reverse=state.position.black_to_move)


def value_of(told: str) -> int:
    """Return the value in a text with its source, such as ``B+0.5 (atlas)``: Black's stones minus White's."""
    points = float(told.split()[0][2:])
    return round(KOMI + (points if told.startswith("B") else -points))


def groups(lines: list[str]) -> list[tuple[int, list[str]]]:
    """Return the printed values, with the names of their moves."""
    found: list[tuple[int, list[str]]] = []
    for line in lines:
        head, colon, names = line.partition("):  ")
        if colon:
            found.append((value_of(head), names.split()))
        else:
            found[-1][1].extend(line.split())
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_hint_keeps_the_value(adviser: Adviser, kernel: Kernel, seed: int) -> None:
    state = late(seed, 9)
    *head, line = adviser.hint(state)
    name, _, rest = (
        re.sub(r"\s+", " ", re.sub("Lost against .* most stubborn is|Play", "", " ".join(head))).strip().partition(": ")
    )
    moves = {move_name(move): move for move in state.position.legal_moves()}
    value = kernel.value(state.position).value
    assert value_after(kernel, state.position, moves[name]) == value
    assert value_of(rest) == value
    assert line.startswith(f"{'XO'[state.position.ply % 2]} {name}")


def test_what_the_book_proves_of_a_position_counts_for_its_move(adviser: Adviser) -> None:
    """After 2,2 1,2 only 2,1 and its reflection win, as the book proves; a search after 2,1 takes long."""
    for known in (adviser, Adviser(lambda: Evaluator(session_sources(read_book("book.json", game=COURSE)), 1), [1])):
        _, best, *rest = known.values(after("2,2 1,2"))
        assert re.search(r"B\+0\.5 \((line|atlas|book|certificate)[a-z, ]*\):  2,1  2,3$", best)
        assert not any(line.startswith("B") for line in rest)


def test_in_a_lost_position_a_hint_names_the_trap(adviser: Adviser) -> None:
    hint = adviser.hint(after("2,2"))
    assert hint[0].startswith("Lost against best play; most stubborn is ")
    assert hint[-1] == "The book's trap is 1,2."
    assert not any("trap" in line for line in adviser.hint(after("")))


@pytest.mark.parametrize(
    ("moves", "said", "lines"),
    [
        ("2,2", Statement(3, 24, (7,), Origin("book")), {"Black wins (book)"}),
        ("", Statement(-24, 2, (7,), Origin("book")), {"White wins (book)", "W+2.5 (rules)"}),
        (
            "",
            Statement(3, 3, (12,), Origin("atlas")),
            {"B+0.5 (atlas)", "undecided (atlas)", "W+2.5 (rules)"},
        ),
    ],
)
def test_no_move_is_better_than_what_is_proven_of_the_position(moves: str, said: Statement, lines: set[str]) -> None:
    state = after(moves)
    told = Adviser(lambda: Evaluator([Told(state.position, said)], 0), [1]).values(state)[1:-1]
    assert {line.partition(":")[0] for line in told if not line.startswith(" ")} == lines


def test_where_nothing_is_proven_a_hint_says_so() -> None:
    blind = Adviser(lambda: Evaluator([], 1), [1])
    hint = " ".join(map(str.strip, blind.hint(after("2,2 1,2 1,1 2,1 0,0 2,3"))))
    told = re.fullmatch(
        r"Nothing is proven: not in the book, and the search cannot tell\. A guess, from 4 plies ahead: (.*)\.", hint
    )
    assert told
    assert judge(after("2,2 1,2 1,1 2,1 0,0 2,3"), told[1]).result is None


def test_why_tells_cost_and_what_was_better(adviser: Adviser) -> None:
    lines = adviser.why(after("0,0 2,2"))
    head = " ".join(map(str.strip, lines[:2]))
    assert head == "Ply 1: Black plays 0,0, costs 6 and the win (leaves the centre)."
    assert any(line.startswith("Better: X 2,2") for line in lines)
    why = " ".join(map(str.strip, adviser.why(after("2,2 1,2"))))
    assert why == "2,2 was no mistake: B+0.5 (line, certificate, atlas, book) before it and after."


def test_at_the_end_why_is_about_ones_own_mistakes(adviser: Adviser) -> None:
    """White's PASS costs most, but Black asks."""
    white = Adviser(lambda: Evaluator([], 1000), [2])
    state = after("PASS")
    assert adviser.why(state)[0].startswith("Ply 1: Black plays PASS")
    assert white.why(state) == ["You made no mistake that is proven."]


def test_no_line_is_longer_than_sixty(adviser: Adviser) -> None:
    for seed in range(3):
        state = late(seed, 11)
        for line in [*adviser.hint(state), *adviser.values(state), *adviser.why(state)]:
            assert len(line) <= 60
