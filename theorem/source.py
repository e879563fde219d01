"""Writing what Coq checks: the lines as arrays, pieces of them to be checked, and the theorem about all."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from runtime.files import write_whole
from solver.position import GAME_PLIES
from theorem.lines import Lines, levels

#: What the checker adds to the other's stones and to the winner's: Black needs 3 more, White at most 2 fewer.
NEEDS = {"black": (3, 0), "white": (0, 2)}

_HEAD = "Local Open Scope uint63_scope.\n"


def array(numbers: Iterable[int]) -> str:
    """Return numbers as an array of Coq's."""
    return "[| " + ";\n  ".join(map(str, numbers)) + " | 0 |]"


def table(arrays: dict[int, str], name: str) -> str:
    """Return the definition of a function from plies left to arrays."""
    cases = "".join(f"  | {left} => {each}\n" for left, each in sorted(arrays.items()))
    return f"Definition {name} (n : nat) : array int :=\n  match n with\n{cases}  | _ => none\n  end.\n"


def lines_source(by_left: dict[int, list[int]]) -> str:
    """Return the source that defines all lines."""
    arrays = "".join(f"Definition lines_{n} : array int :=\n  {array(xs)}.\n" for n, xs in by_left.items())
    none = "Definition none : array int := [| | 0 |].\n"
    return f"Require Import Uint63 PArray.\n{_HEAD}{arrays}{none}" + table({n: f"lines_{n}" for n in by_left}, "lines")


def cut(count: int, piece: int) -> Iterator[tuple[int, int]]:
    """Yield pieces: how many lines, and the first.

    >>> list(cut(5, 2))
    [(2, 0), (2, 2), (1, 4)]
    """
    for first in range(0, count, piece):
        yield min(piece, count - first), first


def piece_source(winner: str, leaf: int, left: int, count: int, first: int) -> str:
    """Return the source of a lemma: the checker accepts these lines."""
    a, b = NEEDS[winner]
    return (
        f"Require Import Uint63 Certificate {winner.capitalize()}.\n"
        f"{_HEAD}Lemma right : check {a} {b} {leaf} lines {left} {count} {first} = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
    )


def _level_source(winner: str, leaf: int, left: int, pieces: Sequence[tuple[int, int]], below: int | None) -> str:
    hero, (a, b) = winner.capitalize(), NEEDS[winner]
    parts = "; ".join(f"({count}, {first})" for count, first in pieces)
    proofs = "".join(f"    constructor; [exact {hero}_{left}_{i:02}.right |].\n" for i in range(len(pieces)))
    lower = f"exact level_{below}" if below is not None else "apply no_level; vm_compute; reflexivity"
    return (
        f"Lemma level_{left} : all_lines {hero} {a} {b} lines {left}.\nProof.\n"
        f"  apply (level_right {hero} {a} {b} {leaf} lines ltac:(discriminate)\n"
        f"    ltac:(discriminate) {left}%uint63 {left}\n"
        f"    [{parts}]%uint63).\n"
        "  1-6: vm_compute; reflexivity.\n"
        f"  - {{\n{proofs}    constructor. }}\n  - {lower}.\nQed.\n"
    )


_ENDS = {
    "black": "Theorem black_wins : can_force_from_the_start Black 3.\n"
    "Proof.\n  apply (black_from_lines LEAF lines (lines_24.[0] lor (1 << 55))%uint63 level_22).\n"
    "  vm_compute. reflexivity.\nQed.\n"
    "Print Assumptions black_wins.\n",
    "white": "Theorem white_holds : forall p after, plays empty_board Black p after -> p <> centre ->\n"
    "  can_force White (-2) 23 after empty_board.\n"
    "Proof. exact (white_from_lines lines level_23 ltac:(vm_compute; reflexivity)). Qed.\n"
    "Theorem only_the_centre_wins :\n"
    "  (forall p after, plays empty_board Black p after -> p <> centre ->\n"
    "    ~ can_force Black 3 23 after empty_board) /\\\n"
    "  ~ pass_does Black 3 23 empty_board empty_board.\n"
    "Proof. exact (only_the_centre white_holds). Qed.\n"
    "Print Assumptions only_the_centre_wins.\n",
}


def theorem_source(winner: str, leaf: int, cuts: dict[int, list[tuple[int, int]]]) -> str:
    """Return the source of the theorem about all lines."""
    hero = winner.capitalize()
    names = " ".join(
        f"{hero}_{left}_{i:02}" for left, pieces in cuts.items() if left < GAME_PLIES for i in range(len(pieces))
    )
    # The start is no position of a level: on the first ply a PASS ends the game, and the theorem takes it as such.
    upwards = sorted(left for left in cuts if left < GAME_PLIES)
    end = _ENDS[winner].replace("LEAF", str(leaf))
    steps = "".join(
        _level_source(winner, leaf, left, cuts[left], left - 2 if left - 2 in cuts else None) for left in upwards
    )
    return (
        "Require Import Uint63 PArray List ZArith.\nImport ListNotations.\n"
        "From LittleGo Require Import Rules Bound LinesRight Certificate Levels.\n"
        f"Require Import {hero}.\nRequire {names}.\n{steps}{end}"
    )


def write_coq(strategy: Lines, folder: Path, piece: int) -> dict[str, int]:
    """Write the sources of a strategy into a folder; return how many lines each piece has, by name.

    A file that is there with the same content stays as it is, so that what was checked need not be checked again.
    Raises OSError.
    """
    winner, leaf = strategy.winner, strategy.leaf
    by_left = levels(strategy)
    cuts = {left: list(cut(len(numbers), piece)) for left, numbers in by_left.items()}
    hero = winner.capitalize()
    sources = {hero: lines_source(by_left), f"{hero}Right": theorem_source(winner, leaf, cuts)}
    counts: dict[str, int] = {}
    for left, pieces in cuts.items():
        if left == GAME_PLIES:
            continue
        for i, (count, first) in enumerate(pieces):
            counts[f"{hero}_{left}_{i:02}"] = count
            sources[f"{hero}_{left}_{i:02}"] = piece_source(winner, leaf, left, count, first)
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        write_source(folder / f"{name}.v", source)
    return counts


def write_source(path: Path, source: str) -> None:
    """Write a source unless the file has it already; raises OSError."""
    if not path.exists() or path.read_text() != source:
        write_whole(path, source)


def array_list(name: str, lists: Sequence[Sequence[int]], part: int = 200) -> str:
    """Return the definition of a list of lists of integers, in parts that Coq reads without much of a stack."""
    parts = [lists[i : i + part] for i in range(0, len(lists), part)]
    texts = (";\n  ".join(f"[{'; '.join(map(str, each))}]" for each in some) for some in parts)
    names = [f"{name}_{i}" for i in range(len(parts))]
    definitions = (
        f"Definition {each} : list (list int) :=\n  [{text}].\n" for each, text in zip(names, texts, strict=True)
    )
    return "".join(definitions) + f"Definition {name} : list (list int) := {' ++ '.join(names)}.\n"
