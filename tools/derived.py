"""Tables and limits in the documents that are made from declarations in the code: ``report/derived.toml``.

Agents, grading schemes, the columns of the gradebook, a program's limits, the themes of the exam, the forms of texts
and the constants of the kernel are declared once, in ``arena/``, ``notation/`` and ``solver/native/``. The documents
show these facts in the places that ``report/figures.py`` describes. ``python -m tools.affected --accept`` writes the
file again and inserts its rows into the documents. ``tests/test_pins.py`` fails if the file or a document differs from
the code.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from little_go.arena.classroom.gradebook import rows_of, to_csv
from little_go.arena.classroom.plan import ENTRY_POINTS, PAIR_GAMES, ClassPlan
from little_go.arena.classroom.submissions import Submission
from little_go.arena.course.course_file import LATE_PENALTY, MEMORY, course_of
from little_go.arena.course.grading import NEWEST, SCHEMES, Opponent, Scheme, Stage
from little_go.arena.exam.paper import EXAM, THEMES, read_exam
from little_go.arena.match.limits import Limits
from little_go.arena.standings.entrants import BUILT_IN
from little_go.notation.ports import table
from report.figures import Row

_NATIVE = Path(__file__).parents[1] / "solver" / "native"

#: The table's words for the first numbers of times that all games of the real grading are played.
_TIMES = {1: "once", 2: "twice, the better one counts", 3: "three times, the best counts"}


def derived() -> dict[str, Row]:
    """Return the rows of the file by name. A row is a table, or figures by key."""
    return {
        "limits": {
            "cpu": f"{SCHEMES[NEWEST].move_cpu:g} s",
            "processes": f"{Limits().processes}",
            "memory": f"{MEMORY >> 10} GiB",
        },
        "scheme": {
            "newest": f"{NEWEST}",
            "late": f"{LATE_PENALTY}",
            "entry": f"{ENTRY_POINTS}",
            "pair": f"{PAIR_GAMES}",
        },
        "kernel": kernel(),
        "agents": {"table": agents()},
        "schemes": {"table": schemes()},
        "points": {"table": points()},
        "gradebook": {"table": gradebook()},
        "themes": {"table": themes()},
        "forms": {"table": forms()},
        "lines": {"table": lines()},
    }


def kernel() -> Row:
    """Return the constants of the kernel that docs/explanation/KERNEL.md states."""
    text = "".join(path.read_text("utf-8") for path in sorted(_NATIVE.glob("kernel_*.h")))
    found = re.findall(r"\b([A-Z_]+) = (\d+)(?: << (\d+))?,", text)
    constants = {name: int(value) << int(shift or 0) for name, value, shift in found}
    return {
        "success": f"{constants['RECORD_LIMIT']:,}",
        "highest": f"{2 * constants['RECORD_LIMIT']:,}",
        "cheaper": f"{constants['CHEAPER']}",
        "rare": f"{constants['RARE_LEFT']}",
        "shorter": f"{constants['SHORTER_WEIGHT'] / 4:g}",
        "marked": f"{constants['BUSY_LEFT']}",
        "check": f"{constants['SHARED_CHECK_NODES']:,}",
    }


def agents() -> str:
    """Return the table of the built-in agents."""
    rows = [[each.name, each.rule, each.limits, each.source] for each in BUILT_IN.values()]
    return markdown([["agent", "rule", "search", "source"], *rows])


def schemes() -> str:
    """Return the table of the schemes, with a column for each year. A cell "the same" repeats the cell on its left."""
    columns = [dict(_column(scheme)) for scheme in SCHEMES.values()]
    names = dict.fromkeys(name for column in reversed(columns) for name in column)
    rows = [[name, *_abridged([column.get(name, "") for column in columns])] for name in names]
    return markdown([["", *(str(year) for year in SCHEMES)], *rows])


def _column(scheme: Scheme) -> Iterator[tuple[str, str]]:
    """Yield the cells of a scheme, each with the name of its row."""
    for number, stage in scheme.stages.items():
        yield f"stage {number}", f"{sum(each.full for each in stage.opponents)} points"
        yield f"opponents, stage {number}", ", ".join(each.agent for each in stage.against(submit=False))
        yield f"games against each, stage {number}", f"{stage.real.games}, {stage.real.games // 2} as Black"
        reserved = [each.agent for each in stage.opponents if each.reserved]
        games = f"{stage.submit.games}, {stage.submit.games // 2} as Black"
        yield f"the submit button, stage {number}", f"{games}{', without ' if reserved else ''}{', '.join(reserved)}"
        yield f"CPU for all games, stage {number}", "; ".join(_cpu(stage))
    yield "CPU per move", f"{scheme.move_cpu:g} s"
    yield "the real grading", _TIMES.get(scheme.repetitions, f"{scheme.repetitions} times, the best counts")


def _cpu(stage: Stage) -> Iterator[str]:
    """Yield the CPU limits of a stage, for the real grading and for the course's submit button."""
    for submit, name in ((False, ""), (True, "submit: ")):
        games, cpu = stage.round(submit)
        limit = "no limit" if cpu is None else f"{cpu:g} s"
        yield f"{name}{limit} for {games * len(stage.against(submit))}"


def _abridged(cells: Sequence[str]) -> Iterator[str]:
    yield cells[0]
    for before, cell in pairwise(cells):
        yield "the same" if cell and cell == before else cell


def points() -> str:
    """Return the table of the points against each opponent: the newest points, then the years whose points differ."""
    shares = {year: scheme.shares for year, scheme in SCHEMES.items()}
    bands: dict[str, Callable[[Opponent], str]] = {
        _newest_first({year: f"{each.full} % or more" for year, each in shares.items()}): lambda each: f"{each.full}",
        _newest_first({year: f"{each.fair} % or more" for year, each in shares.items()}): lambda each: _share(
            each.fair
        ),
        "less": lambda each: _share(each.poor),
    }
    names = dict.fromkeys(each.agent for _, each in _opponents())
    rows = [[band, *(_points_against(name, cell_of) for name in names)] for band, cell_of in bands.items()]
    return markdown([["won", *names], *rows])


def _opponents() -> Iterator[tuple[int, Opponent]]:
    for year, scheme in SCHEMES.items():
        for stage in scheme.stages.values():
            yield from ((year, each) for each in stage.opponents)


def _points_against(name: str, cell_of: Callable[[Opponent], str]) -> str:
    return _newest_first({year: cell_of(each) for year, each in _opponents() if each.agent == name})


def _newest_first(cells: Mapping[int, str]) -> str:
    """Return the text of the newest year, followed by the texts of the years that differ from it."""
    newest = cells[max(cells)]
    others = [f"{years}: {cell}" for cell, years in _years_by(cells).items() if cell != newest]
    return f"{newest} ({'; '.join(others)})" if others else newest


def gradebook() -> str:
    """Return the table of the gradebook's columns; years with the same columns share a row."""
    columns = {year: ", ".join(f"`{name}`" for name in gradebook_columns(year)) for year in SCHEMES}
    rows = [[years, names] for names, years in _years_by(columns).items()]
    return markdown([["year", "columns of `gradebook.csv`, in this order"], *rows])


def gradebook_columns(year: int) -> list[str]:
    """Return the columns of a class's gradebook."""
    plan = ClassPlan(course_of(year), 0, {"ann": Submission("ann")})
    return next(csv.reader(io.StringIO(to_csv(rows_of(plan, [], {}, {})))))


def _years_by(cells: Mapping[int, str]) -> dict[str, str]:
    """Return, by cell, the years that have it."""
    return {cell: ", ".join(str(year) for year in cells if cells[year] == cell) for cell in cells.values()}


def _share(factor: int) -> str:
    return f"{factor} x share" if factor else "0"


def themes() -> str:
    """Return the table of the exam's themes, with the numbers of their questions in the shipped file."""
    asked = Counter((question.theme, bool(question.sitting)) for question in read_exam(EXAM))
    rows = [[each.name, f"{asked[each.name, False]}", f"{asked[each.name, True]}", each.about] for each in THEMES]
    return markdown([["theme", "alone", "in games", "what is asked"], *rows])


def forms() -> str:
    """Return the table of the forms of texts that can be read."""
    rows = [[form["name"], form.get("shown") or _examples(form), form["notes"]] for form in table()["form"]]
    return markdown([["form", "examples", "notes"], *rows])


def _examples(form: Mapping[str, Any]) -> str:
    return ", ".join(" and ".join(f"`{line}`" for line in example.split("\n")) for example in form["examples"])


def lines() -> str:
    """Return the table of readable lines around a board or moves, by the programs that write these lines."""
    rows: dict[str, list[str]] = {}
    for one in table()["line"]:
        rows.setdefault(one["by"], []).append(f"`{one['example'].replace('|', ' ')}`")
    return markdown([["written by", "lines"], *([by, ", ".join(shown)] for by, shown in rows.items())])


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown. The first row has the headings."""
    head, *body = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    return "\n".join([head, f"|{'---|' * (head.count('|') - 1)}", *body, ""])


def to_toml(rows: dict[str, Row]) -> str:
    """Return the rows as TOML."""
    lines = ["# Written by `python -m tools.affected --accept` from what the code declares (tools/derived.py)."]
    for name, row in rows.items():
        lines += ["", f"[{name}]"]
        for key, value in row.items():
            assert "'''" not in value, name
            lines.append(f"{key} = '''\n{value}'''" if "\n" in value else f'{key} = "{value}"')
    return "\n".join([*lines, ""])
