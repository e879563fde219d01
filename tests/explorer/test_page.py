"""The page in everyday use: exploring, opening, editing and sharing, by mouse, by keyboard and on a phone."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sgfmill import sgf

from little_go.arena.match.host import OPENING, input_text, judge
from little_go.arena.match.host import State as HostState
from little_go.book.__main__ import main as book_main
from little_go.book.answers.reasons import teaching_line
from little_go.book.commands.solver import main as solver_main
from little_go.book.files.games import STAFF_GAMES
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import MAIN_LINE, MAIN_VALUE
from little_go.notation.record import from_record, to_record
from little_go.solver.family import COURSE
from little_go.solver.position import BY_KO, OCCUPIED, START, Position, move_name, parse_moves, play_all
from tests.options import FROM_LINES
from tools.browsing import DESK, PHONE, ROOT, Explorer

pytestmark = pytest.mark.early

#: A position that the kernel cannot decide at once, that the book does not contain, and that is later than the atlas.
UNKNOWN = "0,0 4,4 0,1 4,3 1,0 3,4 2,4"

Open = Callable[..., Explorer]

#: The moves of a trap after 2,2.
OPENING_LINE = "2,2 1,1 2,1 1,2 2,3 1,3 3,2 0,0 2,4 2,0 3,0"


def after(moves: str) -> Position:
    return play_all(START, parse_moves(moves))


def cli_value(position: Position) -> dict[str, Any]:
    """Return the output of ``little-go value`` for a position."""
    done = CliRunner().invoke(solver_main, ["value", FROM_LINES, "-"], input=json.dumps(to_record(position, COURSE)))
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.output)
    return answer


def host_state(moves: str) -> HostState:
    state = OPENING
    for name in moves.split():
        state = judge(state, name)
    return state


def test_the_start(explorer: Explorer) -> None:
    assert explorer.text("#verdict-winner") == "Black wins"
    assert explorer.exact() == 3
    assert "proved and checked" in explorer.text("#verdict-sources")
    assert "atlas" not in explorer.text("#verdict-sources")
    values = {name: lo for name, (lo, hi) in explorer.moves().items() if lo == hi}
    assert values == {
        **dict.fromkeys(["0,0", "0,2", "0,4", "2,0", "2,4", "4,0", "4,2", "4,4"], -3),
        **dict.fromkeys(["0,1", "0,3", "1,0", "1,1", "1,3", "1,4", "3,0", "3,1", "3,3", "3,4", "4,1", "4,3"], -2),
        **dict.fromkeys(["1,2", "2,1", "2,3", "3,2", "PASS"], 0),
        "2,2": 3,
    }
    assert explorer.page.locator(".moves li.best").count() == 1
    label = explorer.page.get_attribute('[data-point="1,2"]', "aria-label")
    assert label == "1,2: White wins by 2.5, loses 3 points"
    explorer.play("1,2")
    assert explorer.exact() == 0
    assert explorer.text("#verdict-sources") == "Winner and value proved and checked"


def test_a_winner_may_be_proved_and_the_value_not(explorer: Explorer) -> None:
    explorer.play("1,1")
    assert explorer.exact() == -2
    assert "proved and checked" in explorer.text("#verdict-sources")
    assert "atlas" in explorer.text("#verdict-sources")


def test_a_walk_through_an_opening(explorer: Explorer) -> None:
    names = OPENING_LINE.split()
    for ply, name in enumerate(names, 1):
        explorer.play(name)
        assert from_record(explorer.position(), COURSE) == after(" ".join(names[:ply]))
        if ply >= 9:
            assert explorer.exact() == cli_value(after(" ".join(names[:ply])))["value"]
    explorer.settle()
    position = after(OPENING_LINE)
    shown = explorer.moves()
    assert set(shown) == {move_name(move) for move in position.legal_moves()}
    for move in position.legal_moves():
        value = cli_value(position.play(move))["value"]
        assert shown[move_name(move)] == (value, value), move_name(move)
    assert explorer.text("#line").split() == names


def test_the_line_of_play_keeps_the_value(explorer: Explorer) -> None:
    explorer.go(f"#moves={OPENING_LINE.replace(' ', '.')}")
    value = explorer.exact()
    explorer.settle()
    explorer.until("explorer.app.shownLine()?.whole")
    line = explorer.text("#bestline-text").removeprefix("Best line: ")
    end = play_all(after(OPENING_LINE), parse_moves(line))
    assert end.is_over
    assert end.black.bit_count() - end.white.bit_count() == value
    row = explorer.page.locator(".moves li").nth(3)
    names = (row.get_attribute("data-moves") or "").split()
    row.locator("button").hover()
    explorer.until("document.querySelector('#bestline-text').textContent.startsWith('Line: ')")
    assert explorer.text("#bestline-text").split()[1] == names[0]
    explorer.until("explorer.app.shownLine()?.whole")
    assert explorer.page.locator(".drawing g[opacity='.92']").count() > 0


def taught(ply: int) -> str:
    """Return the principal variation from a ply on, with the last plies as the page shows them."""
    return " ".join(map(move_name, teaching_line(play_all(START, MAIN_LINE[:ply]), MAIN_LINE[ply:])))


def test_the_main_line_is_played_from_the_first_screen(explorer: Explorer) -> None:
    explorer.until("explorer.app.shownLine()?.whole")
    assert explorer.text("#bestline-text") == "Best line: " + taught(0)
    explorer.page.click("#play-line")
    explorer.until("explorer.app.line.at === 3")
    assert from_record(explorer.position(), COURSE) == play_all(START, MAIN_LINE[:3])
    explorer.page.click("#play-line")
    at = explorer.do("explorer.app.line.at")
    explorer.page.click("#to-end")
    assert at < len(MAIN_LINE)
    assert explorer.position()["ply"] == len(MAIN_LINE)
    for ply in (20, 8, 5):
        explorer.do(f"explorer.app.goTo({ply})")
        assert explorer.exact() == MAIN_VALUE
        explorer.until("explorer.app.shownLine()?.whole")
        assert explorer.text("#bestline-text") == "Best line: " + taught(ply)


def test_what_is_known_is_not_forgotten(explorer: Explorer) -> None:
    """Bounds on a position imply bounds after its moves, and the reverse, without a search."""
    opening = "2,2 1,1 1,2 3,1"
    explorer.go(f"#moves={opening.replace(' ', '.')}.3,2")
    explorer.page.keyboard.press("Space")
    assert explorer.exact() == 3
    explorer.page.click("#back")
    best = explorer.do("explorer.app.about.moves.filter(m => m.fact.lo === 3).map(m => m.moves[0])")
    assert parse_moves("3,2")[0] in best
    for move in best:
        explorer.do("move => explorer.app.play(move)", move)
        assert explorer.exact() == 3
        explorer.page.click("#back")
    # Bounds on a later position are combined with the conclusions from earlier positions. This position follows the
    # first plies of the principal variation and is later than the atlas.
    for move in parse_moves("2,1 3,2 3,0"):
        explorer.do("move => explorer.app.play(move)", move)
    assert explorer.exact() == 3
    unknown = "explorer.app.rules.play(explorer.app.position, 0)"
    explorer.do(f"explorer.app.facts.note(explorer.app.rules.key({unknown}), {{ lo: -9, hi: 9 }}, 1, 1)")
    explorer.do("explorer.app.play(0)")
    assert explorer.do("[explorer.app.about.fact.lo, explorer.app.about.fact.hi]") == [3, 9]
    assert all(hi <= 9 for _, hi in explorer.moves().values())


def test_all_cores_search_and_say_when_all_is_exact(opened: Open) -> None:
    explorer = opened("#moves=" + OPENING_LINE.replace(" ", "."))
    cores = explorer.do("navigator.hardwareConcurrency")
    explorer.until(f"explorer.app.engine.lanes.length === {min(cores, 8)}")
    explorer.settle()
    assert re.match(r"Every move is exact, after [\d.]+ s and [\d.]+ [kM] nodes\.", explorer.text("#status"))
    assert all(lo == hi for lo, hi in explorer.moves().values())


@pytest.mark.parametrize(
    ("lo", "hi", "short", "long", "spoken"),
    [
        (3, 3, "B+0.5", "B+0.5", "Black wins by 0.5"),
        (0, 0, "W+2.5", "W+2.5", "White wins by 2.5"),
        (2, 2, "W+0.5", "W+0.5", "White wins by 0.5"),
        (-24, -24, "W+26.5", "W+26.5", "White wins by 26.5"),
        (3, 24, "B+", "Black wins", "Black wins"),
        (5, 24, "B+", "B+2.5 or more", "Black wins"),
        (3, 12, "B+", "Black wins", "Black wins"),
        (-24, 2, "W+", "White wins", "White wins"),
        (-12, 0, "W+", "W+2.5 or more", "White wins"),
        (-12, 12, "?", "?", "Not known"),
    ],
)
def test_one_number_a_point(explorer: Explorer, lo: int, hi: int, short: str, long: str, spoken: str) -> None:
    told = explorer.do("bounds => explorer.words(bounds)", {"lo": lo, "hi": hi})
    assert told == [short, long, spoken]


def test_a_hint_takes_nobodys_colour(explorer: Explorer) -> None:
    explorer.page.click("#tab-play")
    explorer.page.check("#who-both")
    explorer.page.click("#start-game")
    explorer.page.click("#hint")
    explorer.until("explorer.app.modes.play.hinted.length === 1")
    drawing = explorer.page.locator(".drawing").inner_html()
    assert ">hint</text>" in drawing
    assert "wins" not in drawing


def test_symmetric_moves_are_lit_together(explorer: Explorer) -> None:
    explorer.page.hover('[data-point="1,2"]')
    explorer.until("document.querySelector('.moves li.lit')?.dataset.moves === '1,2 2,1 2,3 3,2'")


def test_back_forward_start_and_pass(explorer: Explorer) -> None:
    explorer.play("2,2 PASS 1,1")
    assert from_record(explorer.position(), COURSE) == after("2,2 PASS 1,1")
    explorer.page.click("#back")
    assert explorer.position()["passed"]
    assert "another one ends the game" in explorer.text("#turn")
    explorer.page.click("#to-start")
    assert explorer.position() == to_record(START, COURSE)
    explorer.page.click("#to-end")
    assert from_record(explorer.position(), COURSE) == after("2,2 PASS 1,1")
    explorer.page.click("#back")
    explorer.play("PASS")
    assert "over" in explorer.text("#turn")
    assert explorer.text("#verdict-winner") == "White wins the game"


def test_an_illegal_move_is_explained(explorer: Explorer) -> None:
    explorer.go("#moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0.1,4.1,0")
    explorer.play("2,0")
    assert explorer.text("#message") == f"Illegal: 2,0 is {BY_KO}."
    explorer.play("2,2")
    assert explorer.text("#message") == f"Illegal: 2,2 is {OCCUPIED}."


def test_bounds_tighten_and_leaving_stops_the_search(explorer: Explorer) -> None:
    # Neither book nor atlas contains this position, and searching all of its moves takes far longer than the test.
    explorer.play(UNKNOWN)
    explorer.do("globalThis.had = explorer.app.rules.key(explorer.app.position)")
    nodes = "explorer.app.facts.computed.get(had)?.nodes ?? 0"
    explorer.until(f"({nodes}) > 100000")
    assert explorer.page.locator(".badge.computing").count() > 0
    explorer.play("2,2")
    for name in ["1,1", "1,0", "1,2", "2,1", "0,2", "3,3", "2,3", "3,1", "3,2", "4,4", "1,4"]:
        explorer.play(name)
    explorer.exact()
    spent = explorer.do(nodes)
    explorer.settle()
    assert explorer.do(nodes) == spent


def test_pause_and_resume(explorer: Explorer) -> None:
    explorer.play(UNKNOWN)
    explorer.until("explorer.app.computing")
    values = "[data-job=values]"
    assert re.match(r"Values: \d+ of \d+ exact$", explorer.text(values))
    explorer.page.click(values)
    explorer.until("!explorer.app.computing")
    assert explorer.text(values) == "Values: stopped"
    assert explorer.page.locator(".moves .badge.unknown").count() > 0
    explorer.page.click(values)
    explorer.until("explorer.app.computing")
    # Space stops all jobs, including later ones.
    explorer.do("document.activeElement.blur()")
    explorer.page.keyboard.press("Space")
    explorer.play("2,2")
    assert not explorer.do("explorer.app.computing")
    assert explorer.text("#jobs").split(" ") == ["Values:", "stopped", "Line:", "stopped", "Reason:", "stopped"]


def test_a_share_link_there_and_back(explorer: Explorer, opened: Open) -> None:
    explorer.play("2,2 1,1 PASS 1,2")
    explorer.page.click("#back")
    explorer.page.click("#share-button")
    link = explorer.page.input_value("#share-link")
    other = opened(link[link.index("#") :])
    assert from_record(other.position(), COURSE) == after("2,2 1,1 PASS")
    other.page.click("#forward")
    assert from_record(other.position(), COURSE) == after("2,2 1,1 PASS 1,2")


def test_a_link_of_a_set_up_position(explorer: Explorer, opened: Open) -> None:
    position = after("2,2 1,1 2,1 1,2 2,3 1,3 3,2 0,0 2,4 2,0 3,0 1,4 1,0")
    assert position.ko is not None
    paste(explorer, json.dumps(to_record(position, COURSE)))
    explorer.play("0,1")
    other = opened(explorer.do("location.hash"))
    assert from_record(other.position(), COURSE) == position.play(1)
    other.page.click("#back")
    assert from_record(other.position(), COURSE) == position


@pytest.mark.parametrize("fragment", ["#moves=2,2.2,2", "#moves=9,9", "#moves=2,2&at=7", "#from=XXX.0.-.-"])
def test_a_link_that_makes_no_sense_is_told(opened: Open, fragment: str) -> None:
    explorer = opened(fragment)
    assert explorer.text("#message").startswith("The link does not work: ")
    assert explorer.position() == to_record(START, COURSE)


def paste(explorer: Explorer, text: str) -> None:
    explorer.page.click("#open-button")
    explorer.page.fill("#open-text", text)
    explorer.page.click("#open-dialog button.primary")


def test_moves_are_pasted(explorer: Explorer) -> None:
    paste(explorer, "2,2 1,1 PASS 3,3")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1 PASS 3,3")


@pytest.mark.parametrize("moves", ["", "2,2", OPENING_LINE, OPENING_LINE + " 1,4 1,0", "2,2 1,1 PASS"])
def test_input_txt_there_and_back(explorer: Explorer, moves: str) -> None:
    text = input_text(host_state(moves))
    explorer.go(f"#moves={moves.replace(' ', '.')}")
    explorer.page.click("#share-button")
    assert explorer.page.input_value("#share-input") == text
    explorer.page.keyboard.press("Escape")
    explorer.page.click("#new")
    paste(explorer, text)
    position = after(moves)
    shown = from_record(explorer.position(), COURSE)
    assert shown._replace(ply=0) == position._replace(ply=0)
    assert shown.mover == position.mover
    assert shown.ply <= position.ply


def test_an_sgf_is_dropped(explorer: Explorer) -> None:
    game = sgf.Sgf_game(size=5)
    for ply, (row, column) in enumerate([(2, 2), (1, 1), (2, 1)]):
        game.extend_main_sequence().set_move("bw"[ply % 2], (4 - row, column))
    game.extend_main_sequence().set_move("w", None)
    drop(explorer, "game.sgf", game.serialise().decode())
    explorer.until("explorer.app.line.moves.length === 4")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1 2,1 PASS")


def drop(explorer: Explorer, name: str, text: str) -> None:
    script = """([name, text]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    explorer.do(script, [name, text])


def test_a_packed_file_that_is_huge_is_refused_at_once(explorer: Explorer, tmp_path: Path) -> None:
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(bytes(200_000_000), 1))
    explorer.page.click("#open-button")
    explorer.page.set_input_files("#open-file", tmp_path / "bomb.gz")
    explorer.until("document.querySelector('#open-error').textContent.includes('unpacks to more than 20 MB')")
    explorer.page.keyboard.press("Escape")


def test_games_of_the_log_are_opened_and_chosen(explorer: Explorer) -> None:
    explorer.page.click("#open-button")
    explorer.page.set_input_files("#open-file", STAFF_GAMES)
    explorer.page.wait_for_selector("#games")
    assert "2211 games" in explorer.text("#games label")
    assert explorer.text("#message").startswith("Move 24 is illegal")
    explorer.page.fill("#games-filter", "championship")
    explorer.until("document.querySelector('#games-list').textContent.includes('championship')")
    assert "championship" in explorer.text("#games-list option:first-child")
    explorer.page.select_option("#games-list", index=1)
    assert explorer.do("explorer.app.line.moves.length") > 5


def test_games_of_the_arena_have_winners_and_endings_in_words(explorer: Explorer) -> None:
    records = [
        {"black": "one", "white": "two", "moves": ["PASS"], "winner": "White", "reason": "two_passes"},
        {"black": "two", "white": "one", "moves": ["2,2", "2,2"], "winner": "Black", "reason": "invalid_occupied"},
    ]
    drop(explorer, "games.jsonl", "".join(f"{json.dumps(record)}\n" for record in records))
    explorer.page.wait_for_selector("#games")
    titles = explorer.do("[...document.querySelectorAll('#games-list option')].map((option) => option.textContent)")
    assert titles == ["1. one \u2013 two, White wins (two passes)", "2. two \u2013 one, Black wins (an occupied point)"]
    assert "Black won 1, White 1; 1 ended by a fault." in explorer.text("#games-summary")
    explorer.page.select_option("#games-result", "2")
    explorer.until("document.querySelector('#games-count').textContent === '1 of 2 games'")
    explorer.page.select_option("#games-result", "")
    explorer.page.select_option("#games-reason", label="an occupied point")
    explorer.until("document.querySelector('#games-count').textContent === '1 of 2 games'")


def test_a_note_is_on_the_text_that_was_opened_last(explorer: Explorer) -> None:
    board = ".....\n.....\n..X..\n.....\n....."
    paste(explorer, f"Bob: hello\n{board}")
    explorer.until("document.querySelector('#message').textContent.includes('Not read: “Bob: hello”')")
    # Paste the same position, so that the board does not change.
    paste(explorer, board)
    explorer.until("!document.querySelector('#message').textContent.includes('Bob')")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty"),
        ("hello", "it contains no moves"),
        ("2,2 2,2", f"move 2: 2,2 is {OCCUPIED}"),
        ("1\n00000", "2 lines instead of 11"),
        ("1\n" + "0000\n" * 10, "line 2: “0000” is not a row of the board: write five digits, each 0, 1 or 2"),
        ('{"black": 1, "white": 1, "ply": 2}', "0,0 holds both"),
        ('{"black": 1}', "“white” is missing"),
        ("{", "not JSON"),
        ("(;SZ[9];B[aa])", "a board of size “9”"),
        ("(;SZ[5];W[aa])", "out of turn"),
    ],
)
def test_what_cannot_be_opened_is_told(explorer: Explorer, text: str, complaint: str) -> None:
    paste(explorer, text)
    assert explorer.text("#open-error").startswith("Cannot open this: ")
    assert complaint in explorer.text("#open-error")
    explorer.page.keyboard.press("Escape")
    assert explorer.position() == to_record(START, COURSE)


def test_more_games_than_can_be_shown_at_once_are_told(explorer: Explorer) -> None:
    game = json.dumps({"black": "a", "white": "b", "moves": OPENING_LINE.split()}) + "\n"
    drop(explorer, "games.jsonl", game * 20_000)
    explorer.until("document.body.textContent.includes('20000 games are too many: at most 5000 at once')")
    drop(explorer, "games.jsonl", game * 5_000)
    explorer.until("document.body.textContent.includes('5000 games')")


def test_an_impossible_position_is_told_while_it_is_set_up(explorer: Explorer) -> None:
    explorer.page.click("#edit")
    explorer.page.select_option("#edit-ply", "7")
    explorer.play("0,1 1,0")
    explorer.page.click('[data-brush="white"]')
    explorer.play("0,0")
    assert explorer.text("#edit-fault") == "Impossible: the group at 0,0 has no liberty."
    assert not explorer.is_enabled("#edit-done")
    explorer.play("0,0")
    explorer.page.click('[data-brush="ko"]')
    explorer.play("0,0")
    assert explorer.text("#edit-fault") == "Impossible: no single stone next to 0,0 can have captured there."
    explorer.page.click('[data-brush="white"]')
    explorer.play("1,1 2,0")
    assert explorer.text("#edit-fault") == "A possible position; White moves."
    explorer.page.check("#edit-passed")
    assert "a PASS lifts every ko" in explorer.text("#edit-fault")
    explorer.page.uncheck("#edit-passed")
    explorer.page.click("#edit-done")
    position = Position(black=1 << 1 | 1 << 5, white=1 << 6 | 1 << 10, ko=0, ply=7)
    assert from_record(explorer.position(), COURSE) == position
    assert f"0,0 is {BY_KO}" in explorer.text("#turn")


@pytest.mark.parametrize(("moves", "last"), [("2,2 PASS PASS", "Black"), ("2,2 1,1 PASS PASS", "White")])
def test_the_pass_that_ends_the_game_is_announced(explorer: Explorer, moves: str, last: str) -> None:
    explorer.play(moves)
    assert explorer.text("#spoken").startswith(f"{last} passes. The game is over. ")


def test_the_keyboard_alone(explorer: Explorer) -> None:
    press = explorer.page.keyboard.press
    press("Tab")
    assert explorer.do("document.activeElement.textContent") == "Skip to the board"
    press("Enter")
    press("Tab")
    press("Enter")
    press("ArrowUp")
    press("ArrowLeft")
    press("Enter")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1")
    assert "White plays 1,1" in explorer.text("#spoken")
    press("p")
    assert explorer.position()["passed"]
    press("Backspace")
    press("Home")
    assert explorer.position() == to_record(START, COURSE)
    press("End")
    assert explorer.position()["passed"]
    press("e")
    assert explorer.text("#edit") == "Edit"
    assert explorer.page.get_attribute("#edit", "aria-pressed") == "true"
    press("e")
    press("?")
    assert explorer.is_visible("#help-dialog")
    press("Escape")
    press("n")
    press("4")
    assert explorer.text("#tour-title") == "Why the centre"
    press("2")
    assert explorer.is_visible("#start-game")
    press("1")
    press("Tab")
    focused = explorer.do("getComputedStyle(document.activeElement).outlineStyle")
    assert focused == "solid"


def test_a_screen_reader_has_a_name_for_everything(explorer: Explorer) -> None:
    nameless = """[...document.querySelectorAll('button, input, select, textarea')].filter((element) =>
        !element.textContent.trim() && !element.getAttribute('aria-label') && !element.labels?.length)
        .map((element) => element.outerHTML)"""
    for tab in ("puzzles", "explore", "play", "review", "tour"):
        explorer.page.click(f"#tab-{tab}")
        assert explorer.do(nameless) == []
        assert explorer.page.get_attribute(f"#tab-{tab}", "aria-selected") == "true"
    explorer.page.click("#edit")
    assert explorer.do(nameless) == []


@pytest.mark.parametrize("width", [360, 800, 1000, 1200, 1600])
def test_no_row_of_the_list_is_cut_off(opened: Open, width: int) -> None:
    explorer = opened(viewport={**DESK, "width": width})
    explorer.settle()
    assert explorer.page.locator(".moves .badge.certificate").count() == 2
    parts = "[...document.querySelectorAll('.moves, .moves button')]"
    assert explorer.do(f"{parts}.filter((part) => part.scrollWidth > part.clientWidth).length") == 0


def test_a_phone(opened: Open) -> None:
    explorer = opened("#moves=2,2.1,1", viewport=PHONE, has_touch=True, is_mobile=True)
    too_wide = "document.documentElement.scrollWidth > 360"
    for tab in ("puzzles", "explore", "play", "review", "tour"):
        explorer.page.tap(f"#tab-{tab}")
        assert not explorer.do(too_wide), tab
    explorer.page.tap("#edit")
    assert not explorer.do(too_wide)
    for button in ("#share-button", "#open-button", "#help-button"):
        explorer.page.tap(button)
        assert explorer.do("document.querySelector('dialog[open]').scrollWidth") <= 360
        explorer.page.keyboard.press("Escape")
    explorer.page.tap("#tab-explore")
    explorer.page.tap("#new")
    explorer.page.tap('[data-point="2,2"]')
    assert from_record(explorer.position(), COURSE) == after("2,2")
    box = explorer.page.locator('[data-point="0,0"]').bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) > 44
    verdict, board = (explorer.page.locator(name).bounding_box() for name in ("#verdict", "#board"))
    assert verdict is not None
    assert board is not None
    assert verdict["y"] < board["y"] < 400


def bottom(explorer: Explorer, selector: str) -> float:
    box = explorer.page.locator(selector).bounding_box()
    assert box is not None, selector
    return float(box["y"] + box["height"])


def test_a_phone_shows_the_next_step_beside_the_board(opened: Open) -> None:
    explorer = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    explorer.page.tap("#tab-tour")
    while explorer.is_enabled("#tour-next"):
        assert bottom(explorer, "#board") < bottom(explorer, "#tour-next") < PHONE["height"]
        explorer.page.tap("#tour-next")
    explorer.page.tap("#tab-play")
    explorer.page.tap("#new")
    explorer.page.tap("#start-game")
    explorer.page.tap('[data-point="2,2"]')
    explorer.until("explorer.app.position.ply === 2")
    assert explorer.text("#play-said").startswith("White played ")
    assert bottom(explorer, "#board") < bottom(explorer, "#play-said") < PHONE["height"]


def test_a_phone_on_its_side_shows_the_board(opened: Open) -> None:
    viewport = {"width": PHONE["height"], "height": PHONE["width"]}
    explorer = opened("#moves=2,2", viewport=viewport, has_touch=True, is_mobile=True)
    assert bottom(explorer, "#board") <= viewport["height"]
    assert explorer.do("document.documentElement.scrollWidth") == viewport["width"]


def test_the_board_stays_in_sight_beside_a_long_list(explorer: Explorer) -> None:
    explorer.go("#moves=2,2.1,1")
    explorer.do("scrollTo(0, document.documentElement.scrollHeight)")
    assert explorer.do("scrollY") > 100
    assert explorer.do("document.querySelector('#board').getBoundingClientRect().top") >= 0


def test_edit_takes_the_least_ply_that_fits(explorer: Explorer) -> None:
    explorer.page.click("#edit")
    plies = []
    for brush, point in (("black", "2,2"), ("black", "1,2"), ("white", "0,0"), ("white", "4,4"), ("black", "3,2")):
        explorer.page.click(f'[data-brush="{brush}"]')
        explorer.play(point)
        assert explorer.text("#edit-fault").startswith("A possible position")
        plies.append(int(explorer.page.input_value("#edit-ply")))
    assert plies == [1, 3, 3, 4, 5]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(opened: Open, scheme: str) -> None:
    explorer = opened("#moves=2,2.1,1.2,1", color_scheme=scheme)
    pairs = [("#turn", "body"), ("#verdict-winner", "#verdict"), ("#verdict-value", "#verdict-value")]
    for text, ground in [*pairs, ("#verdict-text", "#verdict"), (".moves .result", ".moves-card"), (".legend", "body")]:
        assert contrast(explorer, text, ground) > 4.5, text
    assert (brightness(explorer, "body") < 0.1) == (scheme == "dark")


def channels(explorer: Explorer, selector: str, which: str) -> list[float]:
    script = "([s, w]) => getComputedStyle(document.querySelector(s))[w].match(/[\\d.]+/g).slice(0, 3).map(Number)"
    numbers: list[float] = explorer.do(script, [selector, which])
    return numbers


def luminance(rgb: list[float]) -> float:
    """Return the relative luminance of a colour, as defined in WCAG 2."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def brightness(explorer: Explorer, selector: str) -> float:
    return luminance(channels(explorer, selector, "backgroundColor"))


def contrast(explorer: Explorer, text: str, ground: str) -> float:
    pair = luminance(channels(explorer, text, "color")), brightness(explorer, ground)
    return (max(pair) + 0.05) / (min(pair) + 0.05)


def test_the_sgf_has_values_and_best_lines(explorer: Explorer) -> None:
    moves = OPENING_LINE + " 4,4"
    explorer.go(f"#moves={moves.replace(' ', '.')}")
    explorer.page.click("#back")
    explorer.exact()
    result = explorer.text("#verdict-value")
    explorer.settle()
    explorer.until("explorer.app.shownLine()?.whole")
    explorer.page.click("#share-button")
    text = explorer.page.input_value("#share-sgf")
    game = sgf.Sgf_game.from_string(text)
    nodes = game.get_main_sequence()
    played = [node.get_move()[1] for node in nodes[1:]]
    assert [(4 - row, column) for row, column in played] == [divmod(move, 5) for move in parse_moves(moves)]
    told = nodes[len(OPENING_LINE.split())]
    assert f"{result} under best play" in told.get("C")
    assert len(told) == 2
    best = explorer.do("explorer.app.lines.movesFrom(explorer.app.position)")
    row, column = told[1].get_move()[1]
    assert 5 * (4 - row) + column == best[0]
    assert told[1].get("C") == f"Better: {result}."


def test_the_drawing_and_the_command_line(explorer: Explorer) -> None:
    explorer.play("2,2 1,1 2,1")
    explorer.page.click("#share-button")
    drawing = explorer.page.input_value("#share-svg")
    assert drawing.startswith("<svg xmlns=")
    assert "var(" not in drawing
    assert explorer.page.input_value("#share-moves") == 'little-go query --moves "2,2 1,1 2,1"'
    record = explorer.page.input_value("#share-record")
    assert from_record(json.loads(record), COURSE) == after("2,2 1,1 2,1")
    query = ["query", "--only", "atlas", "--json"]
    by_moves = CliRunner().invoke(book_main, [*query, "--moves", "2,2 1,1 2,1"])
    assert CliRunner().invoke(book_main, [*query, FROM_LINES, "-"], input=record).output == by_moves.output
    assert json.loads(by_moves.output)["value"] == 3


def test_the_trap_after_the_centre(explorer: Explorer) -> None:
    explorer.play("2,2")
    explorer.page.wait_for_selector("#trap")
    book = read_book(str(ROOT / "book.json"), game=COURSE)
    trap = after("2,2").play(book.find(after("2,2")).move)
    text = explorer.text("#trap")
    assert "Every move loses" in text
    told = text.partition("keep the win: ")[2].partition(". ")[0].split(" and ")
    holding = [
        move_name(reply)
        for reply in trap.legal_moves()
        if (entry := book.get(trap.play(reply))) and entry.bounds.lo > 2
    ]
    assert told == holding
    explorer.page.click("#trap button")
    assert from_record(explorer.position(), COURSE) == trap


def test_the_tour_gives_the_line_back(explorer: Explorer) -> None:
    explorer.play("2,2 1,1 PASS")
    explorer.page.click("#tab-tour")
    explorer.until("explorer.app.line.moves.length === 0")
    explorer.page.click("#mine")
    assert from_record(explorer.position(), COURSE) == after("2,2 1,1 PASS")


def test_without_a_worker_book_and_atlas_remain(browser: Any) -> None:
    context = browser.new_context(viewport=DESK, offline=True)
    context.add_init_script("delete window.Worker")
    explorer = Explorer(context)
    assert explorer.exact() == 3
    explorer.play("2,2 1,1 2,1 1,2 2,3 1,3 3,2 0,0")
    assert explorer.text("#verdict-winner") == "Black wins"
    assert "The kernel cannot run in this browser" in explorer.text("#status")
    assert explorer.page.locator(".moves .badge.unknown").count() > 0
    assert [line for line in explorer.complaints if "no kernel" not in line] == []
    context.close()
