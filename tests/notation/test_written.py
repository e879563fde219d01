"""The output of the project is read again as the same position; test_vectors.py tests the same for the page."""

import json
import random

import pytest

from little_go.arena.gtp.engine import Engine
from little_go.arena.match.host import OPENING, draw, input_text, judge, states_of
from little_go.arena.review.annotated import annotated_sgf
from little_go.arena.review.reading import read_games
from little_go.arena.review.review import Evaluator, partial_reviews
from little_go.arena.review.text import mistake_text
from little_go.book.answers.query import Service
from little_go.book.answers.report import knowledge_record, knowledge_text
from little_go.notation.forms import read
from little_go.notation.movetext import moves_text, vertex_name
from little_go.notation.parsed import read_input
from little_go.notation.record import link_fragment
from little_go.solver.family import COURSE
from little_go.solver.position import move_name
from little_go.solver.symmetry import key_of
from tests.notation.generated import moves_of, played


@pytest.mark.parametrize("seed", range(30))
def test_a_position_that_is_printed_is_read_again(seed: int) -> None:
    way = played(random.Random(seed))
    position, moves = way[-1], moves_of(way)
    knowledge = Service([], game=COURSE).ask(position)
    engine, state = Engine(None, game=COURSE), OPENING
    for ply, move in enumerate(moves):
        engine.respond(f"play {'bw'[ply % 2]} {vertex_name(move)}")
        state = judge(state, move_name(move))
    assert read_input(input_text(state), COURSE, position.ply).position == position
    for text in (
        knowledge_text(knowledge),
        json.dumps(knowledge_record(knowledge)),
        f"https://example.org/explorer.html#{link_fragment(position, COURSE)}",
        str(key_of(position)),
        hex(key_of(position)),
        moves_text(moves, 0),
        f"Better: {moves_text(moves, 0)}",
        " ".join(map(vertex_name, moves)),
    ):
        assert read(text, COURSE).position == position, text
    # Boards of other programs do not show a PASS.
    for text in (engine.respond("showboard") or "", draw(state)):
        assert read(text, COURSE).position == position._replace(passed=False), text


def test_a_review_is_read_again() -> None:
    """The SGF is read as a game, and each mistake's board as the position before the mistake."""
    moves = "2,2 1,1 1,2 2,1 3,1 0,1 3,0 1,3 2,3 0,2 0,3 4,4 1,4 3,3 3,4 4,3 PASS 4,2 4,1 2,0"
    (game,) = read_games([moves])
    *_, review = partial_reviews(game, Evaluator([], 1000, 16))
    assert review.state == states_of(moves.split(), game=COURSE)[-1]
    assert read(annotated_sgf(review), COURSE).way == tuple(review.positions[:-1])
    assert review.mistakes
    for mistake in review.mistakes:
        lines = mistake_text(mistake)
        assert read("\n".join(lines), COURSE).position == mistake.position._replace(passed=False)
        line = " ".join(map(move_name, mistake.instead))
        before = " ".join(moves.split()[: mistake.ply - 1])
        assert mistake.position in [*read(f"{before}  {line}", COURSE).way, read(f"{before}  {line}", COURSE).position]
