"""The kernel as WebAssembly, in Node.js, searches the same tree as the native kernel."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from lab.speed.bench import TABLE_MIB, answers_of, questions
from little_go.explorer.build import KERNEL_SOURCES
from little_go.explorer.packs import pack
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START
from tests.solver.lines import answer_line, question, seen
from tests.solver.positions import DATA, known_positions
from tests.solver.test_perft import CASES

pytestmark = pytest.mark.system

ROOT = DATA.parents[1]
MODULE = ROOT / "build" / "kernel.wasm"
LINES_OF_A_MIB = (1 << 20) // 64


class Told(NamedTuple):
    """The output of Node.js: the answers, and facts about the module."""

    answers: list[list[int]]
    about: dict[str, float]


def ask(asked: list[str], mib: int = 16) -> Told:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node.js here: WebAssembly is not run")
    if not MODULE.exists():
        pytest.skip("no kernel.wasm here: `make wasm` builds it, with a compiler of 400 MB")
    if MODULE.stat().st_mtime < max((ROOT / name).stat().st_mtime for name in KERNEL_SOURCES):
        pytest.skip("no kernel.wasm of today's kernel here: `make wasm` builds it")
    script = Path(__file__).with_name("wasm_bench.mjs")
    command = [node, str(script), str(MODULE), str(mib * LINES_OF_A_MIB)]
    *answers, about = subprocess.run(
        command, input="\n".join(asked), check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return Told([[int(word) for word in line.split()] for line in answers], json.loads(about))


def test_bench_takes_the_same_nodes() -> None:
    parts = list(questions())
    told = ask([question(position, part.threshold) for part in parts for position in part.positions], TABLE_MIB)
    kernel = Kernel(open_table(TABLE_MIB))
    native = [
        answer_line(position, answer)
        for part in parts
        for position, answer in zip(part.positions, answers_of(kernel, part), strict=True)
    ]
    assert told.answers == native
    assert told.about["nodes"] == kernel.nodes


def test_module_needs_nothing() -> None:
    about = ask(["open 262144 0"]).about
    assert about["imports"] == 0
    assert about["bytes"] < 53_000
    # The page contains the module in this form. Uncompressed, 50,000 bytes took 66,668 characters.
    assert len(pack(MODULE.read_bytes())) < 33_000


def test_known_values() -> None:
    known = [row for left in range(1, 10) for row in known_positions(left)]
    told = ask([question(row.position, None) for row in known])
    values = [row.value if row.position.black_to_move else -row.value for row in known]
    assert [answer[:2] for answer in told.answers] == [[value, value] for value in values]


def test_perft_counts() -> None:
    cases = CASES[1:]
    assert all(case.position != START for case in cases)
    told = ask([f"perft {seen(case.position)} {max(case.counts)} 1" for case in cases])
    assert told.answers == [[case.counts[max(case.counts)]] for case in cases]


def test_a_table_is_empty_when_opened_again() -> None:
    asked = [question(row.position, None) for row in known_positions(10)[:3]]
    opened = "open 262144 0"
    told = ask([opened, *asked, opened, *asked, "open 524288 7", opened, *asked])
    first = told.answers[1:4]
    assert [told.answers[0], told.answers[4], told.answers[8]] == [[1]] * 3
    assert told.answers[5:8] == first
    assert told.answers[10:] == first


def test_a_seed_and_a_node_limit_are_as_in_the_native_kernel() -> None:
    position = known_positions(12)[0].position
    told = ask(["open 262144 5", question(position, None, 1000)])
    answer = Kernel(open_table(16), seed=5).value(position, node_limit=1000)
    assert told.answers[1] == answer_line(position, answer)


def test_a_table_beyond_the_memory_is_refused() -> None:
    assert ask([f"open {1 << 26} 0"]).answers == [[0]]
