"""The native modules release each reference that they take. A lost reference would crash Python after thousands of
calls.
"""

import sys
from collections.abc import Callable

import pytest

from little_go.arena.agents.fixed_depth import Weights
from little_go.solver.answer import Answer
from little_go.solver.native.kernel import Kernel, MoveBounds, canonical_key, children, next_ply, perft
from little_go.solver.native.lookahead import Lookahead
from little_go.solver.native.table import open_table
from little_go.solver.position import START, Position
from little_go.solver.symmetry import key_of

#: Both positions have Black to move, and for one of them all calls are short.
EARLY = START.play(12).play(7)
LATE = Position(0b1000110000, 0b1100000, None, 20, True)

KERNEL = Kernel(open_table(16), keep_nodes=1)
LOOKAHEAD = Lookahead(Weights(1, 2, 3, 4, 5, 6, 7, 8))


def kept() -> None:
    KERNEL.value(LATE)
    KERNEL.take_kept()


CALLS: dict[str, Callable[[], object]] = {
    "perft": lambda: perft(EARLY, 1),
    "canonical_key": lambda: canonical_key(EARLY),
    "children": lambda: children(key_of(EARLY)),
    "next_ply": lambda: next_ply([key_of(EARLY)]),
    "decide": lambda: KERNEL.decide(LATE, 1),
    "decide, node_limit": lambda: KERNEL.decide(LATE, 1, node_limit=1),
    "value": lambda: KERNEL.value(LATE),
    "value, guess": lambda: KERNEL.value(LATE, guess=2),
    "take_kept": kept,
    "MoveBounds": lambda: MoveBounds(EARLY),
    "answers": lambda: MoveBounds(EARLY).answers(),
    "is_exact": lambda: MoveBounds(EARLY).is_exact,
    "moves": lambda: KERNEL.moves(MoveBounds(LATE)),
    "narrow": lambda: MoveBounds(EARLY).narrow(3, -25, 25),
    "teach": lambda: KERNEL.teach(EARLY, Answer(-25, 25, None, 10)),
    "nodes": lambda: KERNEL.nodes,
    "Lookahead": lambda: Lookahead(Weights(1, 2, 3, 4, 5, 6, 7, 8)),
    "scores": lambda: LOOKAHEAD.scores(EARLY, 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_loses_no_reference_to_what_all_of_python_shares(name: str) -> None:
    """From 3.12 on these objects are immortal, so there is nothing to count."""
    call, calls = CALLS[name], 200
    call()
    before = [sys.getrefcount(shared) for shared in (True, False, None)]
    for _ in range(calls):
        call()
    after = [sys.getrefcount(shared) for shared in (True, False, None)]
    assert all(abs(now - then) < calls // 2 for now, then in zip(after, before, strict=True)), (before, after)
