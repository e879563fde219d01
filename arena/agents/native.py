"""The native kernel, asked as the player asks its own solver."""

from solver.answer import Answer
from solver.exact import ExactSolver
from solver.kernel import Kernel
from solver.position import Position


class NativeSolver(ExactSolver):
    """Answers for player.lost; its limit is in nodes, so that equal questions get equal answers."""

    def __init__(self, kernel: Kernel, node_limit: int | None = None) -> None:
        """node_limit: what the kernel may have taken in all, from its own start; None for any number."""
        super().__init__()
        self._kernel = kernel
        self._node_limit = node_limit

    def decide(
        self, position: Position, threshold: int, node_limit: int | None = None, cpu_deadline: float | None = None
    ) -> Answer:
        """Return who wins, as far as the nodes go."""
        return self._kernel.decide(position, threshold, node_limit=self._left())

    def value(self, position: Position, node_limit: int | None = None, cpu_deadline: float | None = None) -> Answer:
        """Return the value, as far as the nodes go."""
        return self._kernel.value(position, node_limit=self._left())

    def _left(self) -> int | None:
        return None if self._node_limit is None else max(1, self._node_limit - self._kernel.nodes)
