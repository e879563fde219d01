"""Advice for a person who plays on the terminal: the best move, the values of all moves, and the cost of a mistake."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property
from itertools import groupby

from little_go.arena.agents import human
from little_go.arena.match.contestant import GameAdvice
from little_go.arena.match.host import State
from little_go.arena.review.reading import GameToReview, positions_of
from little_go.arena.review.review import Evaluator, Review, judge_move, partial_reviews, with_lines, with_progress
from little_go.arena.review.text import lesson_text, mistake_text, worst_mistake, wrap_lines
from little_go.arena.standings.tally import PATIENCE, Progress
from little_go.book.answers.query import NOT_IN_BOOK, Knowledge
from little_go.book.answers.report import settled_text, settling_text
from little_go.notation.movetext import moves_text
from little_go.runtime.display import Display
from little_go.solver.alphabeta import AlphaBeta
from little_go.solver.bounds import COLOURS
from little_go.solver.position import move_name, parse_move

#: Depth in plies of the search that guesses a move if nothing is proven.
GUESS_DEPTH = 4

#: Maximum plies of best play that a hint shows.
HINT_PLIES = 4


class Adviser:
    """An adviser that answers a person's questions about games, and reuses earlier searches."""

    def __init__(self, open_evaluator: Callable[[], Evaluator], colours: Collection[int]) -> None:
        """Prepare the adviser. open_evaluator: called for the first question. colours: the colours that people play."""
        self._open_evaluator = open_evaluator
        self._colours = colours
        self._last: Review | None = None

    @cached_property
    def _evaluator(self) -> Evaluator:
        return self._open_evaluator()

    @property
    def advice(self) -> GameAdvice:
        """The functions that give advice, by the word that a person enters to get the advice."""
        return {human.HINT: self.hint, human.VALUES: self.values, human.WHY: self.why}

    def hint(self, state: State) -> list[str]:
        """Return lines of text on the best move and the best play after it."""
        *way, position = positions_of(state)
        evaluator = self._evaluator.for_game(state.game)
        known = evaluator.known(position, way=way)
        if known.best is None or known.winner is None:
            guess = AlphaBeta(state.game.komi).search(position, depth_limit=GUESS_DEPTH).move
            return wrap_lines(f"{unproven(known)}. A guess, from {GUESS_DEPTH} plies ahead: {move_name(guess)}.")
        line = [known.best, *evaluator.line(position.play(known.best), HINT_PLIES - 1)]
        head = "Play" if known.winner == position.mover else "Lost against best play; most stubborn is"
        trap = None if known.winner == position.mover or known.choice is None else known.choice.move
        return [
            *wrap_lines(f"{head} {move_name(known.best)}: {worth_text(known)}."),
            *wrap_lines(moves_text(line, position.ply)),
            *([] if trap is None else wrap_lines(f"The book's trap is {move_name(trap)}.")),
        ]

    def values(self, state: State) -> list[str]:
        """Return lines of text with the value of each legal move, the best moves for the mover first."""
        *way, position = positions_of(state)
        updates = self._evaluator.for_game(state.game).values(position, way)
        with Display(patience=PATIENCE) as display:
            for known in updates:
                display.show(settling_text(known), known.exact, len(known.after_moves))
        lines = [verdict_text(known)]
        for words, alike in groupby(known.moves, lambda known: worth_text(known.after)):
            names = "  ".join(move_name(move) for move in sorted(move for known in alike for move in known.moves))
            lines += wrap_lines(f"{words}:  {names}")
        return [*lines, *wrap_lines(settled_text(known, display.elapsed))]

    def why(self, state: State) -> list[str]:
        """Return lines of text on the cost of the mover's last move, and a better move.

        After the end of the game, the lines are about the worst mistake of the game.
        """
        if state.result is not None:
            worst = worst_mistake(self.review(GameToReview("", COLOURS[1], COLOURS[2], state)), self._colours)
            return mistake_text(worst) if worst else ["You made no mistake that is proven."]
        ply = len(state.moves) - 1
        if ply < 1:
            return ["You have made no move yet."]
        before, after = positions_of(state)[ply - 1 : ply + 1]
        move = parse_move(state.moves[ply - 1])
        known = self._evaluator.for_game(state.game).known_of_all([before, after])
        mistake = judge_move(move, *known)
        if mistake is not None:
            return mistake_text(with_lines(mistake, self._evaluator))
        if known[0].value is not None and known[0].value == known[1].value:
            return wrap_lines(f"{move_name(move)} was no mistake: {worth_text(known[1])} before it and after.")
        head = f"{move_name(move)} is not proven to be a mistake"
        return wrap_lines(f"{head}. Before it: {worth_text(known[0])}. After it: {worth_text(known[1])}.")

    def review(self, played: GameToReview) -> Review:
        """Return the review of a game, and show the progress on standard error if the review takes long."""
        if self._last is None or self._last.state != played.state:
            # The evaluator is opened before progress is shown, because reading its sources is not part of the review.
            evaluator = self._evaluator
            with Progress(1, hidden=False, plies=played.state.game.plies) as progress:
                *_, self._last = with_progress(partial_reviews(played, evaluator), progress)
        return replace(self._last, game=played)

    def lesson(self, played: GameToReview) -> list[str]:
        """Return three statements, wrapped into lines, on what the players can learn from a game."""
        return lesson_text(self.review(played), self._colours)


def verdict_text(known: Knowledge) -> str:
    """Return a sentence on the result of a position under best play.

    >>> from little_go.solver import START, Answer
    >>> from little_go.solver.family import COURSE
    >>> verdict_text(Knowledge(START, Answer(3, 3, 12, 0), game=COURSE))
    'B+0.5 here: Black (X) wins by half a point, komi included.'
    >>> verdict_text(Knowledge(START, Answer(-24, 2, None, 0), game=COURSE))
    'White (O) wins here; by how much is not known.'
    """
    if known.winner is None:
        return "Who wins here is not known."
    winner = f"{COLOURS[known.winner]} ({'XO'[known.winner - 1]}) wins"
    if known.value is None:
        return f"{winner} here; by how much is not known."
    points = abs(known.value - known.game.komi)
    by = "half a point" if points == 0.5 else f"{points:g} points"
    return f"{known.worth} here: {winner} by {by}, komi included."


def unproven(known: Knowledge) -> str:
    """Return a clause on a position whose best move is not known."""
    if known.winner is None:
        return f"Nothing is proven: {worth_text(known)}"
    if known.winner == known.position.mover:
        return f"{worth_text(known)}, but no move is known to keep that"
    return f"Lost against best play: {worth_text(known)}; which move is best is not known"


def worth_text(known: Knowledge) -> str:
    """Return the known value of a position with its source, such as ``B+0.5 (atlas)``.

    >>> from little_go.book import Origin
    >>> from little_go.solver import START, Answer
    >>> from little_go.solver.family import COURSE
    >>> worth_text(Knowledge(START, Answer(3, 3, 12, 0), (Origin("atlas", "atlas.csv.gz"),), game=COURSE))
    'B+0.5 (atlas)'
    >>> worth_text(Knowledge(START, Answer(-2, 7, None, 0), (Origin("kernel"),), game=COURSE))
    'undecided (kernel)'
    """
    if known.state == NOT_IN_BOOK:
        return "not in the book, and the search cannot tell"
    return f"{known.worth} ({', '.join(known.kinds)})"
