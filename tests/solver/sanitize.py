"""The kernel under the compiler's sanitizers.

This program compiles sanitize.c with the kernel, sends it known and random questions, and checks every answer.
"""

import os
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from little_go.book.answers.reasons import ExactOracle
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.explain import KINDS, THEMES, explain, reason
from little_go.solver.native.kernel import BUSY_BYTES, Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, PASS, Position
from little_go.solver.symmetry import canonical_key, key_of
from tests.solver import minimax
from tests.solver.lines import NO_KO, answer_line, question, seen
from tests.solver.positions import Known
from tests.solver.test_perft import Case

ROOT = Path(__file__).parents[2]
MEMORY = "address,undefined"
THREADS = "thread"

ASKED_OF_A_TABLE = 50
#: The maximum number of leaves, about, of a tree for plain minimax.
PLAIN_LEAVES = 300
#: The maximum of plies left of positions that are solved so that their values can be put into the table.
TAUGHT_LEFT = 10
#: The maximum of plies left of positions with a ko, because earlier in a random game a ko is rare.
KO_LEFT = 14
#: The number of numbers in an answer, and in a kept result.
ANSWER = 4
KEPT = 9


class Unclean(Exception):
    """A wrong answer, or a program that ended too early; the message contains the question."""


class Question(NamedTuple):
    """A line for the program, and a function that checks the numbers of the answer."""

    line: str
    is_right: Callable[[list[int]], bool]


def build(program: Path, sanitizers: str) -> None:
    """Compile the program with some sanitizers; raise CalledProcessError with the compiler's messages."""
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-pthread", f"-I{ROOT / 'solver' / 'native'}"]
    # explain.c includes the kernel.
    sources = [str(Path(__file__).with_suffix(".c")), str(ROOT / "solver" / "native" / "explain.c")]
    command = [*_compiler(sanitizers), *flags, *sources, "-o", str(program)]
    subprocess.run(command, check=True, capture_output=True, text=True)


def is_usable(sanitizers: str) -> bool:
    """Return whether a program with these sanitizers can be built and runs here."""
    with tempfile.TemporaryDirectory() as directory:
        empty, program = Path(directory) / "empty.c", Path(directory) / "empty"
        empty.write_text("int main(void) { return 0; }\n")
        try:
            subprocess.run([*_compiler(sanitizers), str(empty), "-o", str(program)], check=True, capture_output=True)
            return subprocess.run([program], capture_output=True, check=False).returncode == 0
        except (OSError, subprocess.CalledProcessError):
            return False


def _compiler(sanitizers: str) -> list[str]:
    return [os.environ.get("CC", "gcc"), f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]


def ask(program: Path, questions: Iterable[Question]) -> int:
    """Send all questions to the program, and return their number; raise Unclean."""
    asked = 0
    # The pipe has no buffer, so that no text remains for a program that has ended.
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for line, is_right in questions:
            try:
                running.stdin.write(f"{line}\n".encode())
            except BrokenPipeError:
                raise Unclean(f"the program ended before: {line}") from None
            answer = running.stdout.readline().decode()
            if not answer.endswith("\n"):
                raise Unclean(f"the program ended at: {line}")
            if not is_right([int(word) for word in answer.split()]):
                raise Unclean(f"{line}\nwas answered by: {answer.strip()}")
            asked += 1
        running.stdin.close()
        if running.wait():
            raise Unclean(f"the program ended with {running.returncode}")
    return asked


def oracle(rows: Iterable[Known]) -> Iterator[Question]:
    """Yield questions for known values, and for the values after each move."""
    for number, known in enumerate(rows):
        if number % ASKED_OF_A_TABLE == 0:
            yield _open()
        yield _exactly(known.position, known.value)
        for move, value in known.moves.items():
            child = known.position.play(move)
            if not child.is_over:
                yield _exactly(child, value)


def perft_suite(cases: Iterable[Case]) -> Iterator[Question]:
    """Yield questions for known counts of leaves."""
    for case in cases:
        # In published counts, a PASS on the first ply does not end the game.
        position = case.position if case.position.ply else case.position._replace(ply=2)
        for depth, count in case.counts.items():
            yield Question(f"perft {seen(position)} {depth} 1", [count].__eq__)


def by_chance(seed: int, searches: int) -> Iterator[Question]:
    """Yield ``count`` random questions about random positions, with tables of every kind."""
    rng = random.Random(seed)
    kinds = (_searches, _searches, _searches, _with_kept, _impatient)
    for start in range(0, searches, ASKED_OF_A_TABLE):
        kind = kinds[start // ASKED_OF_A_TABLE % len(kinds)]
        yield from kind(rng, min(ASKED_OF_A_TABLE, searches - start))


def shared(seed: int, searches: int, most_left: int = 12) -> Iterator[Question]:
    """Yield ``count`` questions for two threads at the same time on one table."""
    rng = random.Random(seed)
    for number in range(searches):
        if number % ASKED_OF_A_TABLE == 0:
            yield _open(seed=number, busy=True, keep_nodes=500, room=2000)
        position = random_position(rng, most_left - _below(rng, 4))
        threshold, limit = _threshold(rng, position), _limit(rng)
        line = question(position, threshold, limit).replace("decide", "both")
        yield Question(line, _truth(position, None if limit else threshold, answers=2))
        yield Question("kept", _kept_truths)
        if number % 3 == 0:
            position, limit = random_position(rng, most_left - 2 - _below(rng, 6)), _limit(rng)
            line = question(position, BLACK_WINS, limit).replace("decide", "moves")
            yield Question(line, _truth_of_moves(position, exact=not limit))
            yield Question("kept", _kept_truths)


def reasons(seed: int, mistakes: int) -> Iterator[Question]:
    """Yield questions for the reasons why random moves are worse than the best move, with whole and with shortened
    lines.
    """
    rng, judge = random.Random(seed), ExactOracle(_reference())
    yield _open()
    for _ in range(mistakes):
        position = random_position(rng, 2 + _below(rng, 9))
        position = position._replace(ply=GAME_PLIES - position.left)
        move = (moves := position.legal_moves())[_below(rng, len(moves))]
        found = explain(position, move, judge)
        if found is None:
            yield Question(f"explain {seen(position)} {move}", [0].__eq__)
            continue
        *lines, outcome = found
        shown = [number for line in lines for number in (len(line), *line)]
        yield Question(f"explain {seen(position)} {move}", [outcome, *shown].__eq__)
        for plies in (GAME_PLIES, 1 + _below(rng, 4)):
            yield _reason(position, lines[0][:plies], lines[1][:plies], outcome)


def _reason(position: Position, worse: Sequence[int], better: Sequence[int], outcome: int) -> Question:
    try:
        theme, *texts, kind = reason(position, worse, better, *COURSE, outcome)
        right = [1, THEMES.index(theme), KINDS.index(kind), *" ".join(texts).encode()]
    except ValueError:
        right = [0]
    lines = " ".join(map(str, (len(worse), *worse, len(better), *better, outcome)))
    return Question(f"reason {seen(position)} {lines}", right.__eq__)


def _searches(rng: random.Random, number: int) -> Iterator[Question]:
    """Yield questions whose node counts must be the same as with this Python's kernel."""
    seed, busy = _below(rng, 3) * _below(rng, 1 << 30), _below(rng, 3) == 0
    yield _open(seed=seed, busy=busy)
    kernel = Kernel(open_table(16), busy=bytearray(BUSY_BYTES) if busy else None, seed=seed)
    for _ in range(number):
        deep = _below(rng, 30) == 0
        position = random_position(rng, 13 + _below(rng, GAME_PLIES - 12) if deep else _left(rng))
        limit = 1 + _below(rng, 3000) if deep else _limit(rng)
        threshold = _threshold(rng, position) if _below(rng, 2) else None
        if threshold is None:
            answer = kernel.value(position, node_limit=limit or None)
        else:
            answer = kernel.decide(position, threshold, node_limit=limit or None)
        right = answer_line(position, answer)
        plain = plain_value(position)
        assert plain is None or answer.lo <= plain <= answer.hi, f"{position} is worth {plain}, not {answer}"
        yield Question(question(position, threshold, limit), right.__eq__)
        if _below(rng, 4) == 0:
            yield Question(f"children {key_of(position)}", _children_line(position).__eq__)
        if position.left <= TAUGHT_LEFT and _below(rng, 4) == 0:
            known = _reference().value(position)
            kernel.teach(position, known)
            taught = " ".join(map(str, answer_line(position, known)))
            yield Question(f"teach {seen(position)} {taught}", lambda found: not found)


def _children_line(position: Position) -> list[int]:
    """Return the position's canonical key, and then each move with the key after it."""
    after = [(move, canonical_key(position.play(move))) for move in position.legal_moves()]
    return [canonical_key(position), *(number for pair in after for number in pair)]


def _with_kept(rng: random.Random, number: int) -> Iterator[Question]:
    """Yield searches with a small buffer for results, which becomes full, and check each result."""
    yield _open(seed=_below(rng, 3), busy=_below(rng, 3) == 0, keep_nodes=1 + _below(rng, 40), room=1 + _below(rng, 60))
    for _ in range(number):
        position = random_position(rng, _left(rng))
        yield Question(question(position, _threshold(rng, position), _limit(rng)), _truth(position, None))
        if _below(rng, 3):
            yield Question("kept", _kept_truths)


def _impatient(rng: random.Random, number: int) -> Iterator[Question]:
    """Yield searches that the caller interrupts, and searches after them."""
    for start in range(number):
        if start % 10 == 0:
            yield _open(busy=True, keep_nodes=1000, room=1 << 12, patience=_below(rng, 3))
        position = random_position(rng, 11 + _below(rng, 3) if start % 10 == 5 else _left(rng))
        threshold = _threshold(rng, position) if _below(rng, 2) else None
        yield Question(question(position, threshold), _truth(position, None))


def random_position(rng: random.Random, left: int) -> Position:
    """Return a position with 1 to 24 plies left, from random play, including PASS, of a game of any length.

    One in eight has a ko, if there are enough stones. Without this choice almost none would have a ko.
    """
    with_ko = left <= KO_LEFT and _below(rng, 8) == 0
    while True:
        position = Position(ply=2 * _below(rng, (GAME_PLIES - left) // 2 + 1))
        crowded = _below(rng, 2)
        while position.left > left + with_ko:
            moves = position.legal_moves()
            # Small numbers put the stones into a corner, so that there are captures and ko.
            number = _below(rng, min(4, len(moves))) if crowded and _below(rng, 2) else _below(rng, len(moves))
            position = position.play(PASS if _below(rng, 8) == 0 else moves[number])
        if with_ko:
            after = map(position.play, position.legal_moves())
            position = next((child for child in after if child.ko is not None), position)
        if position.left == left:
            return position


def plain_value(position: Position) -> int | None:
    """Return the value by plain minimax, or None if it would take long."""
    if len(position.legal_moves()) ** position.left > PLAIN_LEAVES:
        return None
    minimax.value.cache_clear()
    return minimax.value(plain_state(position))


def plain_state(position: Position) -> minimax.State:
    """Return a position as a state of plain minimax. ``before`` is "" if no stone can restore it."""
    board = "".join(".XO"[int(digit)] for digit in "".join(position.rows()))
    if position.pass_ends:
        before = board
    elif position.ko is None:
        before = ""
    else:
        before = _before_the_ko(position, board)
    return minimax.State(board, before, ".XO"[position.mover], position.left, position.passed)


def _before_the_ko(position: Position, board: str) -> str:
    """Return the board before the last ply, which a recapture would restore."""
    assert position.ko is not None
    # Without the ko point, the recapture is a legal move.
    state = minimax.State(board, "", ".XO"[position.mover], position.left, False)
    back = minimax.after(state, position.ko)
    assert back is not None
    return back.board


@cache
def _reference() -> Kernel:
    return Kernel(open_table(64))


def _value(position: Position) -> int:
    """Return the exact value from the mover's side, by a separate kernel."""
    value = _reference().value(position).value
    assert value is not None
    return value if position.black_to_move else -value


def _truth(position: Position, threshold: int | None, answers: int = 1) -> Callable[[list[int]], bool]:
    """Return a check of answers: they must be true, and if a threshold is given, they must decide it."""

    def is_right(found: list[int]) -> bool:
        value, moves = _value(position), position.legal_moves()
        if len(found) != answers * ANSWER:
            return False
        for lo, hi, best, _ in _cut(found, ANSWER):
            goal = lo if threshold is None else threshold if position.black_to_move else 1 - threshold
            if not lo <= value <= hi or best not in moves or lo < goal <= hi:
                return False
        return True

    return is_right


def _truth_of_moves(position: Position, *, exact: bool) -> Callable[[list[int]], bool]:
    """Return a check of the bounds of all moves."""

    def is_right(found: list[int]) -> bool:
        bounds = {move: (lo, hi) for move, lo, hi in _cut(found, 3)}
        for move, (lo, hi) in bounds.items():
            child = position.play(move)
            value = _reference().value(child).lo * (1 if position.black_to_move else -1)
            if not lo <= value <= hi or (exact and lo < hi):
                return False
        return list(bounds) == position.legal_moves()

    return is_right


def _kept_truths(found: list[int]) -> bool:
    return len(found) % KEPT == 0 and all(_is_true(kept) for kept in _cut(found, KEPT))


def _is_true(kept: list[int]) -> bool:
    me, opp, ko, left, pass_ends, lo, hi, best, nodes = kept
    black, white = (me, opp) if left % 2 == 0 else (opp, me)
    ply = GAME_PLIES - left
    position = Position(black, white, None if ko == NO_KO else ko, ply, bool(pass_ends) and ply > 0)
    position.check()
    return lo <= _value(position) <= hi and best in position.legal_moves() and nodes > 0


def _cut(numbers: list[int], size: int) -> Iterator[list[int]]:
    return (numbers[i : i + size] for i in range(0, len(numbers), size))


def _open(*, seed: int = 0, busy: bool = False, keep_nodes: int = 0, room: int = 0, patience: int = -1) -> Question:
    return Question(f"open {seed} {int(busy)} {keep_nodes} {room} {patience}", lambda found: not found)


def _exactly(position: Position, value: int) -> Question:
    right = value if position.black_to_move else -value
    return Question(question(position, None), lambda found: found[:2] == [right, right])


def _below(rng: random.Random, number: int) -> int:
    # random() is the same in every version of Python, but choice() may not be.
    return int(rng.random() * number)


def _left(rng: random.Random) -> int:
    """Return random plies left, 1 to 12, most often in the middle of this range."""
    return 1 + (_below(rng, 12) + _below(rng, 13)) // 2


def _threshold(rng: random.Random, position: Position) -> int:
    return min(max(position.margin + _below(rng, 13) - 6, -23), 24)


def _limit(rng: random.Random) -> int:
    """Return a random node limit; mostly 0, which means no limit."""
    return (0, 0, 0, 1, 10, 100, 1000)[_below(rng, 7)]
