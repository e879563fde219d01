"""The output of a command or of the page about a position of any game is given to every reader of texts.

Each reader returns the same position of the same game. If it is called for another game, and the text states its game,
it prints one line with both games. Moves, keys, ``input.txt`` and the course's JSON state no game.
"""

import csv
import json
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from little_go.arena.gtp.engine import Engine
from little_go.arena.match.host import State, draw, input_text, states_of
from little_go.arena.review.annotated import annotated_sgf
from little_go.arena.review.reading import read_games
from little_go.arena.review.review import Evaluator, partial_reviews
from little_go.arena.review.text import mistake_text
from little_go.book.__main__ import main as book_main
from little_go.book.answers.query import Service
from little_go.book.answers.report import knowledge_csv, knowledge_record, knowledge_text
from little_go.book.files.games import GamesError
from little_go.book.library import Book
from little_go.notation.forms import read
from little_go.notation.movetext import moves_text, vertex_name
from little_go.notation.record import from_record, game_keys, game_of, link_fragment, to_record
from little_go.notation.sgf import add_move, new_sgf, set_up
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import PASS, Position, move_name, parse_move
from little_go.solver.symmetry import canonical_key, key_of, position_of
from tests.explorer.vectors import NoNode, PageModules, modules_of, open_modules
from tests.options import NO_SEARCH

#: One game of each length, and several komi for the course's length.
GAMES = [
    COURSE, Variant(24, 0.5), Variant(24, -3.5), Variant(22, 2.5), Variant(20, 4.5), Variant(18, -0.5),
    Variant(16, 2.5), Variant(14, 6.5), Variant(12, -1.5), Variant(10, 0.5), Variant(8, 0.5), Variant(4, 2.5),
]  # fmt: skip

#: Texts that state no game, and texts that state no game if it is the course's.
UNNAMED = {"moves", "key", "query --csv", "input.txt", "page: input.txt"}
COURSES_UNNAMED = {"json", "query --json", "moves in json", "page: json", "page: command"}
#: Boards that do not state a PASS.
WITHOUT_PASS = {"showboard", "play"}


class Printed(NamedTuple):
    """A text about a position. name: the program that prints it. ply: the ply that must be given as an option."""

    name: str
    text: str
    position: Position
    ply: int | None = None


class Case(NamedTuple):
    """A position of a game, and the host's states before it."""

    game: Variant
    states: list[State]

    @property
    def position(self) -> Position:
        return self.states[-1].position


def cases(game: Variant, count: int, seed: int) -> Iterator[Case]:
    """Yield random positions of games; the first one is at the end of its game."""
    rng = random.Random(f"{game} {seed}")
    for number in range(count):
        position, moves = game.start, []
        for _ in range(rng.randint(1, game.plies) if number else game.plies):
            points = position.legal_moves()[:-1]
            # A PASS on the first ply ends the game.
            can_pass = position.ply > game.first_ply and not position.passed
            move = PASS if not points or (can_pass and rng.random() < 0.1) else rng.choice(points)
            position = position.play(move)
            moves.append(move)
            if position.is_over:
                break
        yield Case(game, states_of(map(move_name, moves), game=game))


def printed(case: Case) -> Iterator[Printed]:
    """Yield the outputs of the commands about a position."""
    game, position, state = case.game, case.position, case.states[-1]
    knowledge = Service([], game=game).ask(position)
    engine = engine_after(case)
    moves = [one.moves[-1] for one in case.states[1:]]
    sgf, placed = new_sgf(game), new_sgf(game)
    for ply, one in enumerate(moves):
        add_move(sgf.extend_main_sequence(), ply, parse_move(one))
    texts = {
        "query": knowledge_text(knowledge),
        "query --json": json.dumps(knowledge_record(knowledge)),
        "json": json.dumps(to_record(position, game)),
        "moves in json": json.dumps({"moves": moves, **game_keys(game)}),
        "link": f"explorer.html#{link_fragment(position, game)}",
        "key": str(key_of(position)),
        "moves": moves_text(map(parse_move, moves), 0),
        "showboard": engine.respond("showboard") or "",
        "sgf": sgf.serialise().decode(),
    }
    if not position.is_over:
        set_up(placed.get_root(), position, game)
        texts |= {"play": draw(state), "input.txt": input_text(state), "sgf of a position": placed.serialise().decode()}
    # If the side that moved last has no stone, the readers infer that this side passed.
    is_inferred = not (position.white if position.black_to_move else position.black)
    for name, text in texts.items():
        shown = position._replace(passed=position.passed and (is_inferred or name not in WITHOUT_PASS))
        yield Printed(name, text, shown, position.ply - game.first_ply if name == "input.txt" else None)


def printed_keys(case: Case) -> Iterator[Printed]:
    """Yield the keys in a table of moves, whose columns state the game."""
    game, position = case.game, case.position
    knowledge = Service([], game=game).ask(position)
    for row in csv.DictReader(StringIO(knowledge_csv(knowledge, header=True))):
        assert {name: float(row[name]) for name in game_keys(game)} == game_keys(game)
        after = position.play(parse_move(row["move"]))
        for key, shown in ((row["key"], position), (row["after_key"], after)):
            yield Printed("query --csv", key, position_of(canonical_key(shown)))


def engine_after(case: Case) -> Engine:
    engine = Engine(None, game=case.game)
    for ply, state in enumerate(case.states[1:]):
        assert engine.respond(f"play {'bw'[ply % 2]} {vertex_name(parse_move(state.moves[-1]))}") == "=\n\n"
    return engine


def printed_by_page(modules: PageModules, case: Case) -> Iterator[Printed]:
    """Yield the texts about a position that the page of the game shares."""
    position, text = case.position, " ".join(state.moves[-1] for state in case.states[1:])
    (answer,) = modules.ask("readers", [text.encode().hex()])
    names = ["link", "link of a position", "json", "sgf", "sgf of a position", "command", "input.txt"]
    for name, one in zip(names, answer["written"], strict=True):
        if one is not None and (name != "input.txt" or not position.is_over):
            ply = position.ply - case.game.first_ply if name == "input.txt" else None
            yield Printed(f"page: {name}", one, position, ply)


class Found(NamedTuple):
    """The result of a reader: a position and its game."""

    position: Position
    game: Variant


#: A reader of a text for a game, or None for the game that the text states; it raises ValueError or GamesError.
Door = Callable[[Printed, Variant | None], Found]


def by_query(given: Printed, game: Variant | None) -> Found:
    placed = read(given.text, game, given.ply)
    return Found(placed.position, placed.game)


def by_book(given: Printed, game: Variant | None) -> Found:
    assert game is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = Book(None, Service([], game=game), 0.0)._known(given.text)
    return Found(known.position, known.game)


def by_review(folder: Path) -> Door:
    def door(given: Printed, game: Variant | None) -> Found:
        path = folder / "given.txt"
        path.write_text(given.text)
        (played,) = read_games([str(path)], asked=game)
        return Found(played.state.position, played.game)

    return door


def by_command(folder: Path) -> Door:
    """Return the reader that runs the command, with options and files."""

    def door(given: Printed, game: Variant | None) -> Found:
        path = folder / "given.txt"
        path.write_text(given.text)
        options = [] if game is None else ["--plies", str(game.plies), "--komi", str(game.komi)]
        options += [] if given.ply is None else ["--ply", str(given.ply)]
        done = CliRunner().invoke(book_main, ["query", "--json", *NO_SEARCH, "--only", "atlas", *options, str(path)])
        if done.exit_code:
            raise ValueError(done.stderr.strip())
        record = json.loads(done.stdout)
        found = game_of(record)
        return Found(from_record(record, found), found)

    return door


def by_loadsgf(folder: Path) -> Door:
    def door(given: Printed, game: Variant | None) -> Found:
        assert game is not None
        path = folder / "given.sgf"
        path.write_text(given.text)
        engine = Engine(None, game=game)
        answer = engine.respond(f"loadsgf {path}") or ""
        if not answer.startswith("="):
            raise ValueError(answer.strip())
        return Found(engine._position, engine._game)

    return door


def by_page(pages: dict[Variant, PageModules]) -> Door:
    def door(given: Printed, game: Variant | None) -> Found:
        assert game is not None
        (answer,) = pages[game].ask("readers", [given.text.encode().hex()])
        if answer["fault"]:
            raise ValueError(answer.get("message", answer["fault"]))
        position = Position(**answer["position"])
        passed = position.passed or (game.start.passed and position.ply == 0)
        return Found(position._replace(ply=game.first_ply + position.ply, passed=passed), game)

    return door


def faults_of(given: Printed, game: Variant, other: Variant, doors: dict[str, Door]) -> Iterator[str]:
    """Yield the wrong results of the readers of a text."""
    is_named = given.name not in UNNAMED | (COURSES_UNNAMED if game == COURSE else set())
    for name, door in doors.items():
        if given.ply is not None and name not in ("query", "little-go query"):
            continue
        if "sgf" not in given.name and name == "loadsgf":
            continue
        for asked in (None, game, other):
            if asked is None and (name not in ("query", "little-go query", "review") or not is_named):
                continue
            if asked == other and not is_named:
                continue
            what = f"{given.name}, of {game}, to {name} asked about {asked}"
            try:
                found = door(given, asked)
            except (ValueError, GamesError) as error:
                told = str(error)
                if asked != other:
                    yield f"{what}: {told}\n{given.text}"
                elif "\n" in told or not (str(game) in told and str(other) in told):
                    yield f"{what}: {told}"
                continue
            if asked == other or found.game != game or _plain(found.position) != _plain(given.position):
                yield f"{what}: {found} instead of {given.position}\n{given.text}"


def _plain(position: Position) -> Position:
    """Return a position; if the game is over, without the ko point and the pass state, which do not matter then."""
    return position._replace(ko=None, passed=False) if position.is_over else position


def all_faults(games: list[Variant], count: int, folder: Path) -> list[str]:
    """Return the wrong results about positions of games; each reader is also called for the game before."""
    found: list[str] = []
    with ExitStack() as stack:
        pages = {}
        for number, game in enumerate(games):
            script = modules_of(game, folder / str(number))
            try:
                pages[game] = stack.enter_context(open_modules(script))
            except NoNode:
                pytest.skip("no Node.js here: the page's modules run in it")
        doors = {"query": by_query, "open_book()": by_book, "review": by_review(folder), "page": by_page(pages)}
        doors["loadsgf"] = by_loadsgf(folder)
        for number, game in enumerate(games):
            for case in cases(game, count, 1):
                for given in (*printed(case), *islice(printed_keys(case), 4), *printed_by_page(pages[game], case)):
                    found += faults_of(given, game, games[number - 1], doors)
    return found


def test_what_is_printed_is_given_back(tmp_path: Path) -> None:
    found = all_faults([Variant(8, 0.5), COURSE], 3, tmp_path)
    assert not found, f"{len(found)}\n" + "\n".join(found[:5])


@pytest.mark.long
def test_what_is_printed_of_twelve_games_is_given_back(tmp_path: Path) -> None:
    found = all_faults(GAMES, 17, tmp_path)
    assert not found, f"{len(found)}\n" + "\n".join(found[:20])


@pytest.mark.long
def test_what_is_printed_is_given_back_to_the_command(tmp_path: Path) -> None:
    doors = {"little-go query": by_command(tmp_path)}
    found: list[str] = []
    for number, game in enumerate(GAMES):
        for case in cases(game, 2, 3):
            for given in printed(case):
                found += faults_of(given, game, GAMES[number - 1], doors)
    assert not found, f"{len(found)}\n" + "\n".join(found[:20])


@pytest.mark.long
def test_reviews_are_given_back(tmp_path: Path) -> None:
    """The SGF is read as a game, and the board of each mistake as the position before the mistake."""
    doors = {"query": by_query, "open_book()": by_book, "review": by_review(tmp_path)}
    mistakes = 0
    for case in (case for game in GAMES for case in cases(game, 4, 2)):
        game, other = case.game, next(each for each in GAMES if each != case.game)
        path = tmp_path / "game.txt"
        path.write_text(" ".join(state.moves[-1] for state in case.states[1:]))
        (played,) = read_games([str(path)], asked=game)
        *_, review = partial_reviews(played, Evaluator([], 1000, 16))
        texts = [Printed("review --sgf", annotated_sgf(review).decode(), case.position)]
        texts += [
            Printed("review", "\n".join(mistake_text(each)), each.position._replace(passed=False))
            for each in review.mistakes
        ]
        mistakes += len(texts) - 1
        for given in texts:
            assert [*faults_of(given, game, other, doors)] == []
    assert mistakes > 10
