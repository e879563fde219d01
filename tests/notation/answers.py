"""Checksums of the answers to random texts, of which most are refused with a message."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from zlib import crc32

from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.solver.family import COURSE, Variant
from tests.notation.ways.outcomes import cases
from tests.stored_numbers import numbers_text

#: The stored checksums; ``python -m tools.affected --accept`` writes them.
STORED = Path(__file__).with_name("answers.toml")

#: The files of texts that are changed at random.
TEXTS = [
    Path(__file__).with_name(f"{name}.jsonl") for name in ("by_hand", "generated", "pasted", "refusals", "strangers")
]

#: The number of random texts, and the number of changes of each text in the files.
COUNT, CHANGES = 1000, 2


def changed(rng: Random, text: str) -> str:
    """Return a text after one or two random changes.

    A change deletes, repeats, exchanges or replaces a character, a word or a line.
    """
    for _ in range(rng.choice([1, 1, 2])):
        unit = rng.choice(["", " ", "\n"])
        parts = text.split(unit) if unit else list(text)
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(4):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, parts[other])
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case _:
                parts[at] = rng.choice(["1", "6", "B", "W", "pass", "(", "]", "{", '"', ",", ".", ":", "-1", "null"])
        text = unit.join(parts) or "0"
    return text


def random_texts() -> Iterator[bytes]:
    """Yield texts like those of people and programs, and changed texts of the files."""
    for case in cases(11, COUNT):
        yield case.told.text.encode("utf-8", "surrogatepass")
    rng = Random(5)
    for path in TEXTS:
        for line in path.read_text("utf-8").strip().split("\n"):
            given = json.loads(line)
            text = given["input"] or "0"
            for _ in range(CHANGES):
                yield changed(rng, text).encode("utf-8", "surrogatepass")


def answer_to(text: bytes, game: Variant | None, ply: int | None) -> tuple[str, str]:
    """Return the kind of the answer, which is a fault or "read", and the whole answer."""
    try:
        return "read", repr(read(text, game, ply))
    except NotationError as error:
        return error.fault, str(error)


def checksums() -> dict[str, int]:
    """Return, by kind of answer, a checksum of the answers."""
    found: dict[str, int] = {}
    rng = Random(6)
    for text in random_texts():
        kind, answer = answer_to(text, rng.choice([COURSE, COURSE, None]), rng.choice([*[None] * 9, 2, 4, 11, 24]))
        found[kind] = crc32(answer.encode("utf-8", "surrogatepass"), found.get(kind, 0))
    return dict(sorted(found.items()))


def answers_text() -> str:
    """Return the checksums in the form of the file."""
    return numbers_text("Checksums of the answers in answers.py", checksums())
