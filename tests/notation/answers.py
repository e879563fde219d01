"""Checksums of the readers' answers to random texts. The readers refuse most of these texts with a message."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple
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

#: The group of the texts that are in no file.
WAYS = "ways"


def changed(rng: Random, text: str) -> str:
    """Change a text at random once or twice, and return it.

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


class Asked(NamedTuple):
    """A text, and the game and the ply with which it is read. group: the name of the file of the text, or WAYS."""

    group: str
    text: bytes
    game: Variant | None
    ply: int | None


def asked(group: str, text: str, rng: Random) -> Asked:
    """Combine a text with a game and a ply, which are random but usually the defaults of ``query``."""
    game, ply = rng.choice([COURSE, COURSE, None]), rng.choice([*[None] * 9, 2, 4, 11, 24])
    return Asked(group, text.encode("utf-8", "surrogatepass"), game, ply)


def own_random(text: str) -> Random:
    """Return a random generator for a text. Another text in the same file does not change its numbers."""
    return Random(crc32(text.encode("utf-8", "surrogatepass")))


def random_texts() -> Iterator[Asked]:
    """Yield texts like those of people and programs, and changed texts of the files."""
    for case in cases(11, COUNT):
        yield asked(WAYS, case.told.text, own_random(case.told.text))
    for path in TEXTS:
        for line in path.read_text("utf-8").strip().split("\n"):
            text = json.loads(line)["input"] or "0"
            rng = own_random(text)
            for _ in range(CHANGES):
                yield asked(path.stem, changed(rng, text), rng)


def answer_to(text: bytes, game: Variant | None, ply: int | None) -> tuple[str, str]:
    """Return the kind of the answer, which is a fault or "read", and the whole answer."""
    try:
        return "read", repr(read(text, game, ply))
    except NotationError as error:
        return error.fault, str(error)


def checksums() -> dict[str, int]:
    """Return the checksums of the answers. A key consists of a group of texts and a kind of answer."""
    found: dict[str, int] = {}
    for group, text, game, ply in random_texts():
        kind, answer = answer_to(text, game, ply)
        name = f"{group}: {kind}"
        found[name] = crc32(answer.encode("utf-8", "surrogatepass"), found.get(name, 0))
    return dict(sorted(found.items()))


def answers_text() -> str:
    """Return the checksums in the form of the file."""
    return numbers_text("Checksums of the answers in answers.py", checksums())
