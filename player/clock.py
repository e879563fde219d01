"""The CPU budget for one move; part of ``my_player3.py``, Python 3.7.

The course limits CPU time; wall time does not count.
"""

import os
import time
from typing import Mapping

#: The environment variable that sets the budget, and the default budget, in seconds.
BUDGET_VARIABLE = "LITTLE_GO_CPU"
DEFAULT_BUDGET = 3.0

#: The course kills a player at 10 s.
MOST_BUDGET = 9.5


class Clock:
    """Seconds of CPU for one move, counted from ``start`` on time.process_time(), 0 being the process's start."""

    def __init__(self, budget: float = DEFAULT_BUDGET, start: float = 0.0) -> None:
        self.budget = budget
        self._start = start

    def deadline(self, share: float = 1.0) -> float:
        """Return when, on time.process_time(), a share of the budget is spent."""
        return self._start + share * self.budget

    def left(self) -> float:
        """Return the seconds left, negative when overspent."""
        return self.deadline() - time.process_time()


def clock_from(environment: Mapping[str, str] = os.environ) -> Clock:
    """Return the clock of the environment's budget, from the process's start; raises ValueError, one line."""
    text = environment.get(BUDGET_VARIABLE)
    if text is None:
        return Clock()
    try:
        budget = float(text)
    except ValueError:
        budget = 0.0
    if not 0.0 < budget <= MOST_BUDGET:
        raise ValueError("{} is {!r}, want seconds above 0, at most {}".format(BUDGET_VARIABLE, text, MOST_BUDGET))
    return Clock(budget)
