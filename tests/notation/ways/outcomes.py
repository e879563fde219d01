"""The texts of a seed, the answers of Python and of the page, and the outcomes."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.parsed import not_read
from little_go.solver.family import COURSE
from little_go.solver.position import Position
from tests.explorer.vectors import PageModules

# The imports register the ways.
from tests.notation.ways import boards, files, moves, objects, stones, traps  # noqa: F401
from tests.notation.ways.games import Told
from tests.notation.ways.mutants import MUTATIONS
from tests.notation.ways.registry import TRAPS, WAYS

#: The share of texts that are mutated.
MUTATED = 0.45

RIGHT, REFUSED, SILENT, LISTED, UNREAD = (
    "right",
    "refused",
    "WRONG silently",
    "WRONG though listed",
    "refused though documented",
)
OUTCOMES = (RIGHT, REFUSED, SILENT, LISTED, UNREAD)


@dataclass(frozen=True)
class Case:
    """A text with the name of its way, and of the mutation if it was mutated."""

    way: str
    change: str
    told: Told

    @property
    def is_counted(self) -> bool:
        """Whether the text counts in the share to be read: it has a position, and is neither mutated nor a trap."""
        return bool(self.told.meant) and not self.change and self.way not in TRAPS


class Answer(NamedTuple):
    """A reader's answer. position: None if the text is refused. said: the error, or the notes and the skipped parts."""

    position: Position | None
    said: str


def cases(seed: int, count: int) -> Iterator[Case]:
    """Yield the texts of a seed, from one way after another."""
    names = [*WAYS]
    for number in range(count):
        name = names[number % len(names)]
        rng = Random(f"{seed}:{number}")
        told = None
        while told is None:
            told = WAYS[name](rng)
        change = rng.choice([*MUTATIONS]) if rng.random() < MUTATED else ""
        if change and told.meant and not told.is_exact and (text := MUTATIONS[change](rng, told.text)) != told.text:
            yield Case(name, change, told._replace(text=text, is_documented=False))
        else:
            yield Case(name, "", told)


def asked_of_python(text: str) -> Answer:
    """Return the answer of the reader behind ``query``."""
    try:
        found = read(text.encode("utf-8", "surrogatepass"), COURSE)
    except NotationError as error:
        return Answer(None, str(error))
    return Answer(found.position, "; ".join([*found.notes, *not_read(found.left_out)]))


def asked_of_page(page: PageModules, texts: list[str]) -> list[Answer]:
    """Return the answers of the page's reader."""
    found = page.ask("readers", [text.encode("utf-8", "surrogatepass").hex() for text in texts])
    return [_page_answer(each) for each in found]


def _page_answer(answer: dict[str, Any]) -> Answer:
    if answer["fault"]:
        return Answer(None, answer.get("message") or answer["fault"])
    # The note about a guessed ply is not about skipped parts.
    said = [answer.get("note") or "", *not_read(answer["left"])]
    return Answer(Position(**answer["position"]), "; ".join(filter(None, said)))


def outcome(told: Told, answer: Answer) -> str:
    """Return the class of an answer."""
    if answer.position is None:
        return UNREAD if told.is_documented else REFUSED
    is_noted = told.noted.lower() in answer.said.lower()
    if answer.position in told.meant and is_noted:
        return RIGHT
    return LISTED if answer.said else SILENT


def is_wrong(name: str) -> bool:
    return name not in (RIGHT, REFUSED)
