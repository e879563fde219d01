"""The kernel under the compiler's sanitizers, in a short and a long test, and the functions that it calls."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from little_go.solver.position import START
from tests.solver import sanitize
from tests.solver.positions import known_positions, shown
from tests.solver.test_perft import CASES

pytestmark = pytest.mark.system

#: Functions that a compiler calls by itself: for clearing and copying, and for counting bits if the machine has no such
#: instruction.
COMPILERS_OWN = {"memset", "memcpy", "memmove", "__popcountsi2", "__popcountdi2"}

#: The questions of the long tests: random searches, in a number of parts, and searches by two threads.
SEED = 561
PARTS, SEARCHES = 4, 2_500
SHARED = 300
REASONS = 2_000


def build(program: Path, sanitizers: str) -> Path:
    if not sanitize.is_usable(sanitizers):
        pytest.skip(f"no compiler here that can do -fsanitize={sanitizers}: the kernel is not watched")
    sanitize.build(program, sanitizers)
    return program


def test_memory_and_arithmetic(tmp_path: Path) -> None:
    program = build(tmp_path / "memory", sanitize.MEMORY)
    rows = [known for left in range(1, 13) for known in known_positions(left)[:1]]
    sanitize.ask(program, sanitize.oracle(rows))
    sanitize.ask(program, sanitize.perft_suite(CASES[::20]))
    sanitize.ask(program, sanitize.by_chance(1, 100))
    sanitize.ask(program, sanitize.shared(1, 20))
    sanitize.ask(program, sanitize.reasons(1, 100))


def test_threads(tmp_path: Path) -> None:
    program = build(tmp_path / "threads", sanitize.THREADS)
    sanitize.ask(program, sanitize.shared(2, 20))


@pytest.mark.long
@pytest.mark.parametrize("left", range(1, 13))
def test_all_known_values(tmp_path: Path, left: int) -> None:
    sanitize.ask(build(tmp_path / "memory", sanitize.MEMORY), sanitize.oracle(known_positions(left)))


@pytest.mark.long
def test_the_whole_perft_suite(tmp_path: Path) -> None:
    sanitize.ask(build(tmp_path / "memory", sanitize.MEMORY), sanitize.perft_suite(CASES))


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_many_searches(tmp_path: Path, part: int) -> None:
    sanitize.ask(build(tmp_path / "memory", sanitize.MEMORY), sanitize.by_chance(SEED + part, SEARCHES))


@pytest.mark.long
def test_many_reasons(tmp_path: Path) -> None:
    sanitize.ask(build(tmp_path / "memory", sanitize.MEMORY), sanitize.reasons(SEED, REASONS))


@pytest.mark.long
@pytest.mark.parametrize("sanitizers", [sanitize.MEMORY, sanitize.THREADS])
def test_many_searches_by_two_threads(tmp_path: Path, sanitizers: str) -> None:
    sanitize.ask(build(tmp_path / "shared", sanitizers), sanitize.shared(SEED, SHARED))


def test_a_wrong_answer_is_not_clean(tmp_path: Path) -> None:
    program = tmp_path / "liar"
    program.write_text("#!/bin/sh\nread line; echo; read line; echo 24 24 0 1\n")
    program.chmod(0o755)
    with pytest.raises(sanitize.Unclean, match="was answered by: 24 24 0 1"):
        sanitize.ask(program, sanitize.oracle(known_positions(2)[:1]))


@pytest.mark.parametrize("last", ["exit 1", "read line; echo; exit 1", "read line; echo; read line; printf 1; exit 1"])
def test_an_early_end_is_not_clean(tmp_path: Path, last: str) -> None:
    program = tmp_path / "breaks"
    program.write_text(f"#!/bin/sh\n{last}\n")
    program.chmod(0o755)
    with pytest.raises(sanitize.Unclean, match="the program ended"):
        sanitize.ask(program, sanitize.oracle(known_positions(2)[:1]))


def test_chance_reaches_ko_and_pass() -> None:
    rng = random.Random(1)
    positions = [sanitize.random_position(rng, 1 + number % 24) for number in range(2000)]
    for position in positions:
        position.check()
    assert sum(position.ko is not None for position in positions) > 80
    assert sum(position.passed for position in positions) > 100
    assert START in positions


@pytest.mark.parametrize("left", [1, 2])
def test_plain_values_are_the_known_ones(left: int) -> None:
    found = [(known, sanitize.plain_value(known.position)) for known in known_positions(left)]
    assert sum(plain is not None for _, plain in found) > 50
    for known, plain in found:
        assert plain in (None, known.value), shown(known.position)


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("nm")), reason="no gcc or nm here to list the symbols")
@pytest.mark.parametrize("name", ["explain", "kernel"])
def test_kernel_calls_nothing(tmp_path: Path, name: str) -> None:
    kernel = tmp_path / f"{name}.o"
    flags = ["-std=c11", "-O2", "-ffreestanding", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, "-c", sanitize.ROOT / "solver" / "native" / f"{name}.c", "-o", kernel], check=True)
    listed = subprocess.run(["nm", "-u", kernel], check=True, capture_output=True, text=True).stdout
    assert {line.split()[-1] for line in listed.splitlines()} <= COMPILERS_OWN
