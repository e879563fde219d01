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
    from generator.questions.atlas_run import Atlas as Atlas
    from generator.questions.closure import Closure as Closure
    from generator.questions.shorter_games import Ladder as Ladder
    from generator.report.status import status_record as status_record
    from generator.workers.crew import Crew as Crew
    from generator.workers.crew import CrewError as CrewError
    from generator.workers.workshop import Settings as Settings
    from generator.workers.workshop import Workshop as Workshop
    from generator.workers.workshop import open_workshop as open_workshop
else:
    __getattr__ = lazy_names(__name__, __file__)
