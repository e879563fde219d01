"""A piece of a certificate that the checker accepts, and ten damaged copies that it must refuse.

The piece: a line with two plies more than the leaves, and the leaves after the answers to its move.
"""

from collections.abc import Callable, Sequence

from lab.theorem.leaves import Line, Strategy, number_of
from lab.theorem.source import array, table
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import PASS, Position
from solver.symmetry import canonical_key

#: The least number of leaves: a node whose answers differ.
LEAVES = 12

Small = tuple[Line, list[Line]]


class NoNode(ValueError):
    """No node of these lines is fit for this."""


def small(strategy: Strategy) -> Small:
    """Return a node and its leaves, one with a ko among them; raises NoNode."""
    leaves = {canonical_key(line.position): line for line in strategy.lines if line.is_leaf}
    left = next(iter(leaves.values())).position.left + 2 if leaves else None
    for node in strategy.lines:
        if node.position.left == left:
            after = node.position.play(node.move)
            keys = {canonical_key(after.play(move)) for move in after.legal_moves()}
            chosen = [leaves[key] for key in sorted(keys) if key in leaves]
            if len(chosen) >= LEAVES and any(line.position.ko is not None for line in chosen):
                return node, chosen
    raise NoNode("no line with two plies more than the leaves has answers enough, with a ko among them")


def _losing(line: Line, threshold: int) -> int:
    """Return a legal move of Black's that does not keep the bound."""
    kernel = Kernel(open_table(16))
    for move in line.position.legal_moves():
        after = line.position.play(move)
        if not after.is_over and not kernel.decide(after, threshold).at_least(threshold):
            return move
    raise NoNode("a leaf where every move keeps the bound")


def _first(leaves: Sequence[Line], fits: Callable[[Line], bool]) -> int:
    return next(i for i, line in enumerate(leaves) if fits(line))


def _moved(lines: Sequence[Line], at: int, position: Position, move: int) -> list[Line]:
    return [*lines[:at], lines[at]._replace(position=position, move=move), *lines[at + 1 :]]


def damaged(node: Line, leaves: list[Line], threshold: int) -> dict[str, tuple[list[Line], list[Line]]]:
    """Damage the lines in ten ways; return the nodes and leaves of each, by the name of the damage."""
    at = _first(leaves, lambda line: line.position.ko is None and not line.position.passed)
    here = leaves[at].position
    stone = here.black & -here.black
    ko = _first(leaves, lambda line: line.position.ko is not None)
    kos = leaves[ko].position
    occupied = (here.black | here.white).bit_length() - 1
    less = Position(here.black ^ stone, here.white, None, here.ply, here.passed)
    swapped = Position(here.white, here.black, None, here.ply, here.passed)
    no_ko = Position(kos.black, kos.white, None, kos.ply, kos.passed)
    board = node.position.black | node.position.white
    return {
        "a leaf is missing": ([node], leaves[:at] + leaves[at + 1 :]),
        "a leaf's move is on a stone": ([node], _moved(leaves, at, here, occupied)),
        "a leaf's move loses": ([node], _moved(leaves, at, here, _losing(leaves[at], threshold))),
        "a leaf's move is no point": ([node], _moved(leaves, at, here, 26)),
        "a leaf lacks a black stone": ([node], _moved(leaves, at, less, leaves[at].move)),
        "a leaf's colours are swapped": ([node], _moved(leaves, at, swapped, leaves[at].move)),
        "a leaf lacks its ko": ([node], _moved(leaves, ko, no_ko, leaves[ko].move)),
        "a leaf's move is on the ko": ([node], _moved(leaves, ko, kos, kos.ko or 0)),
        "the node's move is a PASS": ([node._replace(move=PASS)], leaves),
        "the node's move is on a stone": ([node._replace(move=board.bit_length() - 1)], leaves),
    }


def _numbers(lines: Sequence[Line]) -> list[int]:
    return sorted((number_of(line, True) for line in lines), key=lambda x: x & (1 << 56) - 1)


def damage_source(strategy: Strategy) -> tuple[str, list[str]]:
    """Return the source of one lemma that accepts and ten that refuse, and the fault in each; raises NoNode.

    strategy: one of Black's.
    """
    node, leaves = small(strategy)
    left = node.position.left
    a, b = strategy.needs
    cases = {"": ([node], leaves), **damaged(node, leaves, strategy.threshold)}
    parts = [
        "Require Import Uint63 PArray.\nFrom LittleGo Require Import Certificate.\nLocal Open Scope uint63_scope.\n"
        "Definition none : array int := [| | 0 |].\n"
        "Definition accepts (lines : certificate) (leaves : int) : bool :=\n"
        f"  if check {a} {b} lines {left} 1 0 then check {a} {b} lines {left - 2} leaves 0 else false.\n"
    ]
    for i, (nodes, ends) in enumerate(cases.values()):
        arrays = {left: array(_numbers(nodes)), left - 2: array(_numbers(ends))}
        verdict, name = ("true", "accepted") if i == 0 else ("false", f"refused_{i}")
        parts.append(table(arrays, f"lines_{i}"))
        parts.append(
            f"Lemma {name} : accepts lines_{i} {len(ends)} = {verdict}.\n"
            f"Proof. vm_cast_no_check (eq_refl {verdict}). Qed.\n"
        )
    return "".join(parts), [name for name in cases if name]
