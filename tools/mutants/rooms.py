"""The rooms whose mutants are tried, with the tests of each."""

import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tools.mutants.edits import Edit, Mutant, apply, brace_edits, mutants_from, python_edits


class Room(NamedTuple):
    """A room, or the part of a room that is written in another language.

    sources: patterns of the room's files. left_out: the names of files that no fast test runs, or that are made from
    other files. tests: the folders and files of the room's tests, as arguments of pytest.
    """

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    def files(self, root: Path) -> list[Path]:
        """Return the files of the room, in order."""
        found = {file for pattern in self.sources for file in root.glob(pattern)}
        return sorted(file for file in found if file.name not in self.left_out)


_PYTHON = (
    "solver", "runtime", "crew", "notation", "book", "proof", "generator", "player", "explorer", "arena", "maker",
)  # fmt: skip

#: The tests of notation that also read with the page's reader.
_READ_BY_THE_PAGE = ("doors", "hostile", "own_prints", "pasted", "strangers", "table", "vectors", "ways")

#: The tests of a Python room include its doctests. `wasm.c` is omitted, because it needs a large compiler.
ROOMS = {
    room.name: room
    for room in (
        *(Room(name, (f"{name}/**/*.py",), (f"tests/{name}", f"little_go/{name}")) for name in _PYTHON),
        Room(
            "little_go",
            ("little_go/*.py",),
            ("tests/little_go", *(f"little_go/{name}.py" for name in ("__init__", "api"))),
        ),
        Room(
            "native",
            ("solver/native/*.c", "solver/native/*.h"),
            ("tests/solver", "tests/book/answers/test_reasons.py"),
            ("wasm.c",),
        ),
        Room(
            "page",
            ("explorer/page/*.js",),
            ("tests/explorer", *(f"tests/notation/test_{name}.py" for name in _READ_BY_THE_PAGE)),
            ("judging.js", "reading.js"),
        ),
    )
}

#: The minimum number of a room's mutants in a sample, if the room has enough.
LEAST = 4

_EDITS: dict[str, Callable[[bytes], list[Edit]]] = {
    ".py": python_edits,
    ".c": partial(brace_edits, script=False),
    ".h": partial(brace_edits, script=False),
    ".js": partial(brace_edits, script=True),
}


def mutants_of(file: Path, root: Path) -> list[Mutant]:
    """Return all mutants of a file under the root."""
    return mutants_from(file, root, _EDITS[file.suffix](file.read_bytes()))


def room_of(path: str, root: Path) -> Room:
    """Return the room of a file, given by its path under the root. Raise LookupError if no room contains the file."""
    for room in ROOMS.values():
        if root / path in room.files(root):
            return room
    raise LookupError(f"{path} is a source of no room: {', '.join(ROOMS)}")


def sample(root: Path, rooms: list[Room], seed: int, count: int) -> list[tuple[Room, Mutant]]:
    """Return random mutants: LEAST of each room, and the others in proportion to the number of the room's mutants."""
    ranked = {
        room.name: sorted(
            (mutant for file in room.files(root) for mutant in mutants_of(file, root)),
            key=lambda mutant: mutant.rank(seed),
        )
        for room in rooms
    }
    shares = _shares({name: len(mutants) for name, mutants in ranked.items()}, count)
    chosen = {room.name: _valid(root, ranked[room.name], shares[room.name]) for room in rooms}
    turns = range(max(shares.values(), default=0))
    return [(room, chosen[room.name][turn]) for turn in turns for room in rooms if turn < len(chosen[room.name])]


def _shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Divide a count among packages. A package with fewer mutants than its share contributes all of its mutants."""
    least = min(LEAST, count // max(len(sizes), 1))
    shares = {name: min(least, size) for name, size in sizes.items()}
    while sum(shares.values()) < min(count, sum(sizes.values())):
        open_ = [name for name in sizes if shares[name] < sizes[name]]
        # The next mutant comes from the room whose share is the smallest fraction of the room's mutants.
        neediest = min(open_, key=lambda name: (shares[name] + 1 - least) / sizes[name])
        shares[neediest] += 1
    return shares


def _valid(root: Path, mutants: list[Mutant], count: int) -> list[Mutant]:
    found: list[Mutant] = []
    for mutant in mutants:
        if len(found) == count:
            break
        if is_valid(root, mutant):
            found.append(mutant)
    return found


def is_valid(root: Path, mutant: Mutant) -> bool:
    """Return whether a mutant compiles. Any test would kill a mutant that does not compile."""
    file = root / mutant.path
    source = apply(file.read_bytes(), mutant.edit)
    if file.suffix == ".py":
        try:
            compile(source, mutant.path, "exec")
        except SyntaxError:
            return False
        return True
    return all(
        subprocess.run(command, input=source, capture_output=True, check=False).returncode == 0
        for command in _checks(file)
    )


def _checks(file: Path) -> Iterator[list[str]]:
    if file.suffix == ".js":
        yield ["node", "--check", "--input-type=module", "-"]
    else:
        yield ["gcc", "-fsyntax-only", "-std=c11", "-w", "-I", str(file.parent), "-x", "c", "-"]
