from collections.abc import Sequence
from typing import Protocol

from little_go.solver.position import Position

class _Judge(Protocol):
    def value(self, position: Position) -> int: ...
    def reaches(self, position: Position, goal: int) -> bool: ...

THEMES: tuple[str, ...]
KINDS: tuple[str, ...]
PASSES: str
OTHER: str

def reason(
    position: Position, worse: Sequence[int], better: Sequence[int], plies: int, komi: float
) -> tuple[str, str, str, str]: ...
def explain(position: Position, move: int, judge: _Judge) -> tuple[tuple[int, ...], tuple[int, ...]] | None: ...
def settled_line(position: Position, judge: _Judge) -> tuple[int, ...]: ...
