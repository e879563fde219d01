"""The CPU budget for one move; part of ``my_player3.py``, Python 3.7.

The course limits CPU time, not wall-clock time.
"""

import os
import time
from typing import Mapping

#: The environment variable that sets the budget, and the default budget, in seconds.
BUDGET_VARIABLE = "LITTLE_GO_CPU"
DEFAULT_BUDGET = 3.0

#: The maximum budget in seconds, because the course ends a player after 10 s.
MOST_BUDGET = 9.5


class Clock:
    """A budget of CPU seconds for one move. start: the time.process_time() at which it begins."""

    def __init__(self, budget: float = DEFAULT_BUDGET, start: float = 0.0) -> None:
        self.budget = budget
        self._start = start

    def deadline(self, share: float = 1.0) -> float:
        """Return the time.process_time() at which a share of the budget is spent."""
        return self._start + share * self.budget

    def left(self) -> float:
        """Return the seconds left, which are negative if the budget is exceeded."""
        return self.deadline() - time.process_time()


def clock_from(environment: Mapping[str, str] = os.environ) -> Clock:
    """Return a clock with the budget of the environment, from the process's start; raises ValueError with one line."""
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
