"""The file of puzzles, which are positions in which only one move keeps the win.

The file is CSV with a line for each puzzle, from the easiest to the hardest puzzle.

The columns: ``number``: from 1. ``ply``, ``board``, ``ko``, ``passed``: the position, as in the atlas. ``answers``: the
winning move and its symmetric moves. ``wrong``: the chance, in percent, that an opponent errs (generator.opponents).
``tempting``: the likeliest error. ``themes``: elements of THEMES. ``solution``, ``refutation``: best play to the end,
beginning with the answer and with the tempting move. ``others``: lines to the end after each other move, separated by
semicolons, if more than SEARCHED_LEFT plies are left. In these lines the winner keeps the win, and the last
SEARCHED_LEFT plies are best play.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.book.files.atlas import position_fields, position_of_fields
from little_go.runtime.files import MIB, UNREADABLE, open_text, why_unreadable, write_whole
from little_go.runtime.release import shipped
from little_go.solver.position import PASS, POINTS, Position, groups_of, move_name, neighbours, parse_moves, play_all
from little_go.solver.symmetry import canonical_key

#: The shipped file of puzzles.
PUZZLES = shipped("data/puzzles.csv")

#: If this number of plies or fewer are left, a search finds best play within about a second.
SEARCHED_LEFT = 16

COLUMNS = (
    *("number", "ply", "board", "ko", "passed"),
    *("answers", "wrong", "tempting", "themes", "solution", "refutation", "others"),
)

#: The themes of puzzles. themes_of() has a rule for each theme.
THEMES = ("pass", "capture", "ko", "rescue", "connect", "centre", "self-atari", "last-plies")


class PuzzlesError(ValueError):
    """Raised if a file does not contain puzzles. The message is one line with the number of the bad line."""


class Puzzle(NamedTuple):
    """A puzzle, whose fields are the columns of the file."""

    position: Position
    answers: tuple[int, ...]
    wrong: float
    solution: tuple[int, ...]
    refutation: tuple[int, ...]
    others: tuple[tuple[int, ...], ...] = ()

    @property
    def tempting(self) -> int:
        """The likeliest wrong move."""
        return self.refutation[0]

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes, in the order of THEMES. Many puzzles have no theme."""
        return themes_of(self.position, self.solution[0], self.tempting)

    def after(self, move: int) -> tuple[int, ...]:
        """Return the line that begins with a move, or () if the puzzle does not contain such a line."""
        return next((line for line in (self.solution, self.refutation, *self.others) if line[0] == move), ())


def themes_of(position: Position, answer: int, tempting: int) -> tuple[str, ...]:
    """Return the themes of a puzzle.

    pass: the answer is PASS. capture: the answer captures stones. ko: the answer captures a stone, and ko forbids the
    recapture. rescue: own stones in atari have more liberties after the answer. connect: the answer joins groups.
    centre: the answer is 2,2. self-atari: the group of the tempting move has one liberty. last-plies: at most three
    plies are left.
    """
    after, wrong = position.play(answer), position.play(tempting)
    (mine, theirs), (mine_after, theirs_after) = _sides(position), reversed(_sides(after))
    saved = _in_atari(mine, theirs) & mine_after & ~_in_atari(mine_after, theirs_after)
    mine_wrong, theirs_wrong = reversed(_sides(wrong))
    holds = {
        "pass": answer == PASS,
        "capture": theirs_after != theirs,
        "ko": after.ko is not None,
        "rescue": bool(saved),
        "connect": answer != PASS and sum(bool(group & neighbours(1 << answer)) for group in groups_of(mine)) > 1,
        "centre": answer == POINTS // 2,
        "self-atari": tempting != PASS and bool(1 << tempting & _in_atari(mine_wrong, theirs_wrong)),
        "last-plies": position.left <= 3,
    }
    return tuple(theme for theme in THEMES if holds[theme])


def _sides(position: Position) -> tuple[int, int]:
    return (position.black, position.white) if position.black_to_move else (position.white, position.black)


def _in_atari(mine: int, theirs: int) -> int:
    liberties = {group: neighbours(group) & ~(mine | theirs) for group in groups_of(mine)}
    return sum(group for group, free in liberties.items() if not free & (free - 1))


def write_puzzles(puzzles: Iterable[Puzzle], path: Path) -> None:
    """Write a file of puzzles."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, puzzle in enumerate(puzzles, 1):
        tempting, themes = move_name(puzzle.tempting), " ".join(puzzle.themes)
        lines = (puzzle.answers, puzzle.solution, puzzle.refutation, *puzzle.others)
        answers, solution, refutation, *others = (" ".join(map(move_name, moves)) for moves in lines)
        columns = [answers, f"{100 * puzzle.wrong:.1f}", tempting, themes, solution, refutation, ";".join(others)]
        writer.writerow([number, *position_fields(puzzle.position), *columns])
    write_whole(path, text.getvalue().encode("ascii"))


def read_puzzles(path: Path = PUZZLES) -> list[Puzzle]:
    """Return the puzzles in a file. Raise PuzzlesError if the file is not valid."""
    try:
        with open_text(path, 16 * MIB, "ascii") as text:
            return list(_puzzles(path, csv.reader(text, strict=True)))
    except UNREADABLE as error:
        raise PuzzlesError(f"{path}: cannot be read: {why_unreadable(error)}") from None


def _puzzles(path: Path, lines: Iterator[list[str]]) -> Iterator[Puzzle]:
    if tuple(next(lines, ())) != COLUMNS:
        raise PuzzlesError(f"{path}: the columns are not {','.join(COLUMNS)}")
    for number, fields in enumerate(lines, 1):
        try:
            yield _puzzle(fields)
        except (ValueError, TypeError) as error:
            raise PuzzlesError(f"{path}, line {number + 1}: {error}") from None


def _puzzle(fields: list[str]) -> Puzzle:
    _, ply, board, ko, passed, answers, wrong, tempting, _, solution, refutation, others = fields
    position = position_of_fields(ply, board, ko, passed)
    lines = [tuple(parse_moves(line)) for line in (solution, refutation, *filter(None, others.split(";")))]
    solved, refuted, *rest = lines
    puzzle = Puzzle(position, tuple(parse_moves(answers)), float(wrong) / 100, solved, refuted, tuple(rest))
    alike = {canonical_key(position.play(move)) for move in (*puzzle.answers, puzzle.solution[0])}
    if len(alike) != 1 or canonical_key(position.play(puzzle.tempting)) in alike:
        raise ValueError("the lines do not begin with the answer and with another move")
    if not all(play_all(position, line).is_over for line in lines) or move_name(puzzle.tempting) != tempting:
        raise ValueError("the lines do not go to the end")
    if position.left > SEARCHED_LEFT and sorted(line[0] for line in lines) != position.legal_moves():
        raise ValueError("there is not one line for each legal move")
    return puzzle
