"""Write sources for Coq: a certificate's lines and theorem, games to replay, and damaged lines that Coq must refuse.

The lines are arrays, which Coq checks in pieces. The games are random games by the project's rules, and the course's
logged games. The damaged piece consists of a node just before the leaves, and the leaves after the answers to its move.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from lab.theorem.leaves import Line, Strategy, levels, number_of
from little_go.book.files.games import LoggedGame, read_games
from little_go.runtime.files import write_whole
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, POINTS, SIZE, START, Position, parse_move
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, canonical_key

_HEAD = "Local Open Scope uint63_scope.\n"


def array(numbers: Iterable[int]) -> str:
    """Return numbers as an array in Coq's syntax."""
    return "[| " + ";\n  ".join(map(str, numbers)) + " | 0 |]"


def table(arrays: dict[int, str], name: str) -> str:
    """Return the Coq definition of a function that maps plies left to arrays."""
    cases = "".join(f"  | {left} => {each}\n" for left, each in sorted(arrays.items()))
    return f"Definition {name} (n : nat) : array int :=\n  match n with\n{cases}  | _ => none\n  end.\n"


def lines_source(by_left: dict[int, list[int]]) -> str:
    """Return the Coq source that defines all lines."""
    arrays = "".join(f"Definition lines_{n} : array int :=\n  {array(xs)}.\n" for n, xs in by_left.items())
    none = "Definition none : array int := [| | 0 |].\n"
    return f"Require Import Uint63 PArray.\n{_HEAD}{arrays}{none}" + table({n: f"lines_{n}" for n in by_left}, "lines")


def cut(count: int, piece: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of ``count`` lines: the number of lines in a piece, and the index of its first line.

    >>> list(cut(5, 2))
    [(2, 0), (2, 2), (1, 4)]
    """
    for first in range(0, count, piece):
        yield min(piece, count - first), first


def piece_source(strategy: Strategy, left: int, count: int, first: int) -> str:
    """Return the source of the lemma that the checker accepts ``count`` lines, beginning with line ``first``."""
    a, b = strategy.needs
    return (
        f"Require Import Uint63 Certificate {strategy.name}.\n"
        f"{_HEAD}Lemma right : check {a} {b} lines {left} {count} {first} = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
    )


def _level_source(strategy: Strategy, left: int, pieces: Sequence[tuple[int, int]], below: int | None) -> str:
    about = _about(strategy)
    parts = "; ".join(f"({count}, {first})" for count, first in pieces)
    proofs = "".join(f"    constructor; [exact {strategy.name}_{left}_{i:02}.right |].\n" for i in range(len(pieces)))
    lower = f"exact level_{below}" if below is not None else "apply no_level; vm_compute; reflexivity"
    return (
        f"Lemma level_{left} : all_lines {about} {left}.\nProof.\n"
        f"  apply (level_right {about} ltac:(discriminate) ltac:(discriminate) {left}%uint63 {left}\n"
        f"    [{parts}]%uint63).\n"
        "  1-7: vm_compute; reflexivity.\n"
        f"  - {{\n{proofs}    constructor. }}\n  - {lower}.\nQed.\n"
    )


def _about(strategy: Strategy) -> str:
    a, b = strategy.needs
    return f"{'Black' if strategy.black else 'White'} {a} {b} lines"


def point(move: int) -> str:
    """Return a point in the syntax of Rules.v.

    >>> point(7)
    '(L1, L2)'
    """
    return f"(L{move // SIZE}, L{move % SIZE})"


def _claim_source(strategy: Strategy) -> str:
    """Return the source of the certificate's claim. Black's first ply has 24 plies left, and White's has 23."""
    about = f"{_about(strategy)} ltac:(discriminate) ltac:(discriminate)"
    hero, need = ("Black", strategy.bound) if strategy.black else ("White", -strategy.bound)
    if not strategy.stones:
        mine, level = ("true", 24) if strategy.black else ("false", 23)
        claim = f"can_force_from_the_start {hero} ({need})"
        proof = f"from_the_start {about} {mine} eq_refl level_{level} _"
    else:
        own, level = ("true", 22) if strategy.black else ("false", 23)
        alike = sorted({POINT_IMAGE[s][stone] for stone in strategy.stones for s in range(SYMMETRIES)})
        points = "; ".join(map(point, alike))
        claim = f"forall p, In p [{points}] -> can_force_after p {hero} ({need})"
        proof = f"after_stones {about} {own} _ eq_refl level_{level} _"
    # The lines are computed after the points are known; otherwise Coq would evaluate the lines for arbitrary points.
    return f"Theorem claim : {claim}.\nProof. refine ({proof}). vm_cast_no_check (eq_refl true). Qed.\n"


def theorem_source(strategy: Strategy, cuts: dict[int, list[tuple[int, int]]]) -> str:
    """Return the source of a certificate's theorem."""
    names = " ".join(f"{strategy.name}_{left}_{i:02}" for left, pieces in cuts.items() for i in range(len(pieces)))
    steps = "".join(
        _level_source(strategy, left, cuts[left], left - 2 if left - 2 in cuts else None) for left in sorted(cuts)
    )
    return (
        "Require Import Uint63 PArray List ZArith.\nImport ListNotations.\n"
        "From LittleGo Require Import Rules Bound LinesRight Certificate Levels.\n"
        f"Require Import {strategy.name}.\nRequire {names}.\n{steps}{_claim_source(strategy)}"
    )


def write_coq(strategy: Strategy, folder: Path, piece: int) -> dict[str, int]:
    """Write the sources of a strategy into a folder, and return the number of lines of each piece by name.

    A file that already has the new content is not written, so that Coq need not check the file again.
    """
    by_left = levels(strategy)
    cuts = {left: list(cut(len(numbers), piece)) for left, numbers in by_left.items()}
    sources = {strategy.name: lines_source(by_left), f"{strategy.name}_right": theorem_source(strategy, cuts)}
    counts: dict[str, int] = {}
    for left, pieces in cuts.items():
        for i, (count, first) in enumerate(pieces):
            name = f"{strategy.name}_{left}_{i:02}"
            counts[name] = count
            sources[name] = piece_source(strategy, left, count, first)
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        write_source(folder / f"{name}.v", source)
    return counts


def write_source(path: Path, source: str) -> None:
    """Write a source, unless the file already has this content."""
    if not path.exists() or path.read_text() != source:
        write_whole(path, source)


def array_list(name: str, lists: Sequence[Sequence[int]], part: int = 200) -> str:
    """Return the definition of a list of lists of integers, in parts that Coq reads with a small stack."""
    parts = [lists[i : i + part] for i in range(0, len(lists), part)]
    texts = (";\n  ".join(f"[{'; '.join(map(str, each))}]" for each in some) for some in parts)
    names = [f"{name}_{i}" for i in range(len(parts))]
    definitions = (
        f"Definition {each} : list (list int) :=\n  [{text}].\n" for each, text in zip(names, texts, strict=True)
    )
    return "".join(definitions) + f"Definition {name} : list (list int) := {' ++ '.join(names)}.\n"


#: The reasons of the host for the end of a game without an illegal move, in the order of Executed.v.
ENDS = ("max", "two_passes")


def game(rng: random.Random, pass_rate: float = 0.04) -> Iterator[tuple[Position, int | None]]:
    """Yield the positions of a random game, each with the next move, which is None at the end."""
    position = START
    while not position.is_over:
        points = [move for move in position.legal_moves() if move != PASS]
        move = PASS if not points or rng.random() < pass_rate else rng.choice(points)
        yield position, move
        position = position.play(move)
    yield position, None


def ply_numbers(positions: Iterator[tuple[Position, int | None]]) -> list[int]:
    """Return a game in the format of ``replay`` in Executed.v: legal points and move of each ply, and the result."""
    numbers = []
    early = False
    for position, move in positions:
        if move is None:
            numbers.append(position.black | position.white << 25 | early << 50)
        else:
            numbers.append(position.legal_points() | move << 25)
            early = move == PASS and position.pass_ends
    return numbers


def games_source(plies: int, seed: int) -> tuple[str, int, int]:
    """Return the source of the lemma that Coq replays random games, the number of plies, and the number of games.

    plies: the minimum number of plies in all games together.
    """
    rng = random.Random(seed)
    games = []
    count = 0
    while count < plies:
        games.append(ply_numbers(game(rng)))
        count += len(games[-1]) - 1
    source = (
        "Require Import Uint63 List.\nImport ListNotations.\nFrom LittleGo Require Import Executed.\n"
        f"Local Open Scope uint63_scope.\n{array_list('games', games)}"
        "Lemma the_rules_agree : games_agree games = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
    )
    return source, count, len(games)


def course_games_source(path: Path) -> tuple[str, int]:
    """Return the source of the lemma that Coq judges whole games as the course's code did, and the number of games.

    path: a file of logged games. A game is whole if it ended with the last ply, with two passes, or with an illegal
    move.
    """
    games = [_course_numbers(game) for game in read_games(path, whole=True) if _is_whole(game)]
    source = (
        "Require Import Uint63 List.\nImport ListNotations.\nFrom LittleGo Require Import Executed.\n"
        f"Local Open Scope uint63_scope.\n{array_list('games', games)}"
        "Lemma the_course_agrees : course_agrees games = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
    )
    return source, len(games)


def _is_whole(game: LoggedGame) -> bool:
    if game.reason.startswith("invalid_"):
        return len(list(game.steps())) == len(game.moves) - 1
    return game.reason in ENDS


def _course_numbers(game: LoggedGame) -> list[int]:
    """Return a game in the format of ``course_game`` in Executed.v."""
    black, white = (sum(1 << p for p in range(POINTS) if game.final[p] == digit) for digit in "12")
    end = ENDS.index(game.reason) if game.reason in ENDS else len(ENDS)
    return [*map(parse_move, game.moves), black | white << 25 | end << 50 | (game.winner == 1) << 52]


#: The minimum number of different leaves after the node that is damaged.
LEAVES = 12

Small = tuple[Line, list[Line]]


class NoNode(ValueError):
    """Raised if no node of the lines has the properties that damaged copies need."""


def small(strategy: Strategy) -> Small:
    """Return a node and its leaves, at least one of which has a ko, or raise NoNode if there is no such node."""
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
    """Return ten damaged copies of the lines, as nodes and leaves, by the name of the damage."""
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
    """Return the source of lemmas, and the names of the faults in ten damaged copies of lines.

    The lemmas state that Coq accepts the lines and refuses the damaged copies.

    strategy: a strategy of Black. Raise NoNode if the strategy has no node that can be damaged.
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
