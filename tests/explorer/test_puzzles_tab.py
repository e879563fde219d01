"""The puzzles of the page: questions, answers on the board, stored progress, and the use by keyboard only."""

from typing import Any

from little_go.book.answers.reasons import reason
from little_go.book.files.puzzles import SEARCHED_LEFT, Puzzle
from little_go.notation.record import from_record, to_record
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import move_name, play_all
from tests.shipped import shipped_puzzles
from tools.browsing import PHONE, Explorer

SHIPPED = shipped_puzzles()


def open_tab(explorer: Explorer) -> None:
    explorer.page.click("#tab-puzzles")
    explorer.until("explorer.app.modes.puzzles.puzzle !== null")


def asked(explorer: Explorer) -> Puzzle:
    number = int(explorer.text("#puzzle-number").split()[1])
    assert from_record(explorer.position(), COURSE) == SHIPPED[number - 1].position
    return SHIPPED[number - 1]


def answered(explorer: Explorer, move: int) -> str:
    """Play a move as the answer, wait for the explanation, and return it."""
    explorer.play(move_name(move))
    explorer.until("explorer.app.line.at === 0 || !explorer.app.modes.puzzles.said.includes('Looking for')")
    return explorer.text("#puzzle-said")


def score(explorer: Explorer) -> str:
    return explorer.text("#puzzle-score")


def test_puzzles_are_asked_answered_and_kept(explorer: Explorer) -> None:
    open_tab(explorer)
    told = explorer.do("explorer.app.modes.puzzles.all")
    assert [{**row, "position": from_record(row["position"], COURSE)} for row in told] == [
        row
        | {"position": each.position, "answers": [*each.answers], "wrong": round(each.wrong, 3)}
        | {"solution": [*each.solution], "refutation": [*each.refutation], "themes": [*each.themes]}
        | {"others": [[*line] for line in each.others]}
        for row, each in zip(told, SHIPPED, strict=True)
    ]
    # A wrong move. The board shows the line of play after it.
    first = asked(explorer)
    assert "One move wins" in explorer.text("#turn")
    why = reason(first.position, first.refutation, first.solution, game=COURSE)
    assert answered(explorer, first.tempting) == f"No: {move_name(first.tempting)} loses. {why.worse}"
    explorer.until(f"explorer.app.line.at === {len(first.refutation)}")
    assert explorer.position() == to_record(play_all(first.position, first.refutation), COURSE)
    assert "White wins" in explorer.text("#puzzle-count")
    assert explorer.page.get_attribute("#puzzle-said", "role") == "status"
    explorer.page.click("#puzzle-again")
    assert answered(explorer, first.answers[0]).endswith(why.text)
    assert score(explorer) == "1 of 360 puzzles solved, 0 at the first try. Streak 0, your longest 0."
    # Use the keyboard for the next puzzle, a hint, the answer on the focused point, and the next puzzle.
    explorer.page.keyboard.press("n")
    second = asked(explorer)
    explorer.page.keyboard.press("h")
    assert explorer.text("#puzzle-said").startswith("Hint: The move captures stones")
    explorer.page.focus(f'[data-point="{move_name(second.answers[0])}"]')
    explorer.page.keyboard.press("Enter")
    explorer.until("explorer.app.line.moves.length > 1")
    assert "Streak 1, your longest 1." in score(explorer)
    check_every_other_move(explorer, second)
    assert "2 of 360 puzzles solved, 1 at the first try. Streak 1" in score(explorer)
    check_the_filters(explorer)
    # The progress is still there when the page is opened again.
    explorer.go("")
    open_tab(explorer)
    assert asked(explorer) is SHIPPED[2]
    assert "2 of 360 puzzles solved" in score(explorer)
    explorer.page.click("#puzzle-answer")
    assert explorer.text("#puzzle-said").startswith(f"The answer: {move_name(SHIPPED[2].answers[0])} wins.")
    assert "Streak 0, your longest 1." in score(explorer)
    explorer.page.click("#puzzle-explore")
    explorer.page.wait_for_selector("#verdict")


def check_every_other_move(explorer: Explorer, puzzle: Puzzle) -> None:
    """For wrong moves without a stored line, the page finds a line of best play and explains it by the same rules."""
    kernel = Kernel(open_table(64))
    for move in puzzle.position.legal_moves():
        if move not in (*puzzle.answers, puzzle.tempting):
            explorer.page.keyboard.press("Backspace")
            said = answered(explorer, move)
            line = explorer.do("explorer.app.line.moves")
            assert play_all(puzzle.position, line).margin == kernel.value(puzzle.position.play(move)).value
            worse = reason(puzzle.position, line, puzzle.solution, game=COURSE).worse
            # The kernel compares the move with a PASS too, which stored lines cannot do.
            name = move_name(move)
            starts = ("", f"{name} is worth no more than a PASS. ", f"{name} is worse than a PASS. ")
            assert said in [f"No: {name} loses. {start}{worse}" for start in starts]


def test_every_wrong_move_is_answered_where_a_search_would_take_long(explorer: Explorer) -> None:
    open_tab(explorer)
    puzzle = next(each for each in SHIPPED if each.position.left > SEARCHED_LEFT)
    mode = "explorer.app.modes.puzzles"
    explorer.do(f"number => {mode}._open({mode}.all[number])", SHIPPED.index(puzzle))
    for move in puzzle.position.legal_moves():
        said = answered(explorer, move)
        assert explorer.do("explorer.app.line.moves") == [*puzzle.after(move)]
        if move not in puzzle.answers:
            why = reason(puzzle.position, puzzle.after(move), puzzle.solution, game=COURSE)
            assert said == f"No: {move_name(move)} loses. {why.worse}"
        explorer.page.keyboard.press("Backspace")


def check_the_filters(explorer: Explorer) -> None:
    for theme, grade in (("ko", ""), ("ko", "2"), ("", "4"), ("", "")):
        explorer.page.select_option("#puzzle-theme", theme)
        explorer.page.select_option("#puzzle-grade", grade)
        fit = [
            each
            for each in SHIPPED
            if (not theme or theme in each.themes) and (not grade or min(int(5 * each.wrong), 4) == int(grade))
        ]
        assert f"of {len(fit)} puzzle" in score(explorer)
        if fit:
            assert asked(explorer) is next(each for each in fit if each not in SHIPPED[:2])
        explorer.page.keyboard.press("n")
        assert asked(explorer) in fit if fit else explorer.text("#puzzle-said") == "There is no such puzzle."


def check_in_view(explorer: Explorer, *selectors: str) -> None:
    for selector in selectors:
        box = explorer.page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] >= 0, selector
        assert box["y"] + box["height"] <= PHONE["height"], selector


def test_a_phone_whose_browser_keeps_nothing(browser: Any) -> None:
    context = browser.new_context(viewport=PHONE, offline=True, has_touch=True, is_mobile=True)
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })")
    explorer = Explorer(context)
    open_tab(explorer)
    check_in_view(explorer, "#board", "#pass", "#puzzle-said", "#puzzle-next", "#puzzle-hint", "#puzzle-answer")
    answered(explorer, SHIPPED[0].answers[0])
    check_in_view(explorer, "#board", "#puzzle-said", "#puzzle-next")
    assert "1 of 360 puzzles solved, 1 at the first try. Streak 1" in score(explorer)
    explorer.page.click("#puzzle-explore", trial=True)
    explorer.page.click("#puzzle-next")
    assert asked(explorer) is SHIPPED[1]
    assert explorer.do("document.querySelector('#turn').getBoundingClientRect().top") >= 0
    assert explorer.do("document.documentElement.scrollWidth") == PHONE["width"]
    explorer.check()
    context.close()
