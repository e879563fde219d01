"""The native kernel is exact and deterministic, and can be stopped and shared."""

import mmap
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.family import COURSE
from little_go.solver.native import NoKernel, kernel_needed
from little_go.solver.native.kernel import BUSY_BYTES, CPU_BUILDS, SOURCE, Kernel, MoveBounds
from little_go.solver.native.table import TableFile, open_table
from little_go.solver.position import GAME_PLIES, PASS, START, IllegalMove, Position
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, transform
from tests.book.positions import open_positions
from tests.solver.positions import DATA, drawn, known_positions, shown

ROOT = DATA.parents[1]
CENTRE = 12


def fresh() -> Kernel:
    return Kernel(open_table(16))


@st.composite
def late_positions(draw: st.DrawFn) -> Position:
    """Positions with at most 7 plies left: earlier positions from which an even number of plies is removed, so the
    mover stays the same.
    """
    position = draw(open_positions())
    return position._replace(ply=max(position.ply, 18 - position.ply % 2))


@pytest.mark.parametrize("left", range(1, 13))
def test_known_values(left: int) -> None:
    kernel = fresh()
    for position, value, moves in known_positions(left):
        answer = kernel.value(position)
        assert answer.value == value, shown(position)
        assert answer.best in position.legal_moves()
        if moves:
            assert answer.best is not None
            assert moves[answer.best] == value, shown(position)


@pytest.mark.parametrize("left", range(1, 13))
def test_known_positions_are_decided_on_both_sides_of_the_value(left: int) -> None:
    kernel = fresh()
    for position, value, moves in known_positions(left):
        for threshold in (value, value + 1):
            answer = kernel.decide(position, threshold)
            assert answer.at_least(threshold) is (value >= threshold), shown(position)
            assert LEAST <= answer.lo <= value <= answer.hi <= MOST, shown(position)
            assert answer.best in position.legal_moves()
            if moves:
                assert_keeps(answer, position, moves)


def assert_keeps(answer: Answer, position: Position, moves: dict[int, int]) -> None:
    """Check that the best move keeps the mover's bound."""
    assert answer.best is not None
    after = moves[answer.best]
    assert after >= answer.lo if position.black_to_move else after <= answer.hi, shown(position)


@pytest.mark.parametrize("left", range(2, 10))
def test_known_values_of_moves(left: int) -> None:
    kernel = fresh()
    for position, _, moves in known_positions(left):
        assert not moves or sorted(moves) == position.legal_moves()
        for move, value in moves.items():
            after = position.play(move)
            assert kernel.value(after).value == value, shown(after)


@settings(deadline=None)
@given(late_positions())
def test_value_is_the_best_of_the_moves(position: Position) -> None:
    kernel = fresh()
    values = [kernel.value(position.play(move)).value for move in position.legal_moves()]
    best = (max if position.black_to_move else min)(value for value in values if value is not None)
    assert fresh().value(position).value == best, shown(position)


@settings(deadline=None, max_examples=25)
@given(late_positions())
def test_symmetric_positions_have_one_value(position: Position) -> None:
    value = fresh().value(position).value
    for symmetry in range(1, SYMMETRIES):
        image = transform(symmetry, position)
        answer = fresh().value(image)
        assert answer.value == value, shown(image)
        assert answer.best is not None
        back = position.play(POINT_IMAGE[symmetry].index(answer.best))
        assert fresh().value(back).value == value, shown(image)


@settings(deadline=None, max_examples=25)
@given(late_positions())
def test_bounds_for_all_thresholds_agree(position: Position) -> None:
    value = fresh().value(position).value
    assert value is not None
    shared = fresh()
    for threshold in range(LEAST, MOST + 2):
        for answer in (shared.decide(position, threshold), fresh().decide(position, threshold)):
            assert answer.at_least(threshold) is (value >= threshold), shown(position)
            assert answer.lo <= value <= answer.hi, shown(position)


def test_finished_game_is_worth_its_margin() -> None:
    for position in (START.play(PASS), Position(black=7, white=1 << 24, ply=GAME_PLIES)):
        answer = Answer(position.margin, position.margin, None, 0)
        assert fresh().value(position) == fresh().decide(position, 9) == answer


def test_pass_answering_a_pass_ends_the_game() -> None:
    position = drawn(
        """
        X X X X X
        X X X X X
        X X . X .
        X X X X X
        X X X X X
        """,
        passed=True,
    )
    answer = fresh().value(position)
    assert (answer.value, answer.best) == (23, PASS)


def test_ko_point_is_not_played() -> None:
    ko = drawn("+ X O . . X O . . . . . . . . . . . . . . . . . .", "O", ply=GAME_PLIES - 1)
    with pytest.raises(IllegalMove):
        ko.play(0)
    # After the recapture there is one black stone.
    assert fresh().value(ko).value == -1
    assert fresh().value(ko._replace(ko=None)).value == -2


def test_same_questions_take_the_same_nodes() -> None:
    def nodes() -> list[int]:
        kernel = fresh()
        counts = [kernel.value(known.position).nodes for known in known_positions(11)[:20]]
        assert kernel.nodes == sum(counts)
        return counts

    assert nodes() == nodes()


def test_a_seed_changes_the_tree_and_not_the_answer() -> None:
    answers = [Kernel(open_table(16), seed=seed).decide(Position(ply=10), 3) for seed in (0, 1, 1, 2)]
    assert {COURSE.winner(answer) for answer in answers} == {2}
    assert answers[1] == answers[2]
    assert len({answer.nodes for answer in answers}) == 3


@pytest.mark.parametrize("limit", [1, 10, 100, 1000, 10_000])
def test_node_limit_leaves_true_bounds(limit: int) -> None:
    undecided = 0
    for position, value, _ in known_positions(12)[:50]:
        for answer in (fresh().value(position, node_limit=limit), fresh().decide(position, value, node_limit=limit)):
            assert answer.lo <= value <= answer.hi, shown(position)
            assert answer.best in position.legal_moves()
            assert answer.nodes <= limit + 500
            undecided += answer.value is None
    assert undecided > 0


def test_work_goes_on_after_a_node_limit() -> None:
    position, value, _ = known_positions(12)[0]
    kernel = fresh()
    tries = 0
    while kernel.value(position, node_limit=1000).value is None:
        tries += 1
        assert tries < 1000
    assert tries > 0
    assert kernel.value(position).value == value


def test_warm_table_file_saves_nodes(tmp_path: Path) -> None:
    positions = [known.position for known in known_positions(12)[:10]]

    def nodes() -> int:
        file = TableFile(tmp_path / "table", 16, SOURCE, "a store")
        kernel = Kernel(file.memory)
        for position in positions:
            kernel.value(position)
        file.seal()
        return kernel.nodes

    cold = nodes()
    assert nodes() < cold / 10


def values_on(path: Path, left: int) -> list[int | None]:
    with open(path, "r+b") as file:
        kernel = Kernel(mmap.mmap(file.fileno(), 16 << 20))
    return [kernel.value(known.position).value for known in known_positions(left)]


def test_processes_may_share_a_table(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(bytes(16 << 20))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        answers = [executor.submit(values_on, path, 11) for _ in range(2)]
        for answer in answers:
            assert answer.result() == [known.value for known in known_positions(11)]


def test_threads_at_the_same_question_may_share_it_out() -> None:
    table, busy = open_table(16), bytearray(BUSY_BYTES)

    def values(kernel: Kernel) -> list[int | None]:
        return [kernel.value(known.position).value for known in known_positions(12)]

    with ThreadPoolExecutor(2) as executor:
        for found in executor.map(values, [Kernel(table, busy=busy) for _ in range(2)]):
            assert found == [known.value for known in known_positions(12)]
    assert busy == bytes(BUSY_BYTES)


def test_a_search_ends_when_another_kernel_has_the_answer() -> None:
    table, busy = open_table(64), bytearray(BUSY_BYTES)
    kernel = Kernel(table, busy=busy)
    with ThreadPoolExecutor(1) as executor:
        search = executor.submit(kernel.decide, START, 3, node_limit=1 << 40)
        while busy == bytes(BUSY_BYTES):
            time.sleep(0.01)
        other = Kernel(table)
        other.teach(START, Answer(3, MOST, CENTRE, 1 << 30))
        other.teach(START.play(CENTRE), Answer(3, MOST, None, 1 << 30))
        assert COURSE.winner(search.result()) == 1
    # With an empty table it takes more than 100 M nodes.
    assert kernel.nodes < 50_000_000
    assert busy == bytes(BUSY_BYTES)


def test_expensive_results_are_kept_with_true_bounds() -> None:
    position = known_positions(12)[0].position
    kernel = Kernel(open_table(16), keep_nodes=500)
    kernel.value(position)
    kept = kernel.take_kept()
    assert kept
    assert kernel.take_kept() == []
    check = fresh()
    for result, answer in kept:
        result.check()
        assert answer.nodes >= 500
        value = check.value(result).value
        assert value is not None
        assert answer.lo <= value <= answer.hi, shown(result)
        assert answer.best is None or answer.best in result.legal_moves()


def test_taught_bounds_save_the_search() -> None:
    position, value, _ = known_positions(12)[0]
    learned = fresh().value(position)
    kernel = fresh()
    kernel.teach(position, learned)
    again = kernel.value(position)
    assert again.value == value
    assert again.nodes < learned.nodes / 2


@pytest.mark.parametrize("size", [0, 1 << 23, (1 << 24) - 64, (1 << 24) + 64, 3 << 23])
def test_table_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="power of two of bytes, 16 MiB or more"):
        Kernel(bytearray(size))


def test_read_only_table_is_refused() -> None:
    with pytest.raises(BufferError):
        Kernel(bytes(1 << 24))
    with pytest.raises(TypeError):
        Kernel("table")  # type: ignore[arg-type]


def test_busy_buffer_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="a busy buffer has"):
        Kernel(open_table(16), busy=bytearray(7))


def test_table_cannot_be_closed_under_a_kernel() -> None:
    table = open_table(16)
    kernel = Kernel(table)
    with pytest.raises(BufferError):
        table.close()
    del kernel
    table.close()


def test_interrupt_stops_a_search_and_the_kernel_goes_on() -> None:
    script = """
import signal
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import START
from little_go.solver.native.table import TableFile, open_table
from tests.solver.positions import known_positions
# A shell ignores the signal for what it starts in the background, and so for these tests.
signal.signal(signal.SIGINT, signal.default_int_handler)
kernel = Kernel(open_table(16))
try:
    print("ready", flush=True)
    kernel.value(START)
except KeyboardInterrupt:
    known = known_positions(10)[0]
    print("interrupted", kernel.value(known.position).value == known.value)
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    assert output == "interrupted True\n"


def test_another_thread_stops_a_search_and_watches_its_nodes() -> None:
    kernel = fresh()
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(kernel.value, START)
        while kernel.nodes < 300_000:
            assert not search.done()
        kernel.stop()
        assert search.result(timeout=5).value is None
    before = kernel.nodes
    assert kernel.value(START).value is None
    assert kernel.nodes < before + 2_100_000


@pytest.mark.parametrize("guess", [-99, -24, -3, 0, 2, 24, 99])
def test_the_value_does_not_depend_on_the_guess(guess: int) -> None:
    for known in known_positions(10)[:20]:
        assert fresh().value(known.position, guess=guess).value == known.value


def test_the_first_ply_pass_is_seen_at_once() -> None:
    # A PASS on the first ply ends the game with a margin of 0.
    for node_limit in (None, 1000):
        answer = fresh().decide(START, 0, node_limit=node_limit)
        assert (answer.lo, answer.best) == (0, PASS)
        assert answer.nodes < 10


def test_the_move_is_looked_for_within_the_node_limit() -> None:
    answer = fresh().decide(Position(8422402, 266624, None, 8), -12, node_limit=100)
    assert answer.nodes < 100 + 500


def test_kept_results_wait_to_be_fetched_and_are_never_too_many() -> None:
    kernel = Kernel(open_table(16), keep_nodes=1)
    positions = [known.position for known in known_positions(12)[:20]]
    for position in positions:
        kernel.value(position, node_limit=100_000)
    assert len(kernel.take_kept()) == 4096
    assert kernel.take_kept() == []


def test_every_variant_searches_the_same_tree() -> None:
    assert CPU_BUILDS[0] == "plain"
    modern = {"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}
    flags = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")), "")
    assert ("x86-64-v3" in CPU_BUILDS) == (modern <= set(flags.split()))
    found = []
    for build in CPU_BUILDS:
        kernel, bounds = Kernel(open_table(16), build=build), MoveBounds(Position(ply=14))
        kernel.moves(bounds)
        decided = kernel.decide(Position(ply=13), 3)
        found.append((kernel.value(Position(ply=12)), decided, bounds.answers(), kernel.nodes))
    assert found == found[:1] * len(CPU_BUILDS)
    with pytest.raises(ValueError, match="not in tuple"):
        Kernel(open_table(16), build="none")


def test_games_longer_than_the_course_s_are_searched_and_no_others() -> None:
    kernel = Kernel(open_table(16))
    assert kernel.decide(Position(ply=-6, passed=True), 3, node_limit=50_000).nodes >= 50_000
    with pytest.raises(ValueError, match="31 plies are left: the kernel searches 0 to 30"):
        kernel.decide(Position(ply=-7, passed=True), 3)


@pytest.mark.parametrize("module", ["kernel", "explain"])
def test_a_module_that_is_not_built_is_named_by_a_line(module: str) -> None:
    with pytest.raises(NoKernel, match="is not built for this Python: run make setup"), kernel_needed():
        raise ImportError("no such module", name=f"little_go.solver.native.{module}")


@pytest.mark.parametrize("module", ["little_go.solver.native.other", "numpy", None])
def test_an_import_of_something_else_fails_as_it_is(module: str | None) -> None:
    with pytest.raises(ImportError, match="no such module"), kernel_needed():
        raise ImportError("no such module", name=module)
