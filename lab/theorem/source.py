"""Write Coq's sources: the lines as arrays, pieces of them to be checked, and the theorem about all."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lab.theorem.leaves import Strategy, levels
from runtime.files import write_whole
from solver.position import SIZE
from solver.symmetry import POINT_IMAGE, SYMMETRIES

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
    """Yield pieces: the number of lines, and the first.

    >>> list(cut(5, 2))
    [(2, 0), (2, 2), (1, 4)]
    """
    for first in range(0, count, piece):
        yield min(piece, count - first), first


def piece_source(strategy: Strategy, left: int, count: int, first: int) -> str:
    """Return the source of a lemma: the checker accepts these lines."""
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
    """Return a point in the form of Rules.v.

    >>> point(7)
    '(L1, L2)'
    """
    return f"(L{move // SIZE}, L{move % SIZE})"


def _claim_source(strategy: Strategy) -> str:
    """Return the source of the certificate's claim; Black's own plies begin with 24 left, White's with 23."""
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
    # Computed once the points are known: earlier, Coq would evaluate the lines for any.
    return f"Theorem claim : {claim}.\nProof. refine ({proof}). vm_cast_no_check (eq_refl true). Qed.\n"


def theorem_source(strategy: Strategy, cuts: dict[int, list[tuple[int, int]]]) -> str:
    """Return the source of the theorem about all lines."""
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
    """Write the sources of a strategy into a folder; return each piece's number of lines, by name.

    A file with the same content stays unchanged, so that it need not be checked again. Raises OSError.
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
    """Write a source unless the file has it already; raises OSError."""
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
