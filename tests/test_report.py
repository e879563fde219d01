"""The report's numbers agree with the files and documents, and contradictions are refused."""

import gzip
import importlib.util
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.book.files.puzzles import read_puzzles
from report.__main__ import build, dated, main
from report.figures import FigureError
from report.numbers import Record, ReportError, certificates, gather, measured, puzzles, table
from tests.test_layout import ROOT

#: All files that the report reads.
READ = (
    *(
        "data/atlas.csv.gz",
        "data/atlas.values",
        "data/staff_games.jsonl.gz",
        "data/puzzles.csv",
        "data/family.csv",
        "data/README.md",
    ),
    *("docs", "book.json", "README.md", "CONTRIBUTING.md"),
    *("explorer/page/style.css", "proof/certificates", "proof/checker", "lab/theorem/coq/Rules.v", "report"),
)


#: The maximum number of pages of the report.
PAGES = 8


@pytest.fixture(scope="module")
def numbers() -> Record:
    return gather(ROOT)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with links to all files that the report reads; a test may replace each of them."""
    for name in READ:
        for file in [ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*.*"):
            link = tmp_path / file.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    """Replace a link with a file in which a text is changed, in one place or in all places."""
    content = file.read_bytes()
    text = (gzip.decompress(content) if file.suffix == ".gz" else content).decode()
    assert old in text
    changed = text.replace(old, new).encode()
    file.unlink()
    file.write_bytes(gzip.compress(changed) if file.suffix == ".gz" else changed)


def test_the_numbers_are_those_of_the_files(numbers: Record) -> None:
    assert numbers["value"] == numbers["line"]["value"] == 3
    assert numbers["openings"][0] == {"move": "2,2", "value": 3, "winner": 1, "alike": 1, "students": 642}
    assert sum(each["alike"] for each in numbers["openings"]) == len(numbers["first"]) == 26
    assert [each["exact"] for each in numbers["plies"]] == [1, 6, 91, 1_037, 12_397, 94_315, 676_896]
    assert [each["move"] for each in numbers["replies"] if len(each["holding"]) == 2] == ["1,2", "2,1", "2,3", "3,2"]
    assert len(numbers["certificates"]) == 9
    assert numbers["puzzles"]["hardest"][0]["number"] == numbers["puzzles"]["count"] == 360


def test_what_documents_say_otherwise_is_refused(clone: Path) -> None:
    change(clone / "data" / "README.md", "2.87 billion<!--", "2.88 billion<!--")
    with pytest.raises(
        FigureError, match=r"^data/README.md has 2\.88 billion for the nodes of ply4, the stored figure is 2\.87"
    ):
        measured(clone)
    change(clone / "report" / "measured.toml", 'nodes = "2.87 billion"', 'nodes = "2.88 billion"')
    assert measured(clone)["ply4"]["nodes"] == "2.88 billion"


def test_a_certificate_that_a_document_describes_otherwise_is_refused(clone: Path) -> None:
    change(clone / "docs" / "explanation" / "SOLUTION.md", "26,980, 20,980", "26,980, 20,981")
    with pytest.raises(ReportError, match="the row of after-1-2-at-most-0 does not have 26,980, 20,980 lines"):
        certificates(clone)


def test_a_table_that_is_gone_is_missed(clone: Path) -> None:
    with pytest.raises(ReportError, match=r"^docs/guides/SCALING.md has no table of worker$"):
        table(clone / "docs" / "guides" / "SCALING.md", "worker")


def test_no_measured_number_is_typed_in_the_text() -> None:
    """The text may contain numbers of the rules, of SHA-256, powers of ten, and numbers that others published."""
    text = (ROOT / "report" / "report.typ").read_text("utf-8").partition("\n= The game")[2]
    ours = re.sub(r"\n= Related work\n.*?(?=\n= )", "", text, flags=re.DOTALL)
    found = re.findall(r"(?<![\w.,:\"])\d[\d,]*\d(?![\d.]*(?:pt|cm|em|fr|%))(?:\.\d+)?", ours)
    points = [number for number in found if re.fullmatch("[0-4],[0-4]", number)]
    assert set(found) - set(points) == {"24", "25", "256", "32", "10", "1000"}


def test_every_figure_but_a_table_says_in_words_what_it_shows() -> None:
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "report").glob("*.typ")))
    drawn = re.split(r"(?:#|= )figure\(", text)[1:]
    assert len(drawn) > 10
    assert [each for each in drawn if not each.lstrip().startswith("listing(") and "alt:" not in each] == []


def test_the_numbers_follow_the_files(clone: Path) -> None:
    last = (clone / "data" / "puzzles.csv").read_text("utf-8").splitlines()[-1]
    change(clone / "data" / "puzzles.csv", last + "\n", "")
    assert puzzles(read_puzzles(clone / "data" / "puzzles.csv"))["count"] == 359


@pytest.mark.skipif(not importlib.util.find_spec("typst"), reason="no typst here: `make report` installs it")
def test_the_report_follows_its_numbers_and_is_the_same_every_time(numbers: Record) -> None:
    built = build(dated(numbers, "1795392000"))
    assert built[:5] == b"%PDF-"
    # A too narrow column, or a last page with a few lines, would make the report longer.
    assert len(re.findall(rb"/Type\s*/Page\b", built)) == PAGES
    assert built == build(dated(json.loads(json.dumps(numbers)), "1795392000"))
    assert built not in (build(numbers), build(dated({**numbers, "checker": 399}, "1795392000")))
    del numbers["checker"]
    with pytest.raises(RuntimeError, match="checker"):
        build(numbers)


def test_a_date_that_is_none_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("report.__main__.gather", lambda root: {})
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    done = CliRunner().invoke(main, [str(tmp_path / "report.pdf")])
    assert (done.exit_code, done.output) == (
        1,
        "Error: SOURCE_DATE_EPOCH is 'today', not a time: set it to seconds since 1970\n",
    )
    assert list(tmp_path.iterdir()) == []
