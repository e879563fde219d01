"""SGF: our own games are read again, and a collection is read as a whole. The vectors test everything else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from sgfmill import sgf

from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.record import link_fragment, start_text
from little_go.notation.sgf import SgfGame, add_move, move_in, new_sgf, read_games, read_sgf, set_up
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import OCCUPIED, PASS, START, Position, play_all
from tests.book.positions import open_positions
from tests.shell_blocks import ROOT


def game_of(moves: list[int]) -> bytes:
    game = new_sgf(COURSE)
    for ply, move in enumerate(moves):
        add_move(game.extend_main_sequence(), ply, move)
    text: bytes = game.serialise()
    return text


def test_moves_are_read_as_they_were_written() -> None:
    moves = [12, 0, PASS, 4, 20, 24]
    (game,) = read_games(game_of(moves), game=COURSE)
    assert isinstance(game, SgfGame)
    assert (list(game.moves), game.start, game.fault, game.notes) == (moves, START, None, ())
    assert game.positions[-1] == play_all(START, moves)


def test_nodes_without_brackets_may_have_variations() -> None:
    text = ";B[cc];W[bb](;B[dd]C[one])(;B[aa])"
    (game,) = read_games(text, game=COURSE)
    assert isinstance(game, SgfGame)
    assert (game.moves, game.comments, [*game.others]) == ((12, 6, 18), {3: "one"}, [2])
    placed = read(text, COURSE)
    assert (placed.position, placed.notes, placed.left_out) == (game.positions[-1], (), ("(;B[aa])",))
    assert "".join(part.text for part in placed.parts) == text


@given(open_positions())
def test_a_position_that_is_set_up_has_its_stones_and_its_mover(position: Position) -> None:
    assume(position.black | position.white)
    game = sgf.Sgf_game(size=5)
    stones = [
        {(4 - point // 5, point % 5) for point in range(25) if mask >> point & 1}
        for mask in (position.black, position.white)
    ]
    game.extend_main_sequence().set_setup_stones(*stones)
    game.get_last_node().set("PL", "bw"[position.ply % 2])
    read = read_sgf(game.serialise(), game=COURSE).position
    assert read[:2] == position[:2]
    assert read.mover == position.mover
    assert read.ply <= position.ply or position.passed
    ours = new_sgf(COURSE)
    set_up(ours.get_root(), position, game=COURSE)
    assert read_sgf(ours.serialise(), game=COURSE).position == position


def test_a_collection_gives_all_its_games_or_the_one_that_is_chosen() -> None:
    content = b"first (;SZ[5];B[cc];W[bb]) second (;SZ[5]PB[A];B[aa])"
    assert [len(game.moves) for game in read_games(content, game=COURSE) if isinstance(game, SgfGame)] == [2, 1]
    assert read_sgf(content, game=COURSE).notes == ("it has other games, and this is game 1",)
    assert read_sgf(content, number=2, game=COURSE).position.black == 1
    with pytest.raises(NotationError, match="it has 2 games, and no game 3"):
        read_sgf(content, number=3, game=COURSE)


def test_what_comes_after_the_ply_that_is_asked_for_is_not_judged() -> None:
    content = b"(;SZ[5];B[cc];W[bb];B[cc])"
    assert read_sgf(content, COURSE, 2).position.ply == 2
    with pytest.raises(NotationError, match=rf"node 4, B: move 3: 2,2 is {OCCUPIED}"):
        read_sgf(content, game=COURSE)


@pytest.mark.parametrize("content", ["(;SZ[5]" + "(;B[cc]" * 50_000, "(;C" + "[" * 200_000, "(" * 300_000])
def test_hostile_games_cost_a_line_and_no_time(content: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_sgf(content, game=COURSE)
    assert "\n" not in str(caught.value)


def test_a_set_up_counts_the_plies_of_its_game() -> None:
    variant = Variant(8, 0.5)
    position = variant.start.play(12).play(25).play(0)
    made = new_sgf(variant)
    set_up(made.get_root(), position, variant)
    text = made.serialise()
    assert b".3.-.-]" in text
    placed = read_sgf(text, game=None)
    assert (placed.position, placed.game, placed.ply) == (position, variant, 3)
    link = read(f"explorer.html#{link_fragment(position, variant)}", game=None)
    assert (link.position, link.game) == (position, variant)
    assert start_text(variant.start, variant) == start_text(START, COURSE)
    assert read(f"explorer.html#{link_fragment(variant.start, variant)}", game=None).position == variant.start


def test_the_move_of_a_node_is_that_which_was_written() -> None:
    game = new_sgf(COURSE)
    assert move_in(game.get_root()) is None
    for ply, move in enumerate((12, 3, PASS)):
        add_move(game.extend_main_sequence(), ply, move)
    assert [move_in(node) for node in game.get_main_sequence()] == [None, 12, 3, PASS]


def test_the_package_that_reads_sgf_warns_nobody_when_it_is_first_compiled(tmp_path: Path) -> None:
    """Python 3.12 prints a SyntaxWarning about sgfmill's texts, and earlier versions print a DeprecationWarning if it
    is enabled.
    """
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", "import little_go.notation.sgf"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "sgfmill" not in done.stderr


@pytest.mark.parametrize("more", [0, 1])
def test_a_game_with_many_brackets_is_read_up_to_a_limit(more: int) -> None:
    """The limit counts the brackets in comments too."""
    text = f"(;SZ[5]C[{'(' * (99_999 + more)}];B[cc])"
    if more:
        with pytest.raises(NotationError, match="more than 100000 variations and games"):
            read(text, None)
    else:
        assert read(text, None).position == START.play(12)
