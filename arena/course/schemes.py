"""The course's texts on grading, year by year: opponents, games, points and limits (docs/guides/GRADING.md)."""

from typing import NamedTuple

#: Per cent of games won from which an opponent gives its full points, and from which its better factor counts.
FULL_PERCENT, FAIR_PERCENT = 90, 70


class Opponent(NamedTuple):
    """One of the course's agents, and its points.

    agent: our agent in its place. full: points for a win rate of 90 % or more. fair, poor: factors of the win rate from
    70 % on, and below. reserved: whether only the real grading has it.
    """

    agent: str
    full: int
    fair: int
    poor: int
    reserved: bool = False

    def points(self, wins: int, games: int) -> float:
        """Return the points for ``wins`` in ``games``, at least one game.

        >>> Opponent("aggressive", 25, 20, 10).points(14, 20)
        14.0
        """
        if 100 * wins >= FULL_PERCENT * games:
            return self.full
        return (self.fair if 100 * wins >= FAIR_PERCENT * games else self.poor) * wins / games

    def explained(self, wins: int, games: int) -> str:
        """Return the rule that gives these points, with its numbers.

        >>> Opponent("aggressive", 25, 20, 10).explained(14, 20)
        '14 of 20 games won, 70 %. From 70 % to below 90 %: 20 x 14/20 = 14 points'
        >>> Opponent("random", 25, 15, 0).explained(18, 20), Opponent("random", 25, 15, 0).explained(1, 3)
        ('18 of 20 games won, 90 %. From 90 % on: all 25 points', '1 of 3 games won, 33.33 %. Below 70 %: no points')
        """
        if 100 * wins >= FULL_PERCENT * games:
            rule = f"From {FULL_PERCENT} % on: all {self.full} points"
        else:
            fair = 100 * wins >= FAIR_PERCENT * games
            factor = self.fair if fair else self.poor
            band = f"From {FAIR_PERCENT} % to below {FULL_PERCENT} %" if fair else f"Below {FAIR_PERCENT} %"
            product = f"{factor} x {wins}/{games} = {round(self.points(wins, games), 2):g} points"
            rule = f"{band}: {product if factor else 'no points'}"
        return f"{wins} of {games} games won, {round(100 * wins / games, 2):g} %. {rule}"


class Round(NamedTuple):
    """The games of a stage on one occasion.

    games: against each opponent, half of them as Black. cpu: seconds of CPU of the agent for all of them, None without
    a limit.
    """

    games: int
    cpu: float | None


class Stage(NamedTuple):
    """One of the two places where an agent is submitted; each has a submit button."""

    opponents: tuple[Opponent, ...]
    real: Round
    submit: Round

    def round(self, submit: bool) -> Round:
        """Return the games of the submit button, or of the real grading."""
        return self.submit if submit else self.real

    def against(self, submit: bool) -> tuple[Opponent, ...]:
        """Return the opponents of the submit button, or of the real grading."""
        return tuple(opponent for opponent in self.opponents if not (submit and opponent.reserved))


class Scheme(NamedTuple):
    """A year's grading.

    stages: by number. repetitions: of the real grading; the best counts. move_cpu: seconds of CPU for a move. note:
    printed beside the grade, or "".
    """

    stages: dict[int, Stage]
    repetitions: int = 1
    move_cpu: float = 10.0
    note: str = ""

    @property
    def full_points(self) -> int:
        """The most points that the course's agents give."""
        return sum(opponent.full for stage in self.stages.values() for opponent in stage.opponents)


_SIMPLE = Opponent("random", 25, 15, 0), Opponent("greedy", 25, 15, 0), Opponent("aggressive", 25, 20, 10)

_SINCE_2021 = {
    1: Stage(
        (*_SIMPLE, Opponent("alphabeta", 15, 10, 5, reserved=True)),
        real=Round(20, 7200.0),
        submit=Round(20, 5400.0),
    ),
    2: Stage(
        (Opponent("qlearning", 5, 5, 0), Opponent("championship", 5, 5, 2)),
        real=Round(20, 3600.0),
        submit=Round(10, 1800.0),
    ),
}

_IN_2020 = {
    1: Stage(
        (*_SIMPLE, Opponent("alphabeta", 25, 20, 10, reserved=True)),
        real=Round(100, None),
        submit=Round(100, 3600.0),
    ),
}

SCHEMES = {
    2020: Scheme(
        _IN_2020,
        note="2020: the table of points is lost; this one fits the text's example (docs/guides/GRADING.md). Agents "
        "with 80 points or more went on to a second stage among themselves, which little-go class plays",
    ),
    2021: Scheme(_SINCE_2021),
    2023: Scheme(_SINCE_2021),
    2025: Scheme(_SINCE_2021, repetitions=3),
}
