"""Games against the page, and reviews of games."""

import json
import random

import pytest

from little_go.arena.match.host import OPENING, judge, states_of
from little_go.arena.match.play import Game
from little_go.arena.standings.game_sgf import sgf_of
from little_go.book.files.games import STAFF_GAMES, read_games
from little_go.notation.record import from_record
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, move_name, parse_moves, play_all
from tools.browsing import Explorer

YOUR_TURN = "explorer.app.position.ply >= 24 || !explorer.app.modes.play.locked"


def play_game(explorer: Explorer, who: str, rng: random.Random) -> str:
    """Play a game as ``black`` or ``white`` with random moves, and return its moves."""
    explorer.meet("perfect")
    explorer.page.click("#tab-play")
    explorer.page.check(f"#who-{who}")
    explorer.page.click("#start-game")
    while True:
        explorer.until(YOUR_TURN)
        position = from_record(explorer.position(), COURSE)
        if position.is_over:
            return " ".join(
                explorer.do("explorer.app.line.moves.map(m => m === 25 ? 'PASS' : `${Math.floor(m / 5)},${m % 5}`)")
            )
        stones = [move for move in position.legal_moves() if move != PASS]
        explorer.play(move_name(rng.choice(stones or [PASS])))


@pytest.mark.parametrize(("who", "seed"), [("white", 1), ("black", 2)])
def test_a_whole_game_is_won_by_the_page(explorer: Explorer, who: str, seed: int) -> None:
    moves = play_game(explorer, who, random.Random(seed))
    state = OPENING
    for name in moves.split():
        state = judge(state, name)
    assert state.result is not None
    assert state.result.winner == (1 if who == "white" else 2)
    assert explorer.text("#play-result h3").startswith("Black wins" if who == "white" else "White wins")


def test_the_page_shows_nothing_while_one_plays(explorer: Explorer) -> None:
    explorer.page.click("#tab-play")
    explorer.page.click("#start-game")
    explorer.play("2,2")
    explorer.until(YOUR_TURN)
    assert not explorer.is_visible("#verdict")
    label = explorer.page.locator('[data-point="0,0"]').get_attribute("aria-label")
    assert label == "0,0: empty"
    explorer.page.click("#hint")
    explorer.until("document.querySelector('#play-said').textContent.startsWith('Hint: ')")
    hint = explorer.text("#play-said").split()[1].strip(",")
    position = from_record(explorer.position(), COURSE)
    child = play_all(position, parse_moves(hint))
    # The book contains the position after the opponent's reply, so the hint comes from the book.
    assert explorer.do("explorer.app.modes.play.hinted").__len__() == 1
    assert child.ply == 3
    explorer.page.click("#take-back")
    assert from_record(explorer.position(), COURSE) == START


def test_two_people(explorer: Explorer) -> None:
    explorer.page.click("#tab-play")
    explorer.page.check("#who-both")
    explorer.page.click("#start-game")
    explorer.play("2,2 1,1 PASS PASS")
    assert explorer.text("#play-result h3") == "White wins 3.5 : 1."
    explorer.page.click("#review-game")
    assert explorer.page.get_attribute("#tab-review", "aria-selected") == "true"


def test_the_perfect_player_keeps_won_positions(explorer: Explorer) -> None:
    """In positions that the mover wins, the native kernel confirms that the perfect player's move wins."""
    rng, kernel = random.Random(5), Kernel(open_table(64))
    seen = 0
    while seen < 12:
        position = play_all(START, parse_moves("2,2 1,1 2,1"))
        while position.left > rng.choice((10, 12, 13)):
            position = position.play(rng.choice(position.legal_moves()[:-1] or [PASS]))
        if position.is_over or COURSE.winner(kernel.decide(position, 3)) != position.mover:
            continue
        seen += 1
        script = "([p, n]) => explorer.perfect(p, n)"
        move = explorer.do(script, [dict(position._asdict()), 20_000_000])["move"]
        child = position.play(move)
        winner = COURSE.leader(child) if child.is_over else COURSE.winner(kernel.decide(child, 3))
        assert winner == position.mover, (position, move_name(move))


def native_values(moves: list[str]) -> dict[int, int]:
    """Return the exact values after each ply of a game, from ply 10 on."""
    kernel, position, values = Kernel(open_table(64)), START, {}
    for ply, name in enumerate(moves, 1):
        position = play_all(position, parse_moves(name))
        if position.is_over:
            values[ply] = position.black.bit_count() - position.white.bit_count()
        elif ply >= 10:
            value = kernel.value(position).value
            assert value is not None
            values[ply] = value
    return values


def test_the_review_of_a_logged_game(explorer: Explorer) -> None:
    games = read_games(STAFF_GAMES, whole=True)
    moves = next(
        list(game.moves) for game in games if game.reason == "max" and game.moves[0] == "2,2" and game.winner == 2
    )
    explorer.go("#moves=" + ".".join(moves))
    explorer.page.click("#tab-review")
    values = native_values(moves)
    known = f"explorer.app.modes.review.facts.filter((f, i) => i >= 10 && f.lo === f.hi).length === {len(values)}"
    explorer.until(known)
    facts = explorer.do("explorer.app.modes.review.facts.map(f => [f.lo, f.hi])")
    assert {ply: facts[ply][0] for ply in values} == values
    explorer.until("!document.querySelector('#review-summary').textContent.includes('not known')")
    check_turning_point(explorer, moves, facts)
    script = "[...document.querySelectorAll('#mistakes button')].map(b => [+b.dataset.index, b.ariaLabel])"
    mistakes = dict(explorer.do(script))
    for ply in range(11, len(moves) + 1):
        loss = (values[ply - 1] - values[ply]) * (1 if ply % 2 else -1)
        told = mistakes.get(ply - 1, "")
        assert (f"costs {loss} point" in told) == (loss > 0), (ply, told)
    explorer.until(
        "[...document.querySelectorAll('#mistakes .flip button')].every(b => b.ariaLabel.includes(', better: '))"
    )
    explorer.page.click("#mistakes .flip button >> nth=-1")
    assert explorer.moves()
    assert explorer.page.locator("#curve svg").get_attribute("role") == "img"


def check_turning_point(explorer: Explorer, moves: list[str], facts: list[list[int]]) -> None:
    winners = [1 if lo > 2 else 2 for lo, _ in facts]
    flips = [ply for ply in range(1, len(winners)) if winners[ply] != winners[ply - 1]]
    assert flips, "the game should have a turning point, or the test shows nothing"
    ply = flips[-1]
    mover = "Black" if ply % 2 else "White"
    assert f"The turning point was ply {ply}: {mover} plays {moves[ply - 1]}" in explorer.text("#review-summary")


def open_text(explorer: Explorer, text: str) -> None:
    explorer.page.click("#open-button")
    explorer.page.fill("#open-text", text)
    explorer.page.click("#open-dialog button[value=open]")


FORFEITS = [
    (
        ["2,2", "1,1", "2,2"],
        "invalid_occupied",
        2,
        "White wins by a fault at ply 3: Black played 2,2, where there is a stone",
    ),
    (
        ["2,2", "5,0"],
        "invalid_off_board",
        1,
        "Black wins by a fault at ply 2: White played 5,0, which is not on the board",
    ),
    (["2,2"], "timeout", 1, "Black wins by a fault at ply 2: White took too long for its move"),
    (["1,1", "2,2"], "missing", 2, "White wins by a fault at ply 3: Black wrote no move"),
    (["2,2"], "resigned", 1, "Black wins at ply 2: White resigned"),
]


@pytest.mark.parametrize(("moves", "reason", "winner", "words"), FORFEITS, ids=[case[1] for case in FORFEITS])
def test_the_review_of_a_game_lost_by_a_fault_says_so(
    explorer: Explorer, moves: list[str], reason: str, winner: int, words: str
) -> None:
    record = {"black": "a", "white": "b", "moves": moves, "winner": winner, "reason": reason}
    open_text(explorer, json.dumps(record))
    explorer.until("!document.querySelector('#review-summary').textContent.includes('not known')")
    said = explorer.text("#review-summary")
    assert said.startswith(words)
    assert "not finished" not in said
    # Black wins after 2,2, and White wins after 1,1.
    loser = 3 - winner
    was_winning = (loser == 1) == (moves[0] == "2,2")
    name = ("Black", "White")[loser - 1]
    assert (f"That was the turning point: {name} was winning" if was_winning else f"{name} was losing already") in said
    assert explorer.text("#mistakes .fault").startswith(words)
    # After another move it is another game, without the fault.
    explorer.do("explorer.app.setMode('explore')")
    explorer.play("4,4")
    explorer.page.click("#tab-review")
    assert explorer.text("#review-summary").startswith("The game is not finished.")


@pytest.mark.parametrize("moves", [["2,2", "2,2"], ["2,2", "7,7"]])
def test_our_own_sgf_names_the_fault_on_the_page(explorer: Explorer, moves: list[str]) -> None:
    game = play_all_of(moves)
    open_text(explorer, sgf_of(game.record()).decode())
    explorer.until("!document.querySelector('#review-summary').textContent.includes('not known')")
    assert explorer.text("#review-summary").startswith(f"Black wins by a fault at ply 2: White played {moves[1]}, ")


def play_all_of(moves: list[str]) -> Game:
    *_, state = states_of(moves, game=COURSE)
    return Game("a", "b", 0, state, ((), ()), ())


def test_the_review_of_an_sgf_that_ends_by_forfeit_says_so(explorer: Explorer) -> None:
    open_text(explorer, "(;FF[4]GM[1]SZ[5]RE[B+T];B[cc])")
    explorer.until("!document.querySelector('#review-summary').textContent.includes('not known')")
    assert explorer.text("#review-summary") == (
        "Black wins by a fault at ply 2: White took too long for its move. White was losing already (B+0.5)."
    )
