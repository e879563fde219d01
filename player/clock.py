"""The budget of CPU time for one move. The course limits CPU time, but not wall-clock time.

The module is part of ``my_player3.py`` and must run with Python 3.7.
"""

import os
import time
from typing import Mapping

#: The environment variable that sets the budget in seconds, and the default budget in seconds.
BUDGET_VARIABLE = "LITTLE_GO_CPU"
DEFAULT_BUDGET = 3.0

#: The maximum budget in seconds. It is below the CPU limit of a move in each grading scheme of the course.
MOST_BUDGET = 9.5


class Clock:
    """A budget of CPU seconds for one move. The budget begins when time.process_time() is ``start``."""

    def __init__(self, budget: float = DEFAULT_BUDGET, start: float = 0.0) -> None:
        self.budget = budget
        self._start = start

    def deadline(self, share: float = 1.0) -> float:
        """Return the value of time.process_time() at which this share of the budget is used up."""
        return self._start + share * self.budget

    def left(self) -> float:
        """Return the number of seconds left of the budget, which is negative if the budget is exceeded."""
        return self.deadline() - time.process_time()


def clock_from(environment: Mapping[str, str] = os.environ) -> Clock:
    """Return a clock whose budget is set by the environment and begins at the start of the process.

    Raise ValueError with a one-line message if the variable in the environment is invalid.
    """
    text = environment.get(BUDGET_VARIABLE)
    if text is None:
        return Clock()
    try:
        budget = float(text)
    except ValueError:
        budget = 0.0
    if not 0.0 < budget <= MOST_BUDGET:
        raise ValueError("{} is {!r}: set it to seconds above 0, at most {}".format(BUDGET_VARIABLE, text, MOST_BUDGET))
    return Clock(budget)
