"""Both readers can read the whole output of commands about a known position again."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.arena.gtp.engine import Engine
from little_go.notation.movetext import vertex_name
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position, parse_moves, play_all
from tests.explorer.vectors import PageModules
from tests.notation.ways.outcomes import Answer, asked_of_page, asked_of_python

#: Lines of moves: after a PASS, with a mistake, with a ko, and late in the game.
LINES = (
    "2,2 1,1 PASS",
    "1,1 2,2 3,3 1,2",
    "1,1 1,2 2,0 2,3 3,1 3,2 2,2 2,1",
    "2,2 1,1 1,2 2,1 3,1 0,1 3,0 1,3 2,3 0,2 0,3 4,4 1,4 3,3 3,4 4,3 PASS 4,2",
)
#: The lines to review; the review shows the board of one mistake or of several.
REVIEWED = (LINES[1], LINES[3])


class Print(NamedTuple):
    """The output of a command about a position. may_be_refused: whether it shows several positions."""

    name: str
    text: str
    position: Position
    may_be_refused: bool = False


def prints(line: str) -> Iterator[Print]:
    """Yield the outputs about a line of moves."""
    position = play_all(START, parse_moves(line))

    def run(*words: str) -> str:
        done = CliRunner().invoke(main, [*words])
        assert done.exit_code == 0, (words, done.output)
        return done.stdout

    live = ["--live", "1s"]
    yield Print("query", run("query", line, *live), position)
    yield Print("query --json", run("query", line, "--json", *live), position)
    yield Print("query --why", run("query", line, "--why", "PASS", *live), position)
    if line in REVIEWED:
        for more in ([], ["--json"]):
            text = run("review", line, "--nodes", "1000", *more)
            yield Print(" ".join(["review", *more]), text, position, may_be_refused=True)
    if position.left < 10:
        yield Print("value", run("value", line), position)
    yield from gtp_prints(line, position)


def gtp_prints(line: str, position: Position) -> Iterator[Print]:
    """Yield the engine's answers, and a log of commands and answers."""
    engine, log = Engine(None, game=COURSE), []
    moves = [f"play {'bw'[ply % 2]} {vertex_name(move)}" for ply, move in enumerate(parse_moves(line))]
    for command in ("boardsize 5", "clear_board", "komi 2.5", *moves):
        log += [command, engine.respond(command) or ""]
    board = engine.respond("showboard") or ""
    yield Print("showboard", board, position._replace(passed=False))
    yield Print("log", "\n".join(log), position, may_be_refused=True)


@pytest.fixture(scope="module")
def printed() -> list[Print]:
    return [each for line in LINES for each in prints(line)]


@pytest.fixture(scope="module")
def wrong(printed: list[Print], page_modules: PageModules) -> list[tuple[str, str, Print, Answer]]:
    """Return the outputs that a reader reads as another position, with its name and its answer."""
    texts = [each.text for each in printed]
    answers = {"python": [asked_of_python(text) for text in texts], "page": asked_of_page(page_modules, texts)}
    return [
        (reader, each.name, each, answer)
        for reader, found in answers.items()
        for each, answer in zip(printed, found, strict=True)
        if answer.position != each.position and not (each.may_be_refused and answer.position is None)
    ]


def test_each_print_is_read_as_its_position(printed: list[Print], wrong: list[tuple[str, str, Print, Answer]]) -> None:
    assert wrong == []
    names = {"query", "query --json", "query --why", "review", "review --json", "value", "showboard", "log"}
    assert {each.name for each in printed} == names
