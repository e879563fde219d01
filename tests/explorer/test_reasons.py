"""The page says why a move is worse in the same words as the command line, and shows it."""

from book.answers.reasons import reason
from book.answers.teaching import teaching_line
from book.files.mainline import LINES, MAIN_LINE
from solver.position import START, Position, move_name, parse_moves, play_all
from solver.record import from_record, to_record
from tests.book.answers.test_reasons import mistakes
from tools.browsing import Explorer

#: A game near its end, a move that loses points there, and what is said of it.
GAME = "2,2 1,1 2,1 1,2 1,3 0,3 2,3 3,2 3,1 4,2 0,2 4,1 3,3 0,1"


def test_the_page_says_the_same_of_500_moves(explorer: Explorer) -> None:
    cut = [
        (position, worse[:plies], better[:plies]) for position, worse, better in mistakes(250, 7) for plies in (24, 3)
    ]
    asked = [[to_record(position), worse, better] for position, worse, better in cut]
    told = explorer.do("asked => asked.map((each) => explorer.reason(...each))", asked)
    assert [(each["theme"], each["worse"], each["better"]) for each in told] == [reason(*each) for each in cut]


def test_a_mistake_is_explained_when_it_is_played(explorer: Explorer) -> None:
    position = play_all(START, parse_moves(GAME))
    explorer.play(f"{GAME} 0,0")
    explorer.until("!document.querySelector('#reason').hidden")
    assert explorer.text("#reason-text") == said_of(explorer, position)
    check_the_lines_are_shown(explorer, position)
    explorer.page.click("#back")
    explorer.until("document.querySelector('#reason').hidden")
    # The same of a move that is only looked at.
    explorer.page.hover('[data-point="0,0"]')
    explorer.until("!document.querySelector('#bestline-why').hidden")
    assert explorer.text("#bestline-why").startswith("White answers")


def test_a_first_mistake_is_explained_at_once(explorer: Explorer) -> None:
    better = teaching_line(START, MAIN_LINE)
    for line in LINES[1:6]:
        (first,) = line.way
        explorer.play(move_name(first))
        explorer.until("!document.querySelector('#reason').hidden")
        assert explorer.text("#reason-text") == reason(START, (*line.way, *line.moves), better).text
        explorer.page.click("#back")


def check_the_lines_are_shown(explorer: Explorer, position: Position) -> None:
    """What follows is played on the board, and the better line from before the mistake; one's own line is not lost."""
    for button, first in (("#reason-worse", [0]), ("#reason-better", [])):
        moves = explorer.do(f"explorer.app.verdict.why.{button.removeprefix('#reason-')}")
        explorer.page.click(button)
        explorer.until(f"explorer.app.position.ply === {position.ply + len(first) + 1}")
        explorer.page.click("#to-end")
        assert from_record(explorer.position()) == play_all(position, moves)
        explorer.page.click("#mine")
        assert from_record(explorer.position()) == position.play(0)
        explorer.until("!document.querySelector('#reason').hidden")


def said_of(explorer: Explorer, position: Position) -> str:
    """Return what is said of 0,0 by the lines that the page has."""
    lines = "({lines, line, position}) => [lines.get(position).moves, lines.get(line.previous).moves]"
    worse, better = explorer.do(f"() => ({lines})(explorer.app)")
    assert [worse, better] == [teaching_line(position.play(0), []), teaching_line(position, [])]
    return reason(position, [0, *worse], better).text
