"""The tables of the proof store, one migration per change: the files in ``sql/``, in the order of their names.

``positions.key`` holds the whole position, so the columns for people (black, white, ko, ply,
mover, passed) and the status are virtual: computed when read, stored nowhere, never out of step.
"""

from pathlib import Path

from sqlite_utils import Database, Migrations

from book.store.views import VIEWS

#: Marks a SQLite file as ours (``PRAGMA application_id``, in the first migration): "LGo5".
APPLICATION_ID = 0x4C476F35

#: The migration that makes the views of VIEWS too.
_WITH_VIEWS = "m005_legal_moves_and_views_for_people"

migrations = Migrations("little-go")


def _add(script: Path) -> None:
    @migrations(name=script.stem)
    def migrate(db: Database) -> None:
        db.executescript(script.read_text("utf-8"))
        for view in VIEWS if script.stem == _WITH_VIEWS else ():
            # One statement: executescript() looks for where each ends, which takes longer than all else.
            db.execute(view.sql)


for _script in sorted(Path(__file__).with_name("sql").glob("*.sql")):
    _add(_script)
