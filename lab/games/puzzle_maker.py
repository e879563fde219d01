"""Draw puzzles, which are positions in which only one move wins, graded by how often opponents miss this move."""

import random
from collections.abc import Iterator

from little_go.book.answers.reasons import LATE_LEFT, ExactOracle, explained, teaching_line
from little_go.book.files.atlas import read_atlas
from little_go.book.files.games import STAFF_GAMES, read_games
from little_go.book.files.puzzles import SEARCHED_LEFT, Puzzle
from little_go.book.files.shipped import ATLAS_FILE
from little_go.generator.opponents.population import open_population, times, total
from little_go.runtime.display import Watch, unwatched
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, SIZE, Position
from little_go.solver.symmetry import canonical_key

#: Numbers of plies left in positions from games. With more plies a search takes long, and with fewer plies a puzzle is
#: uninteresting.
_LEFT = range(2, 17)

#: The number of positions from the atlas that are examined before the positions from games.
_EARLY = 80

#: The minimum share of opponents that miss a puzzle; an easier puzzle teaches nothing.
_LEAST_WRONG = 0.05

#: The number of grades from easy to hard. Each grade gets the same number of puzzles.
_GRADES = 5

_TABLE_MIB = 512


class Drawing:
    """The drawing of puzzles, with one table for all searches."""

    def __init__(self, seed: int) -> None:
        """Prepare the drawing. seed: determines the order of positions."""
        self._kernel = Kernel(open_table(_TABLE_MIB))
        self._judge = ExactOracle(self._kernel)
        self._population = open_population(COURSE)
        self._random = random.Random(seed)
        self._atlas = list(read_atlas(ATLAS_FILE))
        self._black_wins = {canonical_key(row.position): row.lo >= BLACK_WINS for row in self._atlas}

    def draw(self, count: int, watch: Watch = unwatched) -> list[Puzzle]:
        """Return at most ``count`` puzzles, from easy to hard, with an equal number of each grade if possible.

        watch: wraps the positions to show the progress.
        """
        grades: list[list[Puzzle]] = [[] for _ in range(_GRADES)]
        most = -(-count // _GRADES)
        for position in watch(self._positions()):
            puzzle = self._puzzle(position)
            if puzzle is not None and len(grade := grades[min(int(puzzle.wrong * _GRADES), _GRADES - 1)]) < most:
                grade.append(self._with_lines(puzzle))
            if all(len(grade) == most for grade in grades):
                break
        return sorted((puzzle for grade in grades for puzzle in grade), key=lambda puzzle: puzzle.wrong)[:count]

    def _positions(self) -> list[Position]:
        """Return shuffled positions before the atlas's last ply, followed by shuffled positions of logged games."""
        known = [row.position for row in self._atlas]
        early = [position for position in known if 0 < position.ply < known[-1].ply]
        games = {
            canonical_key(position): position
            for game in read_games(STAFF_GAMES)
            for position, _ in game.steps()
            if position.left in _LEFT
        }
        for positions in (early, late := list(games.values())):
            self._random.shuffle(positions)
        return early[:_EARLY] + late

    def _puzzle(self, position: Position) -> Puzzle | None:
        """Return a position as a puzzle with lines of one move, or None if the position is not a puzzle."""
        if not self._wins(position, position.mover):
            return None
        moves: dict[int, list[int]] = {}
        for move in position.legal_moves():
            moves.setdefault(canonical_key(position.play(move)), []).append(move)
        winning: list[int] = []
        for alike in moves.values():
            if self._wins(position.play(alike[0]), position.mover):
                if winning:
                    return None
                winning = alike
        masses = self._population.chances(position, winning)
        chances = {move: total(times(self._population.weights, each)) for move, each in masses.items()}
        losing = [move for move in chances if move not in winning]
        wrong = sum(chances[move] for move in losing)
        if wrong < _LEAST_WRONG:
            return None
        tempting = max(losing, key=lambda move: chances[move])
        return Puzzle(position, tuple(winning), wrong, (winning[0],), (tempting,))

    def _wins(self, position: Position, colour: int) -> bool:
        if position.is_over:
            return COURSE.leader(position) == colour
        black = self._black_wins.get(canonical_key(position))
        if black is None:
            black = bool(self._kernel.decide(position, BLACK_WINS).at_least(BLACK_WINS))
        return black == (colour == 1)

    def _with_lines(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with lines that explain the tempting move and, if many plies are left, with more lines."""
        position = puzzle.position
        why = explained(position, puzzle.tempting, self._judge, game=COURSE)
        assert why is not None, "the tempting move loses, so it is worth less"
        told = why.better[0], why.worse[0]
        others = [move for move in position.legal_moves() if move not in told and position.left > SEARCHED_LEFT]
        lines = tuple(self._winning_line(position, move) for move in others)
        return puzzle._replace(solution=why.better, refutation=why.worse, others=lines)

    def _best_play(self, position: Position) -> Iterator[int]:
        guess = None
        while position.left > LATE_LEFT:
            found = self._kernel.value(position, guess=guess)
            assert found.best is not None, "an exact value has a best move"
            guess, position = found.lo, position.play(found.best)
            yield found.best

    def _winning_line(self, position: Position, first: int) -> tuple[int, ...]:
        """Return a line in which the winner keeps the win, and the other side plays close to the centre."""
        moves, at = [first], position.play(first)
        while at.left > SEARCHED_LEFT:
            keeping = self._kernel.decide(at, BLACK_WINS).best if self._wins(at, at.mover) else None
            moves.append(min(at.legal_moves(), key=_off_centre) if keeping is None else keeping)
            at = at.play(moves[-1])
        return (*moves, *teaching_line(at, list(self._best_play(at))))


def _off_centre(move: int) -> tuple[bool, int]:
    """Return a sort key for moves: moves near the centre come first, and PASS comes last."""
    return move == PASS, sum(abs(each - SIZE // 2) for each in divmod(move, SIZE))
