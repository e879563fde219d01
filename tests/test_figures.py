"""Each measured figure is in report/measured.toml, and the documents have the same figure."""

import re
from pathlib import Path

import pytest

from little_go.arena.classroom.places import FREE_BYTES
from little_go.arena.classroom.plan import REVIEW_SECONDS
from little_go.arena.classroom.submission_reader import _LIMITS as READING
from little_go.arena.match.copying import MOST_BYTES
from little_go.arena.match.sandbox import _MOST_SCRATCH
from little_go.arena.review.reading import _MOST as MOST_OF_REVIEW
from little_go.book.commands.options import MOST_OF_LINES
from little_go.notation.parsed import MOST_SGF_BYTES
from little_go.proof.checker.certificate import MOST_BYTES as MOST_CERTIFICATE
from report.figures import (
    FIGURE,
    PAGE,
    FigureError,
    all_figures,
    check,
    documents,
    fill,
    page,
    places,
    read_figures,
    unstored_figures,
    values,
)
from tests.test_layout import ROOT

#: By document, the numbers with a unit that were not measured: limits, which are read from the code if it defines them,
#: and rules of others, with their source.
LIMITS: dict[str, set[str]] = {
    # The page's zoom; the time of .ci/run.
    "CONTRIBUTING.md": {"200 %", "400 %"},
    # arena/classroom/submission_reader.py and unpacking.py: of an archive; runtime/files.py: of a file for a command.
    "SECURITY.md": {"512 MiB", "10 s", "256 MiB"},
    # The rule for late submissions; an estimate from the numbers beside it.
    "docs/guides/CLASS.md": {
        f"{MOST_BYTES >> 20} MiB",
        f"{FREE_BYTES >> 20} MiB",
        "20 %",
        "360 hours",
        # arena/classroom/plan.py: what the forecast takes for the review of a game.
        f"{REVIEW_SECONDS:g} s",
    },
    # The page's zoom; the sizes of tables and slices in explorer/; shares that head a table's columns.
    "docs/guides/EXPLORER.md": {"400 %", "50 ms", "256 MiB", "128 MiB", "64 MiB", "3 min", "95 %"},
    # The course's texts.
    "docs/guides/GRADING.md": {"7200 s", "1800 s", "60 minutes", "54 seconds", "90 %", "95 %", "80 %", "55 %"},
    # arena/gtp/: the time of a move when none is left.
    "docs/guides/GTP.md": {"0.05 s"},
    # Windows' clock.
    "docs/guides/INSTALL.md": {"0.01 s"},
    # generator/questions/: what is rechecked.
    "docs/guides/SCALING.md": {"100 M nodes", "20 M nodes"},
    # arena/agents/championship.py.
    "docs/reference/AGENTS.md": {"10 million nodes"},
    "docs/reference/CERTIFICATE.md": {f"{MOST_CERTIFICATE >> 20} MiB"},
    # The course's rule for late submissions.
    "docs/tutorials/SMALL_CLASS.md": {"20 %"},
    # arena/match/: what is kept of a program's output, and the sandbox's folders; runtime/files.py.
    "docs/reference/HOST.md": {
        *("1 kB", "3 kB"),
        "8 kB",
        f"{_MOST_SCRATCH >> 20} MiB",
        "256 MiB",
        # arena/classroom/submission_reader.py: of the process that opens a submission.
        f"{READING.memory >> 20} MiB",
        f"{READING.cpu:.0f} seconds",
    },
    # notation/.
    "docs/reference/NOTATION.md": {
        f"{MOST_SGF_BYTES // 10**6} MB",
        f"{MOST_OF_REVIEW >> 20} MiB",
        f"{MOST_OF_LINES >> 20:,} MiB",
    },
    # Shares of all games, and intervals of these: counted from the table beside them.
    "docs/explanation/OPPONENTS.md": {"1 %", "0.2 %", "94.9 %", "95 %", "96.2 %", "100 %", "68 %", "79 %"},
}

DOCUMENTS = [path.relative_to(ROOT) for path in documents(ROOT)]

#: A decision may have figures if the entry, or the heading above it, states the day or the commit.
DATED = re.compile(r"\d{4}-\d\d-\d\d|\bcommit [0-9a-f]{7}\b")


def test_every_document_has_the_stored_figures() -> None:
    check(ROOT, all_figures(ROOT))


def test_the_page_of_measurements_is_generated() -> None:
    assert (ROOT / PAGE).read_text("utf-8") == page(ROOT, read_figures(ROOT))


def test_every_row_has_a_command_and_a_commit() -> None:
    rows = read_figures(ROOT)
    assert [name for name, row in rows.items() if not row.get("command") or not row.get("of")] == []
    assert [name for name, row in rows.items() if "commit" not in row] == []


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if path.name != "DECISIONS.md"], ids=str)
def test_a_number_with_a_unit_is_a_row_or_a_limit(document: Path) -> None:
    found = set(unstored_figures((ROOT / document).read_text("utf-8")))
    assert found == LIMITS.get(document.as_posix(), set())


def test_a_decision_with_a_figure_has_its_day() -> None:
    head, undated = "", []
    for block in re.split(r"\n(?=- |#+ |\n)", (ROOT / "docs" / "DECISIONS.md").read_text("utf-8")):
        head = block if block.startswith("#") else head
        if unstored_figures(block) and not DATED.search(block) and not DATED.search(head):
            undated.append(block)
    assert undated == []


def test_a_comment_of_a_command_names_no_minutes() -> None:
    """A duration in a block would be a second place for the figure. Seconds are allowed, because tests read them."""
    found = {
        str(document): minutes
        for document in DOCUMENTS
        if document.as_posix() not in ("docs/guides/GRADING.md", "docs/guides/EXAM.md", "docs/guides/CLASS.md")
        and (minutes := re.findall(r"^\$ .* # \d+ (?:min|h)\b.*", (ROOT / document).read_text("utf-8"), re.MULTILINE))
    }
    assert found == {}


def test_a_figure_is_put_into_its_place_alone() -> None:
    table = "\n\n<!-- table: run -->\n\n"
    text = f"It takes 20 s<!--run.clock-->, 1\nmin 2 s<!--run.cpu--> of CPU; 20 s is a limit.{table}| a |\n|---|\n"
    figures = {"run": {"clock": "18 s", "cpu": "70 s", "table": "| b |\n|---|\n"}}
    filled = fill(text, figures)
    end = f"{table}| b |\n|---|\n"
    assert filled == f"It takes 18 s<!--run.clock-->, 70 s<!--run.cpu--> of CPU; 20 s is a limit.{end}"
    assert fill(filled, figures) == filled
    with pytest.raises(FigureError, match=r"have no clock in \[other\]"):
        fill("20 s<!--other.clock-->", figures)
    with pytest.raises(FigureError, match=r"no figure before <!--run.clock-->"):
        list(places("soon<!--run.clock-->"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 28 s.", ["28 s"]),
        ("It takes 2 to 3\nminutes and 4.1 M nodes", ["3 minutes", "4.1 M nodes"]),
        ("28 s<!--solve.clock--> and `--name 60 s`", []),
        ("```\n28 s\n```\n", []),
        ("<!-- table: run -->\n\n| 28 s |\n", []),
        ("12 moves, 3 sizes, 5 Mister", []),
        ("a tenth, 95 %, 3 MiB", ["95 %", "3 MiB"]),
    ],
)
def test_a_bare_figure_is_found(text: str, found: list[str]) -> None:
    assert unstored_figures(text) == found


def test_a_figure_in_a_document_can_be_found_there_again() -> None:
    used = {(each.row, each.key) for path in documents(ROOT) for each in places(path.read_text("utf-8"))}
    stored = {(name, key): value for name, row in all_figures(ROOT).items() for key, value in values(row).items()}
    assert [value for key, value in stored.items() if key in used and not re.fullmatch(FIGURE, value)] == []
