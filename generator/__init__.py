"""Find out more: questions out to the workers, results into the store.

The commands of ``python -m generator`` are its front; these are what they are made of. A workshop has a store, a table
and a crew; a ladder, an atlas and a closure are worked out in one.
"""

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

if TYPE_CHECKING:
    from generator.opponents.models import Opponents as Opponents
    from generator.opponents.models import OpponentsError as OpponentsError
    from generator.opponents.models import open_opponents as open_opponents
    from generator.questions.atlas import Atlas as Atlas
    from generator.questions.closure import Closure as Closure
    from generator.questions.ladder import Ladder as Ladder
    from generator.report.status import status_record as status_record
    from generator.report.status import status_text as status_text
    from generator.workers.crew import Crew as Crew
    from generator.workers.crew import CrewError as CrewError
    from generator.workers.workshop import Settings as Settings
    from generator.workers.workshop import Workshop as Workshop
    from generator.workers.workshop import open_workshop as open_workshop

_HOMES = {
    "Atlas": "generator.questions.atlas",
    "Closure": "generator.questions.closure",
    "Crew": "generator.workers.crew",
    "CrewError": "generator.workers.crew",
    "Ladder": "generator.questions.ladder",
    "Opponents": "generator.opponents.models",
    "OpponentsError": "generator.opponents.models",
    "Settings": "generator.workers.workshop",
    "Workshop": "generator.workers.workshop",
    "open_opponents": "generator.opponents.models",
    "open_workshop": "generator.workers.workshop",
    "status_record": "generator.report.status",
    "status_text": "generator.report.status",
}

__all__ = list(_HOMES)

# A type checker takes the names from the imports above.
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
