"""The whole text of reviews, line by line."""

from dataclasses import replace

import pytest

from little_go.arena.review.review import Review
from little_go.arena.review.text import game_text, lesson_text, partial_review_lines, review_text
from tests.arena.review.made import ENDED_BY_A_FAULT, PLAYED_OUT, THROWN_AWAY

PLAYED_OUT_TEXT = """\
ann (Black, X) - bob (White, O)
Black wins 4 : 3.5 (max)

start        B+0.5
 1 X 2,2     B+0.5
 2 O 1,1     B+2.5  <- costs 2
 3 X 1,2     undecided  <- costs 1 or more
 4 O PASS    B+1.5 or more
 5 X 3,3     B+1.5
 6 O 0,0     B+2.5  <- costs 1
 7 X 0,1     B+2.5
 8 O 4,4     B+2.5

Ply 2: White plays 1,1, costs 2 (misses a cut).
    0 1 2 3 4
  0 . . . . .
  1 . . . . .
  2 . . X . .
  3 . . . . .
  4 . . . . .
  Game: 8 plies, komi 0.5
Before: B+0.5. After: B+2.5.
Why: At ply 9 it loses 2,2. 0,1 would take it.
Better: O 0,0  X 0,1  O 0,2  X 0,3  O 0,4  X 1,0  O 1,3
The answer: X 0,0  O 0,1  X 0,2  O 0,3  X 0,4  O 1,0

Ply 3: Black plays 1,2, costs 1 or more (misses a cut).
    0 1 2 3 4
  0 . . . . .
  1 . O . . .
  2 . . X . .
  3 . . . . .
  4 . . . . .
  Game: 8 plies, komi 0.5
Before: B+2.5. After: undecided.
Why: At ply 9 it loses 2,2. 0,1 would take it.
Better: X 1,3  O 0,0  X PASS  O 4,4
The answer: O 0,4  X 4,0

Ply 6: White plays 0,0, costs 1.
    0 1 2 3 4
  0 . . . . .
  1 . O X . .
  2 . . X . .
  3 . . . X .
  4 . . . . .
  Game: 8 plies, komi 0.5
Before: B+1.5. After: B+2.5.

Result: Black wins 4 : 3.5 (max).
Turning point: none; no move is proven to have changed who
  wins.
Mistakes: Black 1 (1 point); White 2 (3 points).
"""

ENDED_BY_A_FAULT_TEXT = """\
ann (Black, X) - bob (White, O)
White wins (invalid_occupied: 2,2 is occupied)

start        B+0.5
 1 X 2,2     B+0.5
 2 O 1,1     B+3.5  <- costs 3
 3 X 2,2     <- a fault: plays on an occupied point

Ply 3: Black played 2,2, where there is a stone already.
    0 1 2 3 4
  0 . . . . .
  1 . O . . .
  2 . . X . .
  3 . . . . .
  4 . . . . .
  Game: 8 plies, komi 0.5
Rule: A stone may only be put on an empty point.
It lost the game at once; Black was winning (B+3.5).

Ply 2: White plays 1,1, costs 3 (misses an eye).
    0 1 2 3 4
  0 . . . . .
  1 . . . . .
  2 . . X . .
  3 . . . . .
  4 . . . . .
  Game: 8 plies, komi 0.5
Before: B+0.5. After: B+3.5.
Why: It has one eye. 2,4 makes two eyes.
Better: O 0,0
The answer: X 3,3  O 4,4

Result: White wins (invalid_occupied: 2,2 is occupied).
Turning point: ply 3, a fault: Black played 2,2, where there
  is a stone already. It lost the game at once; Black was
  winning (B+3.5).
Mistakes: Black 1 (a fault: plays on an occupied point);
  White 1 (3 points).
"""

THROWN_AWAY_TEXT = """\
ann (Black, X) - bob (White, O)
White wins 0.5 : 0 (two_passes)

start        B+0.5
 1 X PASS    W+0.5  <- costs 1 and the win

Ply 1: Black plays PASS, costs 1 and the win (passes).
    0 1 2 3 4
  0 . . . . .
  1 . . . . .
  2 . . . . .
  3 . . . . .
  4 . . . . .
  Game: 8 plies, komi 0.5
Before: B+0.5. After: W+0.5.
Better: X 2,2  O 0,0  X 0,1  O 0,2  X 0,3  O 0,4  X 1,0
The answer: X 0,0  O 0,1  X 0,2  O 0,3  X 0,4  O 1,0

Result: White wins 0.5 : 0 (two_passes).
Turning point: ply 1, Black played PASS; 2,2 kept the win.
Mistakes: Black 1 (1 point); White 0.
"""

GAME_TEXT = """\
games.jsonl, game 1: ann (Black, X) - bob (White, O). Black
  wins 4 : 3.5 (max).
  Turning point: none; no move is proven to have changed who
    wins.
  Mistakes: Black 1 (1 point); White 2 (3 points).
"""


@pytest.mark.parametrize(
    ("review", "text"),
    [
        (PLAYED_OUT, PLAYED_OUT_TEXT),
        (ENDED_BY_A_FAULT, ENDED_BY_A_FAULT_TEXT),
        (THROWN_AWAY, THROWN_AWAY_TEXT),
    ],
)
def test_the_text_of_a_review(review: Review, text: str) -> None:
    assert review_text(review) == text.splitlines()


def test_the_text_of_one_of_several_games() -> None:
    assert game_text(PLAYED_OUT) == GAME_TEXT.splitlines()


def test_lines_are_printed_up_to_the_first_open_position() -> None:
    lines = PLAYED_OUT_TEXT.splitlines()
    stages, seen = [replace(PLAYED_OUT, open=frozenset({3, 5})), replace(PLAYED_OUT, open=frozenset({5}))], []
    for line in partial_review_lines(iter(stages[:1])):
        seen.append(line)
        if line.startswith(" 2 O"):
            break
    assert seen == lines[:6]
    assert list(partial_review_lines(stages))[3:8] == lines[3:8]
    assert list(partial_review_lines([*stages, PLAYED_OUT])) == lines


@pytest.mark.parametrize(
    ("review", "colours", "lesson"),
    [
        (
            PLAYED_OUT,
            (1,),
            ["Biggest mistake: ply 3, Black's 1,2 costs 1 or more.", "Instead: X 1,3  O 0,0  X PASS  O 4,4"],
        ),
        (
            PLAYED_OUT,
            (1, 2),
            ["Biggest mistake: ply 2, White's 1,1 costs 2.", "Instead: O 0,0  X 0,1  O 0,2  X 0,3  O 0,4  X 1,0"],
        ),
        (THROWN_AWAY, (2,), ["Biggest mistake: none is proven for you.", "Instead: no better move is proven."]),
        (
            replace(THROWN_AWAY, mistakes=()),
            (1, 2),
            ["Biggest mistake: none is proven for either side.", "Instead: no better move is proven."],
        ),
        (
            replace(PLAYED_OUT, mistakes=PLAYED_OUT.mistakes[2:]),
            (2,),
            ["Biggest mistake: ply 6, White's 0,0 costs 1.", "Instead: no better move is known"],
        ),
    ],
)
def test_the_lesson_of_a_game(review: Review, colours: tuple[int, ...], lesson: list[str]) -> None:
    assert lesson_text(review, colours)[-2:] == lesson
