"""Find out more: questions out to the workers, results into the store.

The commands of ``python -m generator`` are its front; these are what they are made of. A workshop has a store, a table
and a crew; a ladder, an atlas and a closure are worked out in one.
"""

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

if TYPE_CHECKING:
    from generator.atlas import Atlas as Atlas
    from generator.closure import Closure as Closure
    from generator.crew import Crew as Crew
    from generator.crew import CrewError as CrewError
    from generator.ladder import Ladder as Ladder
    from generator.opponents import Opponents as Opponents
    from generator.opponents import OpponentsError as OpponentsError
    from generator.opponents import open_opponents as open_opponents
    from generator.status import status_record as status_record
    from generator.status import status_text as status_text
    from generator.workshop import Settings as Settings
    from generator.workshop import Workshop as Workshop
    from generator.workshop import open_workshop as open_workshop

_HOMES = {
    "Atlas": "generator.atlas",
    "Closure": "generator.closure",
    "Crew": "generator.crew",
    "CrewError": "generator.crew",
    "Ladder": "generator.ladder",
    "Opponents": "generator.opponents",
    "OpponentsError": "generator.opponents",
    "Settings": "generator.workshop",
    "Workshop": "generator.workshop",
    "open_opponents": "generator.opponents",
    "open_workshop": "generator.workshop",
    "status_record": "generator.status",
    "status_text": "generator.status",
}

__all__ = list(_HOMES)

# A type checker takes the names from the imports above.
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
