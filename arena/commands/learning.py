"""The options of the commands that learn."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from arena.commands.options import Command
from arena.learning.learner import LearningSettings

_SHARE = click.FloatRange(min=0, max=1)


def learning_options(default: LearningSettings) -> Callable[[Command], Command]:
    """Make a decorator that adds the options for learning; the command gets them as ``settings``."""

    def add(command: Command) -> Command:
        @click.option(
            "--alpha",
            default=default.alpha,
            show_default=True,
            type=click.FloatRange(min=0, max=1, min_open=True),
            help="Learning rate.",
        )
        @click.option(
            "--gamma", default=default.gamma, show_default=True, type=_SHARE, help="Discount factor per move."
        )
        @click.option("--win", default=default.win, show_default=True, help="Reward for a win.")
        @click.option("--draw", default=default.draw, show_default=True, help="Reward for a draw.")
        @click.option("--loss", default=default.loss, show_default=True, help="Reward for a loss.")
        @click.option(
            "--initial", default=default.initial, show_default=True, help="Value of a move that was never tried."
        )
        @click.option(
            "--epsilon",
            default=default.epsilon,
            show_default=True,
            type=_SHARE,
            help="Share of moves that are chosen at random.",
        )
        @wraps(command)
        def with_settings(
            *arguments: Any,
            alpha: float,
            gamma: float,
            win: float,
            draw: float,
            loss: float,
            initial: float,
            epsilon: float,
            **options: Any,
        ) -> None:
            settings = LearningSettings(alpha, gamma, win, draw, loss, initial, epsilon)
            command(*arguments, settings=settings, **options)

        return with_settings

    return add
