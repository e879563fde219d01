"""``python -m tools.cross``: compile the kernel for other systems, and test each build as far as possible here."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.speed.bench import answers_of, questions
from little_go.solver.answer import Answer
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import Position
from tools.cross.building import LINES, ROOT, TARGETS, Target, build_driver, build_modules
from tools.programs import ToolError

_Question = tuple[Position, int | None]


def bench_questions() -> list[_Question]:
    """Return the questions of the bench, in order.

    A question is a position and a threshold, or None for the exact value.
    """
    return [(position, part.threshold) for part in questions() for position in part.positions]


def bench_answers() -> list[Answer]:
    """Return the installed kernel's answers to the questions of the bench."""
    kernel = Kernel(open_table(LINES * 64 >> 20))
    return [answer for part in questions() for answer in answers_of(kernel, part)]


def run_driver(driver: Path, target: Target, build: int) -> list[Answer] | None:
    """Return a driver's answers to the questions of the bench, or None if this processor cannot run the build.

    Raise ToolError if the driver fails.
    """
    asked = bench_questions()
    runner = [target.runner] if target.runner else []
    lines = "".join(f"{_line(position, threshold)}\n" for position, threshold in asked)
    done = subprocess.run(
        [*runner, str(driver), str(build), str(LINES)], input=lines, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ToolError(f"{driver} ended with {done.returncode}: {done.stderr[-300:]}")
    name, *answers = done.stdout.splitlines() or [""]
    return [_answer(line, position) for line, (position, _) in zip(answers, asked, strict=True)] if name else None


def _line(position: Position, threshold: int | None) -> str:
    black = position.black_to_move
    me, opp = (position.black, position.white) if black else (position.white, position.black)
    goal = 99 if threshold is None else threshold if black else 1 - threshold
    ko = -1 if position.ko is None else position.ko
    return f"{me} {opp} {ko} {position.left} {int(position.pass_ends)} {goal}"


def _answer(line: str, position: Position) -> Answer:
    lo, hi, best, nodes = map(int, line.split())
    lo, hi = (lo, hi) if position.black_to_move else (-hi, -lo)
    return Answer(lo, hi, best, nodes)


def can_run(target: Target) -> bool:
    """Return whether this machine can run the programs of a system."""
    return target.runner is None or bool(target.runner and shutil.which(target.runner))


def trial(target: Target, draft: Path, expected: Sequence[Answer]) -> str:
    """Compile and test for a system, and return a short description of the result.

    Raise ToolError if the compilation fails, or if the answers differ from ``expected``.
    """
    sizes = ", ".join(f"{path.name} {path.stat().st_size:,}" for path in build_modules(target, ROOT, draft).values())
    driver = build_driver(target, ROOT, draft)
    if not can_run(target):
        return f"{sizes}; built, not run"
    tried = 0
    for build in range(2):
        found = run_driver(driver, target, build)
        if found is not None and found != expected:
            raise ToolError(f"{target.zig}: build {build} answers otherwise than the kernel of this machine")
        tried += found is not None
    return f"{sizes}; Bench: {sum(answer.nodes for answer in expected)} by {tried} of its builds"


def main() -> int:
    """Compile and test for all systems. Return 1 if a compilation or test fails, otherwise 0."""
    expected = bench_answers()
    for target in TARGETS:
        draft = ROOT / "build" / "cross" / target.zig
        draft.mkdir(parents=True, exist_ok=True)
        try:
            print(f"{target.zig}: {trial(target, draft, expected)}", flush=True)
        except ToolError as error:
            print(f"{target.zig}: {error}\n{error.output}".rstrip(), file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
