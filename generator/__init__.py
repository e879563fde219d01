"""Find out more: questions out to the workers, results into the store.

The commands of ``little-go generator`` are its front; these are what they are made of. A workshop has a store, a table
and a crew; shorter games, an atlas and a closure are worked out in one.
"""

import sys

# `python -m` looks for modules in the current directory first, where anybody's solver.py may be. Not from here on.
_IS_FIRST = sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", sys.flags.isolated)
if _IS_FIRST and __path__[0] != f"{sys.path[0]}/{__name__}":
    del sys.path[0]

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

#: The module of each public name; the imports below are the same for type checkers.
_HOMES = {
    "Opponents": "generator.opponents.models",
    "OpponentsError": "generator.opponents.models",
    "open_opponents": "generator.opponents.models",
    "Atlas": "generator.questions.atlas_run",
    "Closure": "generator.questions.closure",
    "ShorterGames": "generator.questions.shorter_games",
    "status_record": "generator.report.status",
    "Crew": "generator.workers.search_crew",
    "CrewError": "generator.workers.search_crew",
    "Settings": "generator.workers.workshop",
    "Workshop": "generator.workers.workshop",
    "open_workshop": "generator.workers.workshop",
}

if TYPE_CHECKING:
    from generator.opponents.models import Opponents as Opponents
    from generator.opponents.models import OpponentsError as OpponentsError
    from generator.opponents.models import open_opponents as open_opponents
    from generator.questions.atlas_run import Atlas as Atlas
    from generator.questions.closure import Closure as Closure
    from generator.questions.shorter_games import ShorterGames as ShorterGames
    from generator.report.status import status_record as status_record
    from generator.workers.search_crew import Crew as Crew
    from generator.workers.search_crew import CrewError as CrewError
    from generator.workers.workshop import Settings as Settings
    from generator.workers.workshop import Workshop as Workshop
    from generator.workers.workshop import open_workshop as open_workshop
else:
    __getattr__ = lazy_names(__name__, _HOMES)
