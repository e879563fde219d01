"""Every sentence of the lessons is true by the rules, the native kernel and the atlas, and the tour works."""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from little_go.book.files.atlas import read_atlas
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import ATLAS_FILE, MAIN_LINE
from little_go.explorer.packing import trap_replies
from little_go.generator.opponents.models import open_opponents
from little_go.solver.bounds import score_text
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import LEAST_MIB, open_table
from little_go.solver.position import (
    GAME_PLIES,
    KOMI,
    PASS,
    POINTS,
    START,
    Position,
    groups_of,
    move_name,
    neighbours,
    parse_move,
    parse_moves,
    play_all,
)
from little_go.solver.symmetry import canonical_key
from tests.solver.positions import drawn
from tools.browsing import ROOT, Explorer


class Board(NamedTuple):
    """A board of a lesson: the position at its start, and its moves."""

    start: Position
    moves: list[int]
    text: str

    @property
    def position(self) -> Position:
        return play_all(self.start, self.moves)

    def back(self, plies: int = 1) -> Position:
        return play_all(self.start, self.moves[: len(self.moves) - plies])


def board_of(link: str, text: str) -> Board:
    parts = dict(part.split("=") for part in link.split("&") if part)
    start = START
    if "from" in parts:
        rows, ply, ko, passed = parts["from"].split(".")
        assert ko + passed == "--"
        start = drawn(" ".join(rows.replace("_", ".")), ply=int(ply))
    return Board(start, parse_moves(parts.get("moves", "").replace(".", " ")), text)


TEXT = (ROOT / "explorer" / "page" / "lessons.js").read_text("utf-8")
LESSONS = json.loads(TEXT.partition("LESSONS = ")[2].rstrip("; \n"))
BOARDS = [[board_of(board["link"], board["text"]) for board in lesson["boards"]] for lesson in LESSONS]


@cache
def atlas() -> dict[int, tuple[int, int]]:
    return {canonical_key(row.position): (row.lo, row.hi) for row in read_atlas(ATLAS_FILE)}


@cache
def kernel() -> Kernel:
    return Kernel(open_table(LEAST_MIB))


def value(position: Position) -> int:
    if position.is_over:
        return position.margin
    lo, hi = atlas().get(canonical_key(position)) or (None, None)
    if lo is None or lo != hi:
        assert position.left <= 13, "too early for the kernel of a test"
        lo = kernel().value(position).value
        assert lo is not None
    return lo


@cache
def values(position: Position) -> dict[str, int]:
    """Return the value of each move for the mover."""
    sign = 1 if position.black_to_move else -1
    return {move_name(move): sign * value(position.play(move)) for move in position.legal_moves()}


def best(position: Position) -> set[str]:
    worths = values(position)
    return {name for name, worth in worths.items() if worth == max(worths.values())}


def winning(position: Position) -> set[str]:
    least = 3 if position.black_to_move else -2
    return {name for name, worth in values(position).items() if worth >= least}


def stones(position: Position) -> set[str]:
    return {move_name(move) for move in position.legal_moves()} - {"PASS"}


def free(mask: int, position: Position) -> int:
    return (neighbours(mask) & ~(position.black | position.white)).bit_count()


def group_at(name: str, position: Position) -> int:
    bit = 1 << parse_move(name)
    return next(group for side in (position.black, position.white) for group in groups_of(side) if group & bit)


def taken(before: Position, after: Position) -> int:
    """Return the number of stones that the move between two positions has captured."""
    return (before.black | before.white).bit_count() + 1 - (after.black | after.white).bit_count()


def result(position: Position) -> str:
    return score_text(value(position), komi=COURSE.komi)


def alone(*neighbouring: int) -> bool:
    """Return whether a single stone has this many liberties in a corner, elsewhere on the edge, and anywhere else."""
    edge = {p for p in range(POINTS) if p // 5 in (0, 4) or p % 5 in (0, 4)}
    kinds = {0, 4, 20, 24}, edge - {0, 4, 20, 24}, set(range(POINTS)) - edge
    return [{neighbours(1 << p).bit_count() for p in kind} for kind in kinds] == [{each} for each in neighbouring]


@cache
def trap(position: Position) -> dict[str, tuple[float, bool]]:
    """Return the probability of each reply to the book's move, and whether the reply keeps the win."""
    rows = trap_replies(read_book(str(ROOT / "book.json"), game=COURSE), kernel(), open_opponents())
    replies = {row.after: (row.chance, row.holds) for row in rows if row.after}
    return {move_name(move): replies[canonical_key(position.play(move))] for move in position.legal_moves()}


def holds(board: Board, count: int, *names: str) -> bool:
    """Return whether the last move is the book's, and whether exactly these of ``count`` replies keep the win."""
    book = read_book(str(ROOT / "book.json"), game=COURSE).find(board.back()).move
    replies = trap(board.position)
    return (
        canonical_key(board.back().play(book)) == canonical_key(board.position)
        and len(replies) == count
        and {name for name, (_, is_held) in replies.items() if is_held} == set(names)
    )


def missed(position: Position) -> float:
    return sum(chance for chance, is_held in trap(position).values() if not is_held)


def others(position: Position) -> list[Position]:
    """Return the positions after every first stone except the one in the centre."""
    return [position.play(move) for move in range(POINTS) if move != parse_move("2,2")]


#: By sentence of the lessons: a check that it is true. If a sentence changes, its check must be written again.
CLAIMS: dict[str, Callable[[Board], bool]] = {
    # The lesson “Why the centre”
    "Black wins if he ends three stones ahead, for White has 2.5 points more, the komi.": lambda b: 2 < KOMI == 2.5 < 3,
    "Only one first move does that: 2,2, and by exactly three.": lambda b: (
        winning(START) == {"2,2"} and value(START) == 3
    ),
    "After any other one White wins.": lambda b: all(value(after) < 3 for after in others(b.position)),
    "A stone in the centre has four free points beside it, and no edge near.": lambda b: free(1 << 12, b.position) == 4,
    "Whatever White answers, Black wins.": lambda b: not winning(b.position),
    "By half a point: three stones less the komi.": lambda b: result(b.position) == "B+0.5" and 3 - KOMI == 0.5,
    "Beside the centre Black comes closest: in best play the stones end level, and the komi decides.": lambda b: (
        value(b.position) == 0 == max(map(value, others(START)))
    ),
    "White's best answer is the centre that Black left open.": lambda b: best(b.position) == {"2,2"},
    "So it is after every other first stone: White's best answer is 2,2, and no other is as good.": lambda b: all(
        best(after) == {"2,2"} for after in others(START)
    ),
    "Here White wins by 4.5.": lambda b: result(b.position) == "W+4.5",
    "One line of best play to the end, of many.": lambda b: tuple(b.moves) == MAIN_LINE and b.position.is_over,
    "Black has 12 stones and White 9.": lambda b: (
        (b.position.black.bit_count(), b.position.white.bit_count()) == (12, 9)
    ),
    "The stone at 2,2 has stood all the time.": lambda b: all(
        b.back(plies).black >> 12 & 1 for plies in range(GAME_PLIES)
    ),
    # The lesson “Why not the corners”
    "In a corner a stone has two free points beside it, at the edge three, elsewhere four.": lambda b: alone(2, 3, 4),
    "No first move is worse than 0,0: White wins by 5.5.": lambda b: (
        values(START)["0,0"] == min(values(START).values()) and result(b.position) == "W+5.5"
    ),
    "White may even play where he likes: every stone wins, and only a PASS gives the win away.": lambda b: (
        winning(b.position) == stones(b.position)
    ),
    "Two stones have taken the white one in the corner.": lambda b: took(b, "0,0") == {"0,1", "1,0"},
    "The crosses show where stones were taken.": lambda b: taken(b.back(), b.position) == 1,
    "At the edge it took three.": lambda b: took(b, "0,2") == {"0,1", "1,2", "0,3"},
    "After 2,2 White is lost, but by half a point.": lambda b: result(b.back()) == "B+0.5",
    "In a corner he loses by 2.5: as much as by a PASS.": lambda b: (
        {result(b.back().play(parse_move(name))) for name in ("0,0", "0,4", "4,0", "4,4", "PASS")} == {"B+2.5"}
    ),
    "So an early stone in the corner is worth no more than none.": lambda b: (
        value(b.position) == value(b.back().play(PASS))
    ),
    "Late it is another matter.": lambda b: True,
    "Four plies are left, and the corner 4,0 is Black's only winning move.": lambda b: (
        b.position.left == 4 and b.position.black_to_move and winning(b.position) == {"4,0"}
    ),
    # The lesson “White has the last ply”
    "A game has 24 plies.": lambda b: b.position.left == GAME_PLIES == 24,
    "Black plays the odd ones and White the even ones, so nobody can answer White's last move.": lambda b: (
        b.position.black_to_move and GAME_PLIES % 2 == 0
    ),
    "The next boards show what that is worth.": lambda b: True,
    "One ply is left, and Black is three stones ahead: enough, if the game ended now.": lambda b: (
        b.position.left == 1 and b.position.margin == 3
    ),
    "But every stone that White can play wins.": lambda b: stones(b.position) <= winning(b.position),
    "Only with a PASS would he lose.": lambda b: winning(b.position) == stones(b.position),
    "The last ply again, and Black is four stones ahead.": lambda b: b.position.left == 1 and b.position.margin == 4,
    "At 3,4 White takes two stones and puts one: Black is only one ahead, and White wins.": lambda b: (
        taken(b.position, after := b.position.play(parse_move("3,4"))) == 2 and after.margin == 1
    ),
    "After any other move, PASS too, Black would win.": lambda b: winning(b.position) == {"3,4"},
    "Two plies are left, and the second is White's.": lambda b: b.position.left == 2 and b.position.black_to_move,
    "The big black group has one free point, 0,0.": lambda b: (
        group_at("2,2", b.position).bit_count() == 10
        and neighbours(group_at("2,2", b.position)) & ~(b.position.black | b.position.white) == 1
    ),
    "Only 4,1 wins: it takes two stones and gives the group more.": lambda b: (
        winning(b.position) == {"4,1"}
        and taken(b.position, after := b.position.play(parse_move("4,1"))) == 2
        and free(group_at("2,2", after), after) > 1
    ),
    "After 1,4 White takes ten stones with the last ply.": lambda b: (
        taken(b.back(), b.position) == 10 and b.position.left == 0
    ),
    "Nobody can answer: White wins by 10.5.": lambda b: b.position.is_over and result(b.position) == "W+10.5",
    # The lesson “When PASS wins”
    "A PASS on the first ply ends the game at once: the host takes the unchanged board for a second PASS.": lambda b: (
        b.moves == [PASS] and b.position.is_over
    ),
    "Nobody has a stone, and White wins by the komi.": lambda b: (
        b.position.black == b.position.white == 0 and result(b.position) == f"W+{KOMI}"
    ),
    "Two in a row end the game, too.": lambda b: b.position.passed and b.position.play(PASS).is_over,
    "If Black passed now, he would be one stone ahead and lose.": lambda b: b.position.play(PASS).margin == 1,
    "Any stone of his wins.": lambda b: winning(b.position) == stones(b.position),
    "Three plies are left, and White to move may only play 0,3, 0,4 or PASS.": lambda b: (
        b.position.left == 3 and not b.position.black_to_move and stones(b.position) == {"0,3", "0,4"}
    ),
    "PASS wins; either stone loses.": lambda b: winning(b.position) == {"PASS"},
    "White played 0,3, one of the two free points of his own stones.": lambda b: (
        move_name(b.moves[-2]) == "0,3" and free(b.back(2).white, b.back(2)) == 2
    ),
    "Black played the other one, and all ten white stones are gone.": lambda b: (
        b.position.white == 0 and taken(b.back(), b.position) == 10
    ),
    "After the PASS Black is two stones ahead, half a point short of the komi.": lambda b: b.position.margin == 2,
    "No move of his changes that.": lambda b: not winning(b.position) and b.position.black_to_move,
    "Nobody has to move, and here moving loses.": lambda b: winning(b.back()) == {"PASS"},
    # The lesson “The ko rule in practice”
    "White's stone at 2,0 has one free point beside it, 1,0.": lambda b: (
        group_at("2,0", b.position) == 1 << 10 and free(1 << 10, b.position) == 1
    ),
    "Black takes it there: no other move is worth as much.": lambda b: (
        best(b.position) == {"1,0"} and taken(b.position, b.position.play(parse_move("1,0"))) == 1
    ),
    "If White could take back at 2,0, White would win.": lambda b: (
        value(b.position._replace(ko=None).play(parse_move("2,0"))) < 3
    ),
    "But that would bring back the board before Black's move.": lambda b: (
        b.position._replace(ko=None).play(10)[:2] == b.back()[:2]
    ),
    "So the point is forbidden for one ply: the square marks it.": lambda b: b.position.ko == 10,
    "Now every move of White's loses.": lambda b: not winning(b.position),
    "White has played elsewhere, and 2,0 is free again.": lambda b: b.position.ko is None and b.back().ko == 10,
    "White threatens to take there.": lambda b: taken(passed := b.position.play(PASS), passed.play(10)) == 1,
    "Black's only winning move is to fill it.": lambda b: winning(b.position) == {"2,0"},
    "Black forgot, and White took.": lambda b: move_name(b.moves[-2]) != "2,0" and taken(b.back(), b.position) == 1,
    "Now 1,0 is forbidden to Black for one ply, and White wins.": lambda b: (
        b.position.ko == parse_move("1,0") and value(b.position) < 3
    ),
    "Two plies are left.": lambda b: b.position.left == 2,
    "Black's only winning move is 0,0, which takes 0,1.": lambda b: (
        winning(b.position) == {"0,0"} and not b.position.play(0).white >> 1 & 1
    ),
    "White has the last ply, and may not take back.": lambda b: b.position.play(0).ko == 1 and b.position.left == 2,
    # The lesson “The trap after 2,2 1,2”
    "White is lost, whatever he plays.": lambda b: not winning(b.position),
    "So he plays where people go wrong: the book's move is 1,2, which loses by no more than any other.": lambda b: (
        canonical_key(b.position.play(read_book(str(ROOT / "book.json"), game=COURSE).find(b.position).move))
        == canonical_key(b.position.play(parse_move("1,2")))
        and "1,2" in best(b.position)
    ),
    "Only two of Black's 24 replies keep the win, 2,1 and 2,3: each is the other's image.": lambda b: (
        holds(b, 24, "2,1", "2,3")
        and winning(b.position) == {"2,1", "2,3"}
        and len({canonical_key(b.position.play(parse_move(name))) for name in ("2,1", "2,3")}) == 1
    ),
    "By the models most opponents miss them.": lambda b: missed(b.position) > 0.5,
    "A likely mistake, away from the white stone.": lambda b: trap(b.back())["3,2"][0] > 0.15,
    "White wins by half a point, with 1,1 or 1,3 alone.": lambda b: (
        result(b.position) == "W+0.5" and winning(b.position) == {"1,1", "1,3"}
    ),
    "Black found 2,1, and White sets the next trap.": lambda b: move_name(b.moves[-2]) == "2,1",
    "Of 22 replies one alone wins: 3,3.": lambda b: holds(b, 22, "3,3"),
    "The models' opponents miss it 94 times in a hundred.": lambda b: round(100 * missed(b.position)) == 94,
    "The third trap.": lambda b: len(b.moves) == 6,
    "Of 20 replies one wins, 3,4.": lambda b: holds(b, 20, "3,4"),
    "The fourth: of 18 replies one wins, 1,0.": lambda b: holds(b, 18, "1,0"),
    "The fifth, and the last in the book.": lambda b: len(b.moves) == 10,
    "Of 16 replies one wins, 2,0.": lambda b: holds(b, 16, "2,0"),
    "Black has found all five, and wins by half a point.": lambda b: result(b.position) == "B+0.5",
    "One wrong reply on the way would have been enough for White.": lambda b: all(
        missed(b.back(plies)) > 0 for plies in (1, 3, 5, 7, 9)
    ),
}


def took(board: Board, name: str) -> set[str]:
    """Return the stones around a point whose stone the last move has captured."""
    point = 1 << parse_move(name)
    assert board.back().white & point
    assert not board.position.white & point
    return {move_name(p) for p in range(POINTS) if neighbours(point) & board.position.black & 1 << p}


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.]) (?=[A-Z])", text)


@pytest.mark.parametrize("lesson", range(len(LESSONS)))
def test_every_sentence_is_true(lesson: int) -> None:
    for board in BOARDS[lesson]:
        for sentence in sentences(board.text):
            assert CLAIMS[sentence](board), sentence


def test_there_are_six_lessons_and_no_other_claims() -> None:
    titles = ["Why the centre", "Why not the corners", "White has the last ply", "When PASS wins"]
    titles += ["The ko rule in practice", "The trap after 2,2 1,2"]
    assert [lesson["title"] for lesson in LESSONS] == titles
    assert all(1 < len(boards) <= 8 for boards in BOARDS)
    assert {each for boards in BOARDS for board in boards for each in sentences(board.text)} == set(CLAIMS)


def test_the_tour_is_walked(explorer: Explorer) -> None:
    # Stop the searches, which the tour does not need.
    explorer.page.keyboard.press("Space")
    explorer.page.click("#tab-tour")
    for number, (lesson, boards) in enumerate(zip(LESSONS, BOARDS, strict=True), 1):
        for count, board in enumerate(boards, 1):
            assert explorer.text("#tour-count") == f"Lesson {number} of 6, board {count} of {len(boards)}"
            assert explorer.text("#tour-title") == lesson["title"]
            assert explorer.text("#tour-text") == board.text
            assert explorer.position()["black"] == board.position.black
            assert explorer.is_visible("#moves") == (
                not board.position.is_over and not lesson["boards"][count - 1].get("plain", False)
            )
            if board is not BOARDS[-1][-1]:
                explorer.page.click("#tour-next")
    assert not explorer.is_enabled("#tour-next")
    explorer.page.select_option("#tour-lesson", "4")
    assert explorer.text("#tour-title") == "The ko rule in practice"
    explorer.play("1,0")
    explorer.page.click("#tour-again")
    assert explorer.position()["black"] == BOARDS[4][0].position.black
    explorer.page.wait_for_selector("#tour-again", state="hidden")
