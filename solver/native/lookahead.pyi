from collections.abc import Sequence

from little_go.solver.position import Position

DEEPEST: int

class Lookahead:
    def __init__(self, weights: Sequence[int]) -> None: ...
    @property
    def nodes(self) -> int: ...
    def scores(self, position: Position, depth: int, margin: int = 0) -> dict[int, int]: ...
