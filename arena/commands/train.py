"""``little-go train`` and ``little-go tictactoe``: Q-learning of Little-Go and of tic-tac-toe."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import click

from little_go.arena.learning.learner import (
    Learner,
    LearningSettings,
    Match,
    learnt_policy,
    play_match,
    summary,
    train_game,
)
from little_go.arena.learning.littlego import MEASURED_AGAINST, Opponents, Run, TrainingPlan, write_table
from little_go.arena.learning.tictactoe import PLAYERS, TIC_TAC_TOE
from little_go.arena.standings.entrants import BUILT_IN, PROGRAMMED
from little_go.arena.standings.tally import Progress
from little_go.runtime.errors import writing
from little_go.runtime.files import check_writable
from little_go.runtime.options import COUNT, FILE, gathered, json_option, seed_option, setting
from little_go.solver.family import COURSE

_F = TypeVar("_F", bound=Callable[..., None])

_SHARE = click.FloatRange(min=0, max=1)
_RATE = click.FloatRange(min=0, max=1, min_open=True)


def learning_options(default: LearningSettings) -> Callable[[_F], _F]:
    """Return a decorator that adds the options for learning; the command gets ``settings``."""

    def settings(alpha: float, gamma: float, epsilon: float) -> LearningSettings:
        return replace(default, alpha=alpha, gamma=gamma, epsilon=epsilon)

    return gathered(
        "settings",
        settings,
        setting("--alpha", _RATE, default.alpha),
        setting("--gamma", _SHARE, default.gamma),
        setting("--epsilon", _SHARE, default.epsilon),
    )


#: The name of the opponent for a learner that plays against itself.
SELF = "self"

#: Minimum number of updates of a value that is written to the file.
LEAST_VISITS = 3

#: The opponents that the learner can play against.
OPPONENTS: Opponents = {
    SELF: None,
    **{name: BUILT_IN[name] for name in PROGRAMMED},
}

SETTINGS = LearningSettings(alpha=0.1, gamma=1.0, win=1.0, draw=0.5, loss=0.0, initial=0.5, epsilon=0.1)

_AGAINST = (SELF, "greedy", "aggressive", "alphabeta")


@click.command()
@setting("--episodes", COUNT, 100_000)
@click.option(
    "--against",
    multiple=True,
    type=click.Choice(list(OPPONENTS)),
    default=_AGAINST,
    show_default=True,
    metavar="AGENT",
)
@seed_option()
@setting("--out", FILE, Path("qlearning.json"))
@setting("--every", COUNT, 10_000)
@setting("--test-games", COUNT, 100)
@json_option()
@learning_options(SETTINGS)
def train(
    episodes: int,
    against: tuple[str, ...],
    seed: int,
    out: Path,
    every: int,
    test_games: int,
    as_json: bool,
    settings: LearningSettings,
) -> None:
    """Learn Little-Go from games, and write the learnt values.

    The same options result in the same values. At each measurement the command prints the share of games that the
    learner wins without random moves.
    """
    run = Run(TrainingPlan(settings, seed, against, every, test_games), OPPONENTS, Learner(settings))
    with writing():
        # If the file cannot be written, the command ends before the first game.
        check_writable(out)
        with Progress(episodes, hidden=False, plies=COURSE.plies) as progress:
            while run.episodes < episodes:
                run.step()
                progress.game()
        write_table(run.table(LEAST_VISITS), out)
    click.echo("\n".join(_measurements(run, as_json)))


def _measurements(run: Run, as_json: bool) -> Iterator[str]:
    if as_json:
        yield from (json.dumps({"episodes": point.episodes, "won": point.rates}) for point in run.points)
        return
    yield f"{'episodes':>9}" + "".join(f"{name:>12}" for name in MEASURED_AGAINST)
    for point in run.points:
        yield f"{point.episodes:9,}" + "".join(f"{point.rates[name]:>12.1%}" for name in MEASURED_AGAINST)
    yield f"{run.episodes:,} episodes, {len(run.learner.values):,} values learnt"


#: A loss costs more than a win gains, because bad moves that random players rarely punish would look good otherwise.
TICTACTOE_SETTINGS = LearningSettings(alpha=0.2, gamma=0.9, win=1.0, draw=0.5, loss=-1.0, initial=0.6, epsilon=0.1)


@click.command()
@setting("--episodes", click.IntRange(min=0), 100_000)
@setting("--test-games", COUNT, 1000)
@seed_option()
@json_option()
@learning_options(TICTACTOE_SETTINGS)
def tictactoe(episodes: int, test_games: int, seed: int, as_json: bool, settings: LearningSettings) -> None:
    """Learn tic-tac-toe from games, and show how the learner plays.

    The opponents take turns: RandomPlayer, SmartPlayer (which wins or blocks if one move does it) and PerfectPlayer
    (which never loses). The learner plays as X and as O. Then the learner plays a match against each opponent without
    learning.
    """
    matches = play_matches(learn(settings, episodes, seed), test_games, seed)
    if as_json:
        click.echo(json.dumps({"games": episodes, "seed": seed, "matches": [match.record() for match in matches]}))
    else:
        click.echo("\n".join(summary(matches)))


def learn(settings: LearningSettings, games: int, seed: int) -> Learner:
    """Return a learner that has learnt from the given number of games."""
    learner, game, rng = Learner(settings), TIC_TAC_TOE, Random(seed)
    opponents = list(PLAYERS.values())
    with Progress(games, hidden=False, plies=COURSE.plies) as progress:
        for number in range(games):
            opponent = opponents[number // 2 % len(opponents)]
            train_game(game, learner, 1 + number % 2, opponent, rng)
            progress.game()
    return learner


def play_matches(learner: Learner, games: int, seed: int) -> list[Match]:
    """Play and return matches of a learner as X and as O against each of PLAYERS."""
    game, policy = TIC_TAC_TOE, learnt_policy(TIC_TAC_TOE, learner)
    return [
        play_match(game, policy, player, name, opponent, games, Random(f"{seed} {name} {player}"))
        for name, opponent in PLAYERS.items()
        for player in (1, 2)
    ]
