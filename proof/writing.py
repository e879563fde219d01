"""Writing certificates, the format of docs/reference/CERTIFICATE.md; proof.checker reads them."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from book.exchange.claims import images_of
from runtime.files import packed, write_whole
from solver.position import POINTS, Position, move_name
from solver.symmetry import POINT_IMAGE, SYMMETRIES

_NAMES = [move_name(move) for move in range(POINTS + 1)]


class Claim(NamedTuple):
    """A bound on the margin, stones Black - White at the end, that one side can keep.

    black: whether Black keeps it, and the margin is ``bound`` or more; else White, and it is ``bound`` or less.
    """

    black: bool
    bound: int

    def __str__(self) -> str:
        return f"black {'>=' if self.black else '<='} {self.bound}"

    @property
    def threshold(self) -> int:
        """The value that Black's side reaches when the claim is his, and does not reach when it is White's."""
        return self.bound if self.black else self.bound + 1


def name_of(position: Position) -> str:
    """Return a position, and its canonical orientation, as a certificate's line names it.

    >>> name_of(Position(black=1, ply=1))
    '23 ........................X - -'
    """
    return min(images_of(position))


def line_of(position: Position, move: int) -> str:
    """Return the line for a position and a move there; of the moves that a symmetry makes one, the least."""
    images = images_of(position)
    return min(f"{images[s]} {_NAMES[POINT_IMAGE[s][move]]}" for s in range(SYMMETRIES))


def write_certificate(
    claim: Claim, starts: Sequence[str], turns: Iterable[tuple[Position, int]], path: str | Path, leaf: int
) -> int:
    """Write a certificate, and return the number of its lines; the same turns give the same bytes.

    starts: the header's lines about them: ``start MOVES`` from the empty board, or ``position POSITION``.
    turns: positions with the claim's side to move, and its move; in any orientation and order.
    leaf: plies left of the lines that the checker is to search.
    The file is made as ``path`` + ``.tmp`` and then renamed, gzip-compressed when ``path`` ends in ``.gz``.
    Raises ValueError on two moves for one position and on a turn that is not the claim's; and OSError.
    """
    lines: dict[str, str] = {}
    for position, move in turns:
        if position.black_to_move != claim.black or position.left < leaf:
            raise ValueError(f"no turn of the claim's side, down to {leaf} plies left: {position}")
        line = line_of(position, move)
        name, _, text = line.rpartition(" ")
        if lines.setdefault(name, text) != text:
            raise ValueError(f"two moves for one position: {name} {lines[name]} and {text}")
    names = sorted(lines, key=lambda name: (-int(name[:2]), name))
    body = "".join(f"{name} {lines[name]}\n" for name in names).encode("ascii")
    head = ["little-go certificate 2", "rules 5x5 stones-only komi 2.5 plies 24", f"claim {claim}", *starts]
    head += [f"leaf {leaf}", f"lines {len(lines)}", f"sha256 {hashlib.sha256(body).hexdigest()}"]
    data = "".join(f"{row}\n" for row in head).encode("ascii") + body
    write_whole(path, packed(data) if Path(path).suffix == ".gz" else data)
    return len(lines)
