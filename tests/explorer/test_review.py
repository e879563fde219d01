"""The page's review is equal to ``little-go review --json``, and one tap shows the better move on the board."""

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from little_go.arena.match.host import states_of
from little_go.arena.match.play import Game
from little_go.arena.review.reading import GameToReview, from_record
from little_go.arena.review.review import Evaluator, review
from little_go.arena.standings.game_sgf import sgf_of
from little_go.book.answers.sources import session_sources
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position, move_name, parse_moves, play_all
from tests.explorer.review_vectors import FILE, GAMES, judged
from tests.explorer.vectors import PageModules
from tools.browsing import DESK, ROOT, Explorer
from tools.reading_js import JUDGING_TARGET, judging_module

Open = Callable[..., Explorer]

RENEW = "if the change is meant: python -m tests.explorer.review_vectors"

SCREENS = [
    pytest.param({"viewport": DESK}, id="1280"),
    pytest.param({"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, id="390"),
    pytest.param({"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}, id="320"),
]

#: Paste a text as a user does when no element has the focus.
PASTE = """text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""

SHOWS = "explorer.app.modes.review.shown && explorer.app.modes.review.whyOf(explorer.app.modes.review.shown)"


def test_the_vectors_are_what_python_says() -> None:
    vectors = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    assert len(vectors) == GAMES
    for vector in vectors:
        assert judged(vector) == vector["is"], RENEW


def test_the_pages_judgement_is_made_of_the_present_one() -> None:
    assert (ROOT / JUDGING_TARGET).read_text("utf-8") == judging_module()


def test_the_page_lists_the_mistakes_of_all_vectors(page_modules: PageModules) -> None:
    vectors = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    mistakes = [mistake for vector in vectors for mistake in vector["is"]["mistakes"]]
    assert {mistake["exact"] for mistake in mistakes} == {True, False}
    assert {mistake["decisive"] for mistake in mistakes} == {True, False}
    assert "PASS" in {mistake["move"] for mistake in mistakes} & {mistake["best_move"] for mistake in mistakes}
    assert page_modules.differences("reviewed", vectors) == []


#: Best play. If a game begins with these moves, its mistakes come late and are cheap to explain.
OPENING = "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3"


@cache
def lost_games(count: int, seed: int) -> list[Game]:
    """Return games between two weak players. They capture stones if they can, and play at random otherwise."""
    rng, found = random.Random(seed), list[Game]()
    while len(found) < count:
        moves, position = OPENING.split(), play_all(START, parse_moves(OPENING))
        while not position.is_over:
            move = chosen(position, rng)
            moves.append(move_name(move))
            position = position.play(move)
        *_, state = states_of(moves, game=COURSE)
        found.append(Game("my_player3", "aggressive", len(found), state, ((), ()), ()))
    return found


def chosen(position: Position, rng: random.Random) -> int:
    """Return a random move of a weak player: a capture if there is one, otherwise any stone."""
    moves = [move for move in position.legal_moves() if move != PASS] or [PASS]
    taking = [move for move in moves if move != PASS and takes(position, move)]
    return rng.choice(taking or moves)


def takes(position: Position, move: int) -> bool:
    theirs = position.white if position.black_to_move else position.black
    after = position.play(move)
    return (after.white if position.black_to_move else after.black) != theirs


#: The fields of the command line's review that the page has too.
FIELDS = ("mistakes", "turning_point")


def told(games: list[Game]) -> list[Any]:
    """Return the command line's reviews of games: mistakes and turning point. All values are exact."""
    evaluator = Evaluator(session_sources(None))
    found = [review(GameToReview("g", "a", "b", game.state), evaluator).record() for game in games]
    return [{name: each[name] for name in FIELDS} for each in found]


@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.long)])
def test_page_and_command_line_say_the_same(explorer: Explorer, count: int) -> None:
    games = lost_games(count, 4)
    for game, wanted in zip(games, told(games), strict=True):
        explorer.go(f"#moves={'.'.join(game.state.moves)}&mode=review")
        explorer.until(
            "explorer.app.modes.review.record.mistakes.every(({why}) => why)"
            " && !explorer.app.modes.review.search.isRunning"
        )
        assert explorer.do("explorer.app.modes.review.record") == wanted, game.state.moves


@pytest.mark.parametrize(
    ("more", "reason", "winner", "ply"),
    [("2,2", "invalid_occupied", "White", 13), ("", "resigned", "White", 13), ("4,4 4,3", "resigned", "White", 13)],
    ids=["a fault", "a won game is resigned", "a lost game is resigned"],
)
def test_a_fault_is_the_turning_point_as_in_the_command(
    explorer: Explorer, more: str, reason: str, winner: str, ply: int
) -> None:
    moves = [*OPENING.split(), *more.split()]
    record = {"black": "a", "white": "b", "moves": moves, "winner": winner, "reason": reason}
    explorer.do(PASTE, json.dumps(record))
    explorer.until("explorer.app.state.mode === 'review' && !explorer.app.modes.review.search.isRunning")
    wanted = review(from_record("g", record), Evaluator(session_sources(None))).record()
    assert wanted["turning_point"] == ply
    assert explorer.do("explorer.app.modes.review.record") == {name: wanted[name] for name in FIELDS}
    said = explorer.text("#review-summary")
    assert ("That was the turning point" in said) == (more != "4,4 4,3")
    assert ("The turning point was ply 13" in said) == (more == "4,4 4,3")


def forms(game: Game) -> list[str]:
    """Return a game in three forms: as a line of a log, as moves, and as SGF."""
    record = game.record()
    return [json.dumps(record), " ".join(game.state.moves), sgf_of(record).decode()]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.long)])
def test_one_tap_after_a_paste_the_better_move_is_drawn(opened: Open, screen: dict[str, Any], count: int) -> None:
    explorer = opened(**screen)
    for number, game in enumerate(lost_games(count, 71)):
        explorer.go("")
        explorer.do(PASTE, forms(game)[number % 3])
        explorer.until("!document.querySelector('#mistake-show').disabled")
        press(explorer, "#mistake-show")
        explorer.until(SHOWS)
        check_the_mistake_is_drawn(explorer)
        check_all_is_in_sight(explorer)


def press(explorer: Explorer, selector: str) -> None:
    """Tap on an element without scrolling. Fail if the element is not in view."""
    box = explorer.do(
        "id => { const b = document.querySelector(id).getBoundingClientRect();"
        " return [b.left, b.top, b.width, b.height, innerWidth, innerHeight]; }",
        selector,
    )
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    assert 0 <= x <= box[4], selector
    assert 0 <= y <= box[5], selector
    explorer.page.mouse.click(x, y)


def check_the_mistake_is_drawn(explorer: Explorer) -> None:
    """The board shows the position before the mistake and both moves, and highlights the points of the reason."""
    drawn = explorer.do(
        "((review) => [review.shown.index, review.shown.move, review.whyOf(review.shown).better[0]])"
        "(explorer.app.modes.review)"
    )
    assert explorer.do("explorer.app.line.at") == drawn[0]
    view = explorer.do(
        "(({marks, named}) => [[...marks].map(([at, {move}]) => [at, move]), [...named]])(explorer.app._view())"
    )
    assert dict(view[0])[drawn[2]] == "!"
    assert dict(view[0])[drawn[1]] in ("?!", "??")
    svg = explorer.page.inner_html("#board .drawing")
    assert svg.count(">!<") + svg.count(">PASS !<") == 1
    named = explorer.do(
        "Object.values(explorer.app.modes.review.record.mistakes"
        ".find(({ply}) => ply === explorer.app.position.ply + 1).named).flat()"
    )
    assert {move_name(point) for point in view[1]} == set(named)
    assert svg.count("var(--lit)") == len(set(named))
    words = explorer.text("#mistake-deed") + explorer.text("#mistake-why")
    assert "costs" in words
    assert f"Better: {move_name(drawn[2])}." in words


def check_all_is_in_sight(explorer: Explorer) -> None:
    """The board, the buttons, the mistake and the first line of its reason are in view without scrolling."""
    assert explorer.do("scrollY") == 0
    for name in ("board", "mistake-back", "mistake-next", "mistake-deed"):
        top, bottom, height = explorer.do(
            "id => { const b = document.getElementById(id).getBoundingClientRect();"
            " return [b.top, b.bottom, innerHeight]; }",
            name,
        )
        assert 0 <= top < bottom <= height, name


@pytest.mark.parametrize("screen", SCREENS)
def test_each_mistake_of_the_list_comes_into_sight(opened: Open, screen: dict[str, Any]) -> None:
    (game,) = lost_games(1, 5)
    explorer = opened(f"#moves={'.'.join(game.state.moves)}&mode=review", **screen)
    explorer.until("!explorer.app.modes.review.search.isRunning")
    for row in explorer.page.query_selector_all("#mistakes .mistake button"):
        row.scroll_into_view_if_needed()
        row.click()
        explorer.until(SHOWS)
        check_the_mistake_is_drawn(explorer)
        if screen["viewport"] != DESK:
            check_all_is_in_sight(explorer)
    number = explorer.do("explorer.app.modes.review.mistakes.length")
    assert explorer.text("#review-title") == f"Mistake {number} of {number}"
    press(explorer, "#mistake-back")
    assert explorer.text("#review-title") == f"Mistake {number - 1} of {number}"


def test_no_row_moves_under_the_pointer(explorer: Explorer) -> None:
    (game,) = lost_games(1, 6)
    watch = """() => {
        const seen = window.seen = new Map();
        const look = () => {
            for (const row of document.querySelectorAll("#mistakes button")) {
                const top = row.getBoundingClientRect().top + scrollY;
                const had = seen.get(row.dataset.index) ?? [];
                if (!had.includes(top)) seen.set(row.dataset.index, [...had, top]);
            }
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }"""
    explorer.do(PASTE, " ".join(game.state.moves))
    explorer.until("document.querySelectorAll('#mistakes button').length === 24")
    explorer.do(watch)
    explorer.until("!explorer.app.modes.review.search.isRunning")
    for row in explorer.page.query_selector_all("#mistakes .mistake button"):
        row.click()
        explorer.until(SHOWS)
    tops = explorer.do("[...window.seen.values()]")
    assert len(tops) == 24
    assert [len(each) for each in tops] == [1] * 24, tops


def test_both_lines_are_stepped_through(explorer: Explorer) -> None:
    (game,) = lost_games(1, 8)
    explorer.do(PASTE, " ".join(game.state.moves))
    explorer.until("!document.querySelector('#mistake-show').disabled")
    explorer.page.click("#mistake-show")
    explorer.until(SHOWS)
    index = explorer.do("explorer.app.line.at")
    record = explorer.do("explorer.app.modes.review.record.mistakes.find(({ply}) => ply === explorer.app.line.at + 1)")
    for button, moves in (("better", record["pv"]), ("worse", [record["move"], *record["answer"]])):
        explorer.page.click(f"#mistake-{button}")
        for ply, _ in enumerate(moves, index + 1):
            assert explorer.text("#review-title") == f"Best play, ply {ply}"
            if ply < index + len(moves):
                explorer.page.click("#mistake-next")
        shown = explorer.do("explorer.app.line.moves.slice(0, explorer.app.line.at)")
        assert list(map(move_name, shown)) == [*game.state.moves[:index], *moves]
        assert not explorer.is_enabled("#mistake-next")
        explorer.page.click("#mistake-home")
        assert explorer.do("explorer.app.line.at") == index
        assert explorer.do("explorer.app.line.moves.length") == len(game.state.moves)


TRIED = f"#moves={OPENING.replace(' ', '.')}.4,4.4,3.4,1.PASS&mode=review"

#: Actions that end the second attempt at a mistake.
ENDS = {
    "new": lambda explorer: explorer.page.click("#new"),
    "a shorter game": lambda explorer: explorer.do(PASTE, "2,2"),
    "another game": lambda explorer: explorer.do(PASTE, "1,2 2,2 3,3 1,1"),
    "a position": lambda explorer: explorer.do(
        "explorer.app.load({start: explorer.app.rules.play(explorer.app.position, 0), moves: []})"
    ),
    "another place": lambda explorer: explorer.page.click("#forward"),
    "a mode": lambda explorer: explorer.page.click("#tab-explore"),
    "a link": lambda explorer: explorer.do("location.hash = 'moves=2,2'"),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_mistake_that_is_tried_again_ends_with_its_game(explorer: Explorer, end: str) -> None:
    explorer.go(TRIED)
    explorer.until("!explorer.app.modes.review.search.isRunning")
    explorer.page.click("#try-mistakes")
    assert "was played. Find a better move." in explorer.text("#turn")
    ENDS[end](explorer)
    explorer.until("explorer.app.state.trying === null")
    assert "was played" not in explorer.text("body")
    assert "NaN" not in explorer.text("body")
    before = explorer.do("explorer.app.line.at")
    explorer.play("1,4")
    assert explorer.do("explorer.app.line.at") == before + 1


def test_names_and_signs_are_shown(explorer: Explorer) -> None:
    (game,) = lost_games(1, 9)
    explorer.do(PASTE, forms(game)[0])
    explorer.until("!explorer.app.modes.review.search.isRunning")
    assert explorer.text("#review-names") == "my_player3 (Black), aggressive (White)"
    signs = explorer.do(
        "[...document.querySelectorAll('#line button')].map((button) => getComputedStyle(button, '::after').content)"
    )
    mistakes = {each["ply"]: each for each in explorer.do("explorer.app.modes.review.record.mistakes")}
    assert {each["decisive"] for each in mistakes.values()} == {True, False}
    wanted = ["" if ply not in mistakes else "??" if mistakes[ply]["decisive"] else "?!" for ply in range(1, 25)]
    assert [sign.removeprefix("none").strip('"') for sign in signs] == wanted
    explorer.page.click("#tab-explore")
    assert explorer.do("document.querySelectorAll('#line [data-sign]').length") == 0
