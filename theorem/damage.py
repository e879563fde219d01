"""A small certificate that the checker accepts, and ten damaged ones that it must refuse.

Of Black's lines: one with two plies more than the leaves have, and the leaves that the answers to its move lead to.
"""

from collections.abc import Callable, Sequence

from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import PASS, Position
from solver.symmetry import canonical_key, position_of
from theorem.lines import Line, Lines, number_of
from theorem.source import array, table

#: So many leaves at least: a node whose answers differ.
LEAVES = 12

Small = tuple[Line, list[Line]]


class NoNode(ValueError):
    """Lines that have no node fit for this."""


def small(strategy: Lines) -> Small:
    """Return a node and its leaves, one with a ko among them; raises NoNode."""
    leaves = {line.position: line for line in strategy.lines if line.position.left == strategy.leaf}
    for node in strategy.lines:
        if node.position.left == strategy.leaf + 2:
            after = node.position.play(node.move)
            keys = {canonical_key(after.play(move)) for move in after.legal_moves()}
            chosen = [leaves[place] for place in map(position_of, sorted(keys)) if place in leaves]
            if len(chosen) >= LEAVES and any(line.position.ko is not None for line in chosen):
                return node, chosen
    raise NoNode("no line with two plies more than the leaves has answers enough, with a ko among them")


def _losing(line: Line) -> int:
    """Return a legal move of Black's that loses."""
    kernel = Kernel(open_table(16))
    for move in line.position.legal_moves():
        after = line.position.play(move)
        if not after.is_over and kernel.decide(after, 3).winner != line.position.mover:
            return move
    raise NoNode("a leaf where every move wins")


def _first(leaves: Sequence[Line], fits: Callable[[Line], bool]) -> int:
    return next(i for i, line in enumerate(leaves) if fits(line))


def _moved(lines: Sequence[Line], at: int, position: Position, move: int) -> list[Line]:
    return [*lines[:at], Line(position, move), *lines[at + 1 :]]


def damaged(node: Line, leaves: list[Line]) -> dict[str, tuple[list[Line], list[Line]]]:
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
        "a leaf's move loses": ([node], _moved(leaves, at, here, _losing(leaves[at]))),
        "a leaf's move is no point": ([node], _moved(leaves, at, here, 26)),
        "a leaf lacks a black stone": ([node], _moved(leaves, at, less, leaves[at].move)),
        "a leaf's colours are swapped": ([node], _moved(leaves, at, swapped, leaves[at].move)),
        "a leaf lacks its ko": ([node], _moved(leaves, ko, no_ko, leaves[ko].move)),
        "a leaf's move is on the ko": ([node], _moved(leaves, ko, kos, kos.ko or 0)),
        "the node's move is a PASS": ([Line(node.position, PASS)], leaves),
        "the node's move is on a stone": ([Line(node.position, board.bit_length() - 1)], leaves),
    }


def _numbers(lines: Sequence[Line]) -> list[int]:
    return sorted((number_of(line, "black") for line in lines), key=lambda x: x & (1 << 56) - 1)


def damage_source(strategy: Lines) -> tuple[str, list[str]]:
    """Return the source of one lemma that accepts and ten that refuse, and what is wrong in each; raises NoNode."""
    node, leaves = small(strategy)
    cases = {"": ([node], leaves), **damaged(node, leaves)}
    parts = [
        "Require Import Uint63 PArray.\nFrom LittleGo Require Import Certificate.\nLocal Open Scope uint63_scope.\n"
        "Definition none : array int := [| | 0 |].\n"
        "Definition accepts (lines : certificate) (leaves : int) : bool :=\n"
        f"  if check 3 0 {strategy.leaf} lines {strategy.leaf + 2} 1 0\n"
        f"  then check 3 0 {strategy.leaf} lines {strategy.leaf} leaves 0 else false.\n"
    ]
    for i, (nodes, ends) in enumerate(cases.values()):
        arrays = {
            strategy.leaf + 2: array(_numbers(nodes)),
            strategy.leaf: array(_numbers(ends)),
        }
        verdict, name = ("true", "accepted") if i == 0 else ("false", f"refused_{i}")
        parts.append(table(arrays, f"lines_{i}"))
        parts.append(
            f"Lemma {name} : accepts lines_{i} {len(ends)} = {verdict}.\n"
            f"Proof. vm_cast_no_check (eq_refl {verdict}). Qed.\n"
        )
    return "".join(parts), [name for name in cases if name]
