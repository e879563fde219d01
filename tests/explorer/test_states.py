"""Addresses, the browser's history, undo, variations with comments and marks, and tables."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from sgfmill import sgf

from little_go.book.answers.reasons import open_oracle
from little_go.book.answers.report import SHARED_COLUMNS
from little_go.book.commands.query import query_command
from little_go.notation.record import from_record, read_link, start_text, to_record
from little_go.solver.family import COURSE
from little_go.solver.position import (
    BY_KO,
    KOMI,
    OCCUPIED,
    START,
    SUICIDE,
    Position,
    move_name,
    parse_move,
    parse_moves,
    play_all,
)
from tools.browsing import PHONE, ROOT, Explorer

pytestmark = pytest.mark.early

Open = Callable[..., Explorer]


def after(moves: str) -> Position:
    return play_all(START, parse_moves(moves))


def address(explorer: Explorer) -> str:
    return str(explorer.do("location.hash"))


def paste(explorer: Explorer, text: str) -> None:
    explorer.page.click("#open-button")
    explorer.page.fill("#open-text", text)
    explorer.page.click("#open-dialog button.primary")


def leave_by_history(explorer: Explorer, steps: int) -> None:
    """Go back or forward in the browser's history, and wait until the page shows the state."""
    before = address(explorer)
    explorer.do("n => history.go(n)", steps)
    explorer.until(f"location.hash !== {json.dumps(before)} && !explorer.app.scheduled")


def pasted_and_back(explorer: Explorer) -> None:
    paste(explorer, "2,2 1,1 2,1")
    explorer.page.click("#back")


def second_board(explorer: Explorer) -> None:
    explorer.page.click("#door-learn")
    explorer.page.click("#learn-next")


def two_people(explorer: Explorer) -> None:
    explorer.page.check("#who-both")
    explorer.play("1,1 2,2")


#: By place: its tab, an action there, and the moves on the board afterwards, or None if they are not a game.
PLACES: dict[str, tuple[str | None, Callable[[Explorer], None], str | None]] = {
    "position": (None, lambda explorer: explorer.play("2,2 1,1"), "2,2 1,1"),
    "tour": ("tour", lambda explorer: explorer.page.click("#tour-next"), "2,2"),
    "learn": (None, second_board, None),
    "review": ("review", pasted_and_back, "2,2 1,1"),
    "play": ("play", two_people, "1,1 2,2"),
}


@pytest.mark.parametrize("place", PLACES)
def test_every_place_is_an_address(explorer: Explorer, opened: Open, place: str) -> None:
    tab, go, moves = PLACES[place]
    if tab:
        explorer.page.click(f"#tab-{tab}")
    go(explorer)
    explorer.until("!explorer.app.scheduled")
    mode, shown = explorer.do("explorer.app.state.mode"), explorer.position()
    if moves is not None:
        assert from_record(shown, COURSE) == after(moves)
    # The reader of links in Python reads the position of every address.
    assert read_link(f"explorer.html{address(explorer)}", COURSE).position == from_record(shown, COURSE)
    other = opened(address(explorer))
    assert (other.do("explorer.app.state.mode"), other.position()) == (mode, shown)
    assert address(other) == address(explorer)


def test_the_settings_of_a_game_are_in_its_address(explorer: Explorer, opened: Open) -> None:
    explorer.page.click("#tab-play")
    explorer.page.select_option("#opponent", "alphabeta")
    explorer.page.check("#who-white")
    explorer.until("explorer.app.position.ply === 1")
    other = opened(address(explorer))
    assert other.page.input_value("#opponent") == "alphabeta"
    assert other.page.is_checked("#who-white")
    assert from_record(other.position(), COURSE) == after("2,2")


def test_a_puzzle_is_an_address_and_not_its_solution(explorer: Explorer, opened: Open) -> None:
    explorer.page.click("#tab-puzzles")
    explorer.until("explorer.app.modes.puzzles.puzzle !== null")
    explorer.page.click("#puzzle-next")
    start, number = explorer.position(), explorer.text("#puzzle-number")
    before = address(explorer)
    explorer.page.click("#puzzle-answer")
    explorer.until("explorer.app.line.moves.length > 0")
    assert address(explorer) == before
    other = opened(before)
    other.until("explorer.app.modes.puzzles.puzzle !== null")
    assert (other.position(), other.text("#puzzle-number")) == (start, number)


def test_back_and_forward_walk_through_what_one_did(explorer: Explorer) -> None:
    explorer.play("2,2 1,1")
    explorer.page.click("#tab-tour")
    explorer.page.click("#tour-next")
    leave_by_history(explorer, -1)
    assert explorer.do("explorer.app.state.tour") == 0
    leave_by_history(explorer, -1)
    assert explorer.do("explorer.app.state.mode") == "explore"
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1")
    leave_by_history(explorer, -1)
    assert from_record(explorer.position(), COURSE) == after("2,2")
    # Going back in the history loses no moves.
    explorer.page.click("#forward")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1")
    explorer.page.reload()
    explorer.page.wait_for_selector("html[data-ready]")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1")


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ("#mode=nothing", "mode: “nothing” is none of explore, play"),
        ("#mode=play&against=nobody", "against: “nobody” is none of random, greedy"),
        ("#mode=puzzles&board=1e9", "a link to puzzles: “board” is none of moves, from"),
        ("#moves=2,2&sise=white", "the link's part “sise” is not known"),
        ("#mode=play&side=green", "side: “green” is none of black, white"),
        ("#mode=tour&board=1000", "board: “1000” is none of"),
        ("#mode=learn&board=0", "board: “0” is none of 5 boards"),
        ("#moves=2,2&at=1.5", "at: “1.5” is not a place in a line of 1 moves"),
        ("#moves=%E0%A4%A", "the link is cut within an escape"),
        ("#beside=nothing", "beside: not a position: give 25 of the signs _ X O"),
        ("#mode=tour&board=", "board: “” is none of"),
        ("#mode=edit&draft=XO", "draft: not a position: give 25 of the signs _ X O"),
        ("#from=_________________________.25.-.-", "ply 25 is not within"),
        ("#from=____________X____________.1.99.-", "the ko point 99"),
        ("#moves=2,2.1", "a number alone is not a point"),
        ("#moves=2,2.1,1&at=-1", "at: “-1” is not a place in a line of 2 moves"),
        ("#moves=PASS.2,2", "the game is over"),
        ("#nothing=2,2", "names no position"),
        ("#moves=2,2&at=", "at: “” is not a place"),
        ("#moves=" + "9" * 3000, "is not a move"),
    ],
)
def test_a_bad_address_is_one_message(opened: Open, fragment: str, words: str) -> None:
    explorer = opened(fragment)
    assert explorer.text("#message").startswith("The link does not work: ")
    assert words in explorer.text("#message")
    explorer.play("2,2")
    assert from_record(explorer.position(), COURSE) == after("2,2")


@pytest.mark.parametrize("slip", ["n", "paste", "edit"])
def test_no_slip_destroys_a_line(explorer: Explorer, slip: str) -> None:
    explorer.play("2,2 1,1 2,1")
    if slip == "n":
        explorer.page.keyboard.press("n")
    elif slip == "paste":
        paste(explorer, "0,0")
    else:
        explorer.page.keyboard.press("e")
        explorer.page.click("#edit-clear")
        explorer.play("4,4")
        explorer.page.click("#edit-done")
    assert from_record(explorer.position(), COURSE) != after("2,2 1,1 2,1")
    explorer.page.keyboard.press("Control+z")
    while explorer.do("explorer.app.state.mode") == "edit":
        explorer.page.keyboard.press("Control+z")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1 2,1")
    explorer.page.keyboard.press("Control+y")
    explorer.page.click("#undo")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1 2,1")


def test_exploring_an_unchanged_position_keeps_its_moves(explorer: Explorer) -> None:
    explorer.play("2,2 1,1")
    explorer.page.click("#edit")
    explorer.page.click("#edit-done")
    assert explorer.text("#line").split() == ["2,2", "1,1"]


def tree_of(explorer: Explorer) -> list[str]:
    explorer.until("!explorer.app.scheduled")
    return [
        " ".join(row.split())
        for row in explorer.do("[...document.querySelectorAll('#tree .go')].map((b) => b.textContent)")
    ]


def test_another_move_makes_a_branch(explorer: Explorer) -> None:
    explorer.play("2,2 1,1 2,1")
    explorer.page.click("#back")
    explorer.play("1,2 2,1")
    explorer.page.click("#variations summary")
    assert tree_of(explorer) == ["Main line: 2,2 1,1 2,1", "Ply 3, Black: 1,2 2,1"]
    explorer.page.fill("#branch-name", "the other side")
    explorer.page.keyboard.press("Tab")
    explorer.until("!explorer.app.scheduled")
    assert tree_of(explorer)[1] == "the other side: 1,2 2,1"
    explorer.page.click("#tree button[aria-label^='Fold']")
    assert tree_of(explorer)[1] == "the other side: 1,2 …"
    explorer.page.click("#tree button[aria-label^='Make it the main line']")
    assert tree_of(explorer) == ["Main line: 2,2 1,1 1,2 2,1", "Ply 3, Black: 2,1"]
    explorer.page.click("#tree button[aria-label^='Delete']")
    assert explorer.do("explorer.app.state.game.root.children[0].children[0].children.length") == 1
    explorer.page.keyboard.press("Control+z")
    assert tree_of(explorer) == ["Main line: 2,2 1,1 1,2 2,1", "Ply 3, Black: 2,1"]
    explorer.page.click("#tree li:nth-child(2) .go")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1 2,1")


def test_sgf_keeps_variations_comments_and_marks(explorer: Explorer, opened: Open) -> None:
    explorer.play("2,2 1,1 2,1")
    explorer.page.click("#back")
    explorer.play("1,2")
    explorer.page.click("#variations summary")
    explorer.page.fill("#note", "Is it as good?\nYes [or no].")
    for tool, points in (("letter", "0,0 0,1"), ("triangle", "2,2"), ("arrow", "4,4 3,3")):
        explorer.page.click(f"[data-tool={tool}]")
        explorer.play(points)
    explorer.page.click("[data-tool=arrow]")
    explorer.page.click("#share-button")
    text = explorer.page.input_value("#share-sgf")
    node = sgf.Sgf_game.from_string(text).get_root()[0][0][1]
    assert node.get_move() == ("b", (3, 2))
    assert node.get("C").startswith("Is it as good?\nYes [or no].\n")
    assert node.get("LB") == [((4, 0), "A"), ((4, 1), "B")]
    assert node.get("TR") == {(2, 2)}
    assert node.get("AR") == [((0, 4), (1, 3))]
    other = opened()
    paste(other, text)
    # The order of the marks does not matter.
    sort = "const sorted = (node) => ({ ...node, marks: node.marks?.toSorted((a, b) => a.point - b.point), "
    script = f"() => {{ {sort} children: node.children.map(sorted) }}); return sorted(explorer.app.state.game.root); }}"
    trees = [page.do(script) for page in (explorer, other)]
    assert trees[0] == trees[1]


def test_points_are_named_as_one_likes(explorer: Explorer) -> None:
    explorer.play("2,2 1,1")
    explorer.page.click("#help-button")
    explorer.page.check("#letter-names")
    explorer.page.keyboard.press("Escape")
    assert explorer.text("#line").split() == ["C3", "B4"]
    assert explorer.page.get_attribute('[data-point="0,4"]', "aria-label").startswith("E5: ")
    explorer.play("2,2")
    assert explorer.text("#message") == f"Illegal: C3 is {OCCUPIED}."
    assert "2,2" in address(explorer)
    explorer.page.reload()
    explorer.page.wait_for_selector("html[data-ready]")
    assert explorer.text("#line").split() == ["C3", "B4"]


def test_letters_are_no_keys_when_one_says_so(explorer: Explorer) -> None:
    explorer.play("2,2")
    explorer.page.click("#help-button")
    explorer.page.uncheck("#letter-keys")
    explorer.page.keyboard.press("Escape")
    for key in "p", "n", "2":
        explorer.page.keyboard.press(key)
    assert from_record(explorer.position(), COURSE) == after("2,2")
    assert explorer.do("explorer.app.state.mode") == "explore"
    explorer.page.keyboard.press("ArrowLeft")
    assert explorer.position() == to_record(START, COURSE)


def test_tabs_answer_to_arrows(explorer: Explorer) -> None:
    explorer.page.focus("#tab-explore")
    explorer.page.keyboard.press("ArrowLeft")
    assert explorer.do("explorer.app.state.mode") == "puzzles"
    explorer.page.keyboard.press("Home")
    explorer.page.keyboard.press("ArrowRight")
    assert explorer.do("[explorer.app.state.mode, document.activeElement.id]") == ["play", "tab-play"]
    assert explorer.do("[...document.querySelectorAll('[role=tab]')].filter((tab) => tab.tabIndex === 0).length") == 1


def defined_fields() -> set[str]:
    """Return the names that docs/reference/FIELDS.md defines."""
    return set(re.findall(r"`(\w+)`", (ROOT / "docs" / "reference" / "FIELDS.md").read_text("utf-8")))


def test_the_table_of_all_moves_is_taken_along(explorer: Explorer) -> None:
    explorer.go("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0")
    explorer.settle()
    explorer.page.click("#moves-csv")
    rows = list(csv.DictReader(io.StringIO(explorer.page.input_value("#take-area"))))
    shown = explorer.moves()
    assert sum(1 + len(row["alike"].split()) for row in rows) == len(shown)
    for row in rows:
        assert (int(row["lo"]), int(row["hi"])) == shown[row["move"]]
        assert row["value"] == row["lo"]
    assert rows[0]["lost_most"] == "0"
    assert set(rows[0]) <= defined_fields()
    # The table of the command has the same rows. Compare the columns that both tables have.
    asked = CliRunner().invoke(query_command, ["2,2 1,1 2,1 1,2 2,3 1,3 3,2 0,0", "--csv", "--table", "16MiB"])
    theirs = {row["move"]: row for row in csv.DictReader(io.StringIO(asked.stdout))}
    assert tuple(rows[0])[: len(SHARED_COLUMNS)] == SHARED_COLUMNS
    assert {row["move"] for row in rows} == set(theirs)
    for row in rows:
        assert {name: row[name] for name in SHARED_COLUMNS} == {
            name: theirs[row["move"]][name] for name in SHARED_COLUMNS
        }
    explorer.page.click("#moves-json")
    told: list[dict[str, Any]] = json.loads(explorer.page.input_value("#take-area"))
    assert [str(row["move"]) for row in told] == [row["move"] for row in rows]
    explorer.page.click("#tab-review")
    explorer.until("document.querySelector('#review-status').textContent.startsWith('Every position is exact')")
    explorer.page.click("#plies-csv")
    plies = list(csv.DictReader(io.StringIO(explorer.page.input_value("#take-area"))))
    assert [row["move"] for row in plies] == ["2,2", "1,1", "2,1", "1,2", "2,3", "1,3", "3,2", "0,0"]
    facts = explorer.do("explorer.app.modes.review.facts.map((fact) => fact.lo)")
    assert [int(row["value"]) for row in plies] == facts[1:]


def test_two_positions_side_by_side(explorer: Explorer, opened: Open) -> None:
    explorer.go("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0")
    explorer.page.click("#beside-keep")
    assert explorer.text("#beside-stones").startswith("This position is kept. Go to another position")
    explorer.page.click("#back")
    assert "1 white stone less (0,0)" in explorer.text("#beside-stones")
    other = opened(address(explorer))
    other.until("document.querySelector('#beside-stones').textContent.includes('1 white stone less (0,0)')")
    other.page.click("#beside-swap")
    assert "1 white stone more (0,0)" in other.text("#beside-stones")
    other.page.click("#beside-close")
    other.until("!explorer.app.scheduled")
    assert not other.page.is_visible("#beside")


#: Two late positions at the same ply, which differ in two stones of each side.
LATE = "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3"
PAIR = [f"{LATE} 1,3 3,3", f"{LATE} 4,4 4,3"]


def results_of_moves(position: Position) -> dict[str, str]:
    oracle = open_oracle()
    values = {move_name(move): oracle.value(position.play(move)) for move in position.legal_moves()}
    return {name: f"B+{value - KOMI}" if value > KOMI else f"W+{KOMI - value}" for name, value in values.items()}


@pytest.mark.parametrize("width", [1280, 320])
def test_what_differs_in_two_positions_is_shown(opened: Open, width: int) -> None:
    kept, here = (play_all(START, parse_moves(moves)) for moves in PAIR)
    explorer = opened(
        f"#moves={PAIR[1].replace(' ', '.')}&beside={start_text(kept, COURSE)}",
        viewport={"width": width, "height": 860},
    )
    explorer.until("document.querySelector('#beside-same').textContent.includes('same')")
    explorer.until("!document.querySelector('#beside-same').textContent.includes('not known')")
    rows = explorer.do("[...document.querySelectorAll('#beside-moves tr')].map((row) => row.innerText.split('\t'))")
    values = [results_of_moves(position) for position in (kept, here)]
    names = {*values[0], *values[1]}
    pairs = {name: tuple(each.get(name, "illegal") for each in values) for name in names}
    differing = [name for name in names if pairs[name][0] != pairs[name][1]]
    assert len({pairs[name] for name in differing}) == len(rows) < len(differing) < len(names)
    assert {name: (one, other) for one, other, moves in rows for name in moves.split()} == {
        name: pairs[name] for name in differing
    }
    framed = explorer.do("[...explorer.app.beside.framed].length")
    assert framed == 4
    for board in ("#board", "#beside-board"):
        assert explorer.page.inner_html(board).count('stroke="var(--lit)"') == framed
    assert explorer.do("document.querySelector('#beside-board').clientWidth") > 0.8 * min(width, 500)


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        ("_________________________.23.-.-", "Not proved reachable: "),
        ("_________________________.1.-.P", "No game reaches it: a PASS on the first ply ends the game"),
        ("_________________________.3.-.-", "No game reaches it: no 3 plies lead to it"),
        ("____________X____________.3.-.P", "No game reaches it"),
        ("____________X____________.2.-.P", "A possible position; Black moves."),
        ("XO_______________________.10.-.-", "Not proved reachable: "),
        ("XXXX_OOO_________________.10.-.-", "A possible position; Black moves."),
    ],
)
def test_what_edit_makes_may_not_be_reachable(opened: Open, draft: str, said: str) -> None:
    explorer = opened(f"#mode=edit&draft={draft}")
    assert explorer.text("#edit-fault").startswith(said)


def test_the_mistakes_are_tried_again(explorer: Explorer) -> None:
    explorer.go("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0")
    explorer.page.click("#tab-review")
    explorer.until("!explorer.app.modes.review.search.isRunning")
    explorer.page.select_option("#try-side", "0")
    explorer.page.click("#try-mistakes")
    asked = explorer.text("#turn")
    assert asked.startswith("Black to move: ")
    assert not explorer.is_visible("#mistakes")
    played = asked.split(": ")[1].split()[0]
    explorer.play(played)
    explorer.until("!document.querySelector('#try-said').textContent.includes('Looking')")
    assert f"{played} is the move that was played" in explorer.text("#try-said")
    position = from_record(explorer.position(), COURSE)
    told = {move: explorer.answer(position.play(move))["value"] for move in position.legal_moves()}
    best = max(told, key=lambda move: told[move])
    worse = next(move for move in told if told[move] < told[best] and move != parse_move(played))
    explorer.do("move => explorer.app.mode.onPoint(move)", worse)
    explorer.until("document.querySelector('#try-said').textContent.includes('Try again')")
    explorer.do("move => explorer.app.mode.onPoint(move)", best)
    explorer.until("document.querySelector('#try-said').textContent.includes('Right: ')")


def test_two_tabs_keep_each_others_progress(browser: Any) -> None:
    context = browser.new_context(offline=True)
    one, other = Explorer(context), Explorer(context)
    for explorer in (one, other):
        explorer.page.click("#tab-puzzles")
        explorer.until("explorer.app.modes.puzzles.puzzle !== null")
    for explorer in (one, other):
        explorer.do("explorer.app.modes.puzzles.onPoint(explorer.app.modes.puzzles.puzzle.answers[0])")
        explorer.page.click("#puzzle-next")
    other.do("explorer.app.modes.puzzles.onPoint(explorer.app.modes.puzzles.puzzle.answers[0])")
    again = Explorer(context)
    again.page.click("#tab-puzzles")
    again.until("explorer.app.modes.puzzles.puzzle !== null")
    assert again.text("#puzzle-score").startswith("2 of 360 puzzles solved")
    context.close()


def test_the_first_screen_has_a_door_for_each_wish(explorer: Explorer) -> None:
    words = explorer.text("#welcome")
    assert "plies" not in words + explorer.text("#turn") + explorer.text("header")
    explorer.page.click("#door-review")
    explorer.page.fill("#open-text", "2,2 1,1 3,3")
    explorer.page.click("#open-dialog button[value=open]")
    explorer.until("explorer.app.state.mode === 'review'")
    explorer.go("")
    explorer.page.click("#door-explore")
    assert not explorer.is_visible("#welcome")
    explorer.go("")
    doors = (("learn", "learn"), ("play", "play"), ("look", "tour"), ("puzzles", "puzzles"))
    for door, mode in doors:
        explorer.page.click(f"#door-{door}")
        assert explorer.do("explorer.app.state.mode") == mode
        explorer.go("")
    explorer.play("2,2")
    assert not explorer.is_visible("#welcome")


def test_the_rules_are_learnt_on_five_boards(explorer: Explorer) -> None:
    explorer.page.click("#door-learn")
    explorer.play("0,0")
    assert explorer.text("#message").startswith("Then White plays 3,2")
    assert explorer.position()["ply"] == 6
    taken = []
    for board, moves in enumerate(["3,2", "3,2", "4,4", "4,0 2,2", "PASS"]):
        assert explorer.text("#learn-count") == f"The rules, board {board + 1} of 5"
        if board == 2:
            explorer.play("0,0")
            assert explorer.text("#message") == f"Not allowed: 0,0 is {SUICIDE}."
        if board == 3:
            explorer.play("2,2")
            assert explorer.text("#message") == f"Not allowed: 2,2 is {BY_KO}."
        for move in moves.split():
            before = from_record(explorer.position(), COURSE)
            explorer.play(move)
            explorer.until("!explorer.app.scheduled")
            now = from_record(explorer.position(), COURSE)
            taken.append(before.white.bit_count() - now.white.bit_count())
        assert explorer.text("#learn-said")
        explorer.page.click("#learn-next")
    # The number of white stones falls by these numbers. White's reply adds a stone, which counts as -1. The first move
    # and the PASS capture nothing.
    assert taken == [0, 2, 1, -1, 1, 0]
    # The button after the last board begins a game.
    assert explorer.do("explorer.app.state.mode") == "play"
    assert explorer.page.input_value("#opponent") == "greedy"


def test_a_phone_on_its_side_shows_whose_turn_it_is(opened: Open) -> None:
    viewport = {"width": 740, "height": 360}
    explorer = opened("#moves=2,2", viewport=viewport, has_touch=True, is_mobile=True)
    for selector in ("#board", "#turn", "#pass", "#back"):
        box = explorer.page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 360, selector
        assert box["x"] + box["width"] <= 740, selector


@pytest.mark.parametrize("viewport", [{"width": 720, "height": 450}, {"width": 360, "height": 225}], ids=["200", "400"])
def test_nothing_is_covered_when_the_page_is_zoomed(opened: Open, viewport: dict[str, int]) -> None:
    explorer = opened("#moves=2,2.1,1", viewport=viewport)
    for tab in ("explore", "play", "review", "tour", "puzzles"):
        explorer.page.click(f"#tab-{tab}")
        explorer.until("!explorer.app.scheduled")
        assert explorer.do("document.documentElement.scrollWidth") <= viewport["width"], tab
        covered = """() => {
            const boxes = [...document.querySelectorAll("#turn, #board, .controls, #line, .side > *, #panel > *")]
                .filter((element) => element.checkVisibility() && element.id !== "panel")
                .map((element) => [element.id || element.className, element.getBoundingClientRect()]);
            const before = (a, b, from, to) => a[from] < b[to] - 1 && b[from] < a[to] - 1;
            const meet = (a, b) => before(a, b, "left", "right") && before(a, b, "top", "bottom");
            return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
                .filter(([, b]) => meet(a, b))
                .map(([other]) => `${name} and ${other}`));
        }"""
        assert explorer.do(covered) == [], tab


def test_a_long_press_shows_the_line_of_a_move(opened: Open) -> None:
    explorer = opened("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4", viewport=PHONE, has_touch=True, is_mobile=True)
    explorer.settle()
    before = explorer.position()
    press = """([name, millis]) => new Promise((resolve) => {
        const button = document.querySelector(`[data-point="${name}"]`);
        const event = (type) => button.dispatchEvent(new PointerEvent(type, { pointerType: "touch", bubbles: true }));
        event("pointerdown");
        setTimeout(() => { event("pointerup"); button.click(); resolve(); }, millis);
    })"""
    explorer.do(press, ["3,3", 600])
    assert explorer.position() == before
    assert explorer.do("explorer.app.looked.moves.length") == 1
    assert explorer.text("#bestline-text").startswith("Line: 3,3")
    explorer.do(press, ["3,3", 20])
    assert explorer.position() != before


def test_on_paper_stones_are_told_apart(explorer: Explorer) -> None:
    explorer.play("2,2 1,1")
    explorer.page.emulate_media(media="print")
    assert explorer.page.locator("#line i b").all_inner_texts() == ["B", "W"]
    assert explorer.page.locator("#line i b").first.is_visible()
    assert not explorer.is_visible(".controls")
    assert explorer.is_visible("#board")


def reload(explorer: Explorer) -> None:
    explorer.page.reload()
    explorer.page.wait_for_selector("html[data-ready]")


def test_a_reload_continues_a_lesson_and_a_puzzle(explorer: Explorer) -> None:
    explorer.page.click("#door-learn")
    explorer.play("3,2")
    said = explorer.text("#learn-said")
    assert said
    reload(explorer)
    assert explorer.text("#learn-said") == said
    explorer.page.keyboard.press("ArrowLeft")
    assert explorer.text("#learn-said") == ""
    explorer.page.click("#tab-puzzles")
    puzzle = "explorer.app.modes.puzzles.puzzle"
    explorer.until(f"{puzzle} !== null")
    wrong = explorer.do(f"{puzzle}.refutation[0]")
    explorer.do("move => explorer.app.mode.onPoint(move)", wrong)
    explorer.until("!explorer.app.modes.puzzles.search.isRunning")
    said = explorer.text("#puzzle-said")
    reload(explorer)
    explorer.until(f"{puzzle} !== null")
    assert explorer.text("#puzzle-said") == said
    # A reload does not turn the second try into a first one.
    explorer.page.click("#puzzle-again")
    explorer.do(f"explorer.app.mode.onPoint({puzzle}.answers[0])")
    explorer.until("explorer.app.state.puzzles.done")
    assert "1 of 360 puzzles solved, 0 at the first try." in explorer.text("#puzzle-score")


def test_a_curve_and_a_reason_have_signs_and_are_stopped(explorer: Explorer) -> None:
    explorer.go("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0")
    explorer.settle()
    # The values are exact, so only the job "Reason" is left.
    explorer.until("!document.querySelector('[data-job=values]').checkVisibility()")
    explorer.until("explorer.app.lines.isExplained(explorer.app.line.previous, explorer.app.line.lastMove)")
    assert not explorer.is_visible("[data-job=reason]")
    explorer.do("explorer.app.setStopped(['curve', 'reason'], true)")
    explorer.go("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0")
    explorer.do("explorer.app.setStopped(['curve', 'reason'], true)")
    explorer.page.click("#tab-review")
    explorer.settle()
    assert explorer.text("[data-job=curve]") == "Curve: stopped"
    explorer.page.click("[data-job=curve]")
    explorer.until("document.querySelector('#review-status').textContent.startsWith('Every position is exact')")
    explorer.until("!document.querySelector('[data-job=curve]').checkVisibility()")
    assert explorer.do("explorer.app.state.stopped") == ["reason"]


def test_a_reload_keeps_what_is_set_up_after_moves(explorer: Explorer) -> None:
    explorer.play("2,2 2,0")
    explorer.page.click("#edit")
    explorer.play("4,2")
    draft = explorer.do("JSON.stringify(explorer.app.state.draft)")
    reload(explorer)
    assert explorer.do("JSON.stringify(explorer.app.state.draft)") == draft
    # A position that is opened replaces the draft.
    explorer.do("explorer.app.load({ start: explorer.app.line.start, moves: [6] })")
    assert explorer.do("explorer.app.state.draft.black") == 1 << 6
