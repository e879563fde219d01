"""The options of the commands that learn."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import click

from arena.learning.learner import LearningSettings
from runtime.options import gathered, setting

_F = TypeVar("_F", bound=Callable[..., None])

_SHARE = click.FloatRange(min=0, max=1)
_RATE = click.FloatRange(min=0, max=1, min_open=True)


def learning_options(default: LearningSettings) -> Callable[[_F], _F]:
    """Make a decorator that adds the options for learning; the command gets them as ``settings``."""

    def settings(alpha: float, gamma: float, epsilon: float) -> LearningSettings:
        return replace(default, alpha=alpha, gamma=gamma, epsilon=epsilon)

    return gathered(
        "settings",
        settings,
        setting("--alpha", _RATE, default.alpha, "Learning rate."),
        setting("--gamma", _SHARE, default.gamma, "Discount factor per move."),
        setting("--epsilon", _SHARE, default.epsilon, "Share of moves that are chosen at random."),
    )
