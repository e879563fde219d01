"""Agents, schemes and limits that the code declares are stored, and the documents show them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from little_go.arena.course.grading import NEWEST, SCHEMES, Opponent, Round, Scheme, Shares, Stage
from report.figures import FigureError, all_figures, check, documents, figure_of, fill, places
from tests.shell_blocks import ROOT
from tools.derived import derived, gradebook, gradebook_columns, points, schemes

ROWS = derived()


def shown() -> Iterator[tuple[Path, str, str]]:
    """Yield each line of a derived table in a document, with the table's name."""
    for path in documents(ROOT):
        for place in places(path.read_text("utf-8")):
            if place.row in ROWS and place.key == "table":
                yield from ((path, place.row, line) for line in place.text.splitlines()[2:])


def listed(years: Sequence[int]) -> str:
    return ", ".join(map(str, years))


def test_every_row_is_shown() -> None:
    found = {(place.row, place.key) for path in documents(ROOT) for place in places(path.read_text("utf-8"))}
    assert {(name, key) for name, row in ROWS.items() for key in row} <= found


@pytest.mark.parametrize(
    ("path", "table", "line"), [pytest.param(*each, id=f"{each[1]}-{each[2][:16]}") for each in shown()]
)
def test_a_line_that_is_deleted_is_missed(path: Path, table: str, line: str) -> None:
    text = path.read_text("utf-8")
    damaged, count = re.subn(rf"^{re.escape(line)}\n", "", text, flags=re.MULTILINE)
    assert count == 1
    figures = all_figures(ROOT)
    (place,) = [each for each in places(damaged) if (each.row, each.key) == (table, "table")]
    assert place.text.split() != figure_of(figures, place).split()
    assert fill(damaged, figures) == text


def test_a_document_that_differs_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("9 s<!--limits.cpu-->")
    with pytest.raises(FigureError, match=r"a\.md has 9 s for the cpu of limits, the stored figure is 10 s"):
        check(tmp_path, {"limits": {"cpu": "10 s"}})


def test_years_with_the_same_cell_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    only, added = Opponent("random", 20, 15, 0), NEWEST + 1
    years = [*SCHEMES]
    with_two_stages = [year for year in years if gradebook_columns(year) == gradebook_columns(2021)]
    monkeypatch.setitem(SCHEMES, added, Scheme({1: Stage((only,), Round(20, None), Round(20, None))}))
    assert f" | 20 ({listed(years)}: 25) | " in points()
    assert f"\n| {listed(with_two_stages)} | `name`, " in gradebook()
    assert f"\n| {added} | `name`, " in gradebook()


def test_years_with_other_shares_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    years = {year: scheme._replace(shares=Shares(90, 70)) for year, scheme in SCHEMES.items()}
    newest = SCHEMES[NEWEST]._replace(shares=Shares(95, 70))
    monkeypatch.setattr("tools.derived.SCHEMES", {**years, NEWEST + 1: newest})
    assert f"\n| 95 % or more ({listed([*years])}: 90 % or more) | " in points()
    assert "\n| 70 % or more | " in points()


@pytest.mark.parametrize(
    ("repetitions", "cell"), [(2, "twice, the better one counts"), (4, "4 times, the best counts")]
)
def test_a_scheme_may_repeat_the_games_any_number_of_times(
    repetitions: int, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.derived.SCHEMES", {NEWEST: SCHEMES[NEWEST]._replace(repetitions=repetitions)})
    assert schemes().endswith(f"\n| the real grading | {cell} |\n")
