"""``little-go tictactoe``: the assignment's example for Q-learning."""

import json
from random import Random

import click

from arena.commands.train import learning_options
from arena.learning.learner import Learner, LearningSettings, Match, play_match, summary, train_game, trained
from arena.learning.tictactoe import PLAYERS, TIC_TAC_TOE
from arena.standings.tally import Progress
from runtime.options import COUNT, json_option, seed_option, setting
from solver.family import COURSE

#: A loss costs more than a win brings: a move that random players seldom punish must not look good.
SETTINGS = LearningSettings(alpha=0.2, gamma=0.9, win=1.0, draw=0.5, loss=-1.0, initial=0.6, epsilon=0.1)


@click.command()
@setting("--episodes", click.IntRange(min=0), 100_000, "Games to learn from.")
@setting("--test-games", COUNT, 1000, "Games per pairing afterwards.")
@seed_option("Seed of all games.")
@json_option("Print one JSON object.")
@learning_options(SETTINGS)
def tictactoe(episodes: int, test_games: int, seed: int, as_json: bool, settings: LearningSettings) -> None:
    """Learn tic-tac-toe from games, and show what was learnt.

    It learns from games against RandomPlayer, SmartPlayer (wins or blocks if one move does it) and PerfectPlayer (never
    loses) in turn, as X and as O. Then it plays each of them without learning.
    """
    matches = play_matches(learn(settings, episodes, seed), test_games, seed)
    if as_json:
        click.echo(json.dumps({"games": episodes, "seed": seed, "matches": [match.record() for match in matches]}))
    else:
        click.echo("\n".join(summary(matches)))


def learn(settings: LearningSettings, games: int, seed: int) -> Learner:
    """Return a learner that has played this many games."""
    learner, game, rng = Learner(settings), TIC_TAC_TOE, Random(seed)
    opponents = list(PLAYERS.values())
    with Progress(games, hidden=False, plies=COURSE.plies) as progress:
        for number in range(games):
            opponent = opponents[number // 2 % len(opponents)]
            train_game(game, learner, 1 + number % 2, opponent, rng)
            progress.game()
    return learner


def play_matches(learner: Learner, games: int, seed: int) -> list[Match]:
    """Return the matches of a learner as X and as O against each of PLAYERS."""
    game, policy = TIC_TAC_TOE, trained(TIC_TAC_TOE, learner)
    return [
        play_match(game, policy, player, name, opponent, games, Random(f"{seed} {name} {player}"))
        for name, opponent in PLAYERS.items()
        for player in (1, 2)
    ]
