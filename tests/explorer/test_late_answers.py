"""If a worker's answer arrives after the page has turned to something else, nothing changes."""

import random

import pytest

from little_go.book.files.puzzles import SEARCHED_LEFT, read_puzzles
from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position, move_name
from tools.browsing import Explorer

#: A game. Its positions from ply 9 on are not in the book. White moves after an odd number of plies.
GAME = "2,2 1,1 1,2 2,1 3,1 3,2 2,3 1,3 0,2 4,1 4,2 3,3 0,3 0,1 4,3"

#: Make the answers of the workers wait from now on.
HOLD = """() => {
    Object.assign(globalThis, { held: [], holds: true });
    for (const lane of explorer.app.engine.lanes) {
        lane.answered ??= lane.ask;
        lane.ask = async (...question) => {
            const answer = await lane.answered(...question);
            if (holds) await new Promise((resolve) => held.push(resolve));
            return answer;
        };
    }
}"""

#: Let later answers through, while the held answers still wait.
HOLD_NO_MORE = "() => { holds = false; }"

#: Release the held answers, and wait until the page has processed them. A macrotask runs after all pending promises.
RELEASE = """async () => {
    holds = false;
    for (const resolve of held) resolve();
    await new Promise((resolve) => setTimeout(resolve));
}"""


def hold(explorer: Explorer) -> None:
    """Hold the answers of all workers. First wait until all workers are open, because a new one would not be held."""
    explorer.until("explorer.app.engine.lanes.length === explorer.app.engine.wanted")
    explorer.do(HOLD)


def think(explorer: Explorer, plies: int) -> None:
    """Let White think after ``plies`` plies of the game, in a position whose values are known, and hold the answer."""
    explorer.go("#moves=" + ".".join(GAME.split()[:plies]))
    explorer.settle()
    assert explorer.do("explorer.app.facts.bookMove(explorer.app.position)") is None
    explorer.meet("perfect")
    explorer.page.click("#tab-play")
    hold(explorer)
    explorer.page.click("#play-on")
    # On a busy machine an answer about the previous position can be held too.
    explorer.until("held.length > 0 && document.querySelector('#play-said').textContent === 'White is thinking …'")


@pytest.mark.parametrize("plies", [9, 11, 13, 15])
def test_a_reply_is_not_played_after_a_take_back(explorer: Explorer, plies: int) -> None:
    think(explorer, plies)
    explorer.page.click("#take-back")
    explorer.do(RELEASE)
    assert explorer.position()["ply"] == plies - 1
    assert explorer.text("#play-said") == ""
    # It is the user's turn, and the opponent replies to another move as usual.
    explorer.play(GAME.split()[plies - 1])
    explorer.until(f"explorer.app.position.ply === {plies + 1}")


def test_a_reply_is_played_when_it_is_waited_for(explorer: Explorer) -> None:
    think(explorer, 11)
    explorer.do(RELEASE)
    assert explorer.position()["ply"] == 12


def test_a_reply_is_not_played_for_a_person_who_takes_the_colour(explorer: Explorer) -> None:
    think(explorer, 11)
    explorer.page.check("#who-white")
    explorer.do(RELEASE)
    assert explorer.position()["ply"] == 11
    # The user takes White back, so the opponent thinks again.
    explorer.page.check("#who-black")
    explorer.until("explorer.app.position.ply === 12")


def test_a_hint_is_not_shown_after_a_take_back(explorer: Explorer) -> None:
    explorer.go("#moves=" + ".".join(GAME.split()[:12]))
    explorer.settle()
    explorer.meet("perfect")
    explorer.page.click("#tab-play")
    hold(explorer)
    explorer.page.click("#hint")
    explorer.until("held.length === 1")
    explorer.page.click("#take-back")
    explorer.do(RELEASE)
    assert explorer.do("explorer.app.modes.play.hinted") == []
    assert explorer.text("#play-said").startswith("Black needs 3 stones more")


def test_a_puzzle_that_one_has_gone_back_to_stays_on_the_board(explorer: Explorer) -> None:
    explorer.page.click("#tab-puzzles")
    mode, puzzles = "explorer.app.modes.puzzles", read_puzzles()
    explorer.until(f"{mode}.puzzle !== null")
    puzzle = next(each for each in puzzles if 6 < each.position.left <= SEARCHED_LEFT)
    explorer.do(f"number => {mode}._open({mode}.all[number])", puzzles.index(puzzle))
    wrong = next(move for move in puzzle.position.legal_moves() if move != PASS and not puzzle.after(move))
    hold(explorer)
    explorer.play(move_name(wrong))
    explorer.until("held.length > 0")
    explorer.page.click("#back")
    explorer.do(RELEASE)
    explorer.until(f"!{mode}.said.includes('Looking for')")
    assert explorer.text("#puzzle-said").startswith(f"No: {move_name(wrong)} loses.")
    assert explorer.position() == to_record(puzzle.position, COURSE)
    assert explorer.do("explorer.app.playing") is None


def short_games(games: int, seed: int) -> list[tuple[Position, list[int], list[int]]]:
    """Return positions with two plies left, each with a mistake and the ply after it, and with the best moves."""
    rng, kernel = random.Random(seed), Kernel(open_table(16))
    found: list[tuple[Position, list[int], list[int]]] = []
    while len(found) < games:
        position = START
        while position.left > 2 and not position.is_over:
            position = position.play(rng.choice([move for move in position.legal_moves() if move != PASS] or [PASS]))
        if position.is_over:
            continue
        values = {}
        for move in position.legal_moves():
            child = position.play(move)
            values[move] = child.margin if child.is_over else kernel.value(child).value
        best = [move for move, value in values.items() if value == kernel.value(position).value]
        mistakes = [move for move in values if move not in best and not position.play(move).is_over]
        if mistakes:
            move = rng.choice(mistakes)
            found.append((position, [move, position.play(move).legal_moves()[0]], best))
    return found


def test_a_review_says_nothing_of_the_game_before(explorer: Explorer) -> None:
    better = "document.querySelector('#mistakes .instead')?.textContent"
    load = "([start, moves]) => explorer.app.load({ start, moves })"
    games = short_games(12, 3)
    explorer.page.click("#tab-review")
    for (before, moves, _), (position, others, best) in zip(games[::2], games[1::2], strict=True):
        hold(explorer)
        explorer.do(load, [to_record(before, COURSE), moves])
        explorer.until("held.length > 0")
        explorer.do(HOLD_NO_MORE)
        explorer.do(load, [to_record(position, COURSE), others])
        explorer.until(better)
        explorer.do(RELEASE)
        told = explorer.text("#mistakes .instead >> nth=0").removeprefix("! ")
        assert told in map(move_name, best), (position, others)


def test_of_two_things_opened_the_last_one_stays(explorer: Explorer) -> None:
    explorer.do("""() => {
        const read = Blob.prototype.arrayBuffer;
        globalThis.held = [];
        Blob.prototype.arrayBuffer = async function () {
            await new Promise((resolve) => held.push(resolve));
            return read.call(this);
        };
    }""")
    game = {"name": "game.txt", "mimeType": "text/plain", "buffer": b"1,1 2,2 3,3"}
    explorer.page.click("#open-button")
    explorer.page.set_input_files("#open-file", game)
    explorer.until("held.length === 1")
    explorer.page.fill("#open-text", "2,2 1,2")
    explorer.page.click("#open-dialog button[value=open]")
    explorer.until("explorer.app.line.moves.length === 2")
    explorer.do("async () => { held[0](); await new Promise((resolve) => setTimeout(resolve, 100)); }")
    assert explorer.do("explorer.app.line.moves") == [12, 7]
