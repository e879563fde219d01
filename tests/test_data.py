"""data/datapackage.json describes the files in data/ correctly, and other programs load them as in data/README.md."""

import csv
import gzip
import hashlib
import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from little_go.book.files.atlas import COLUMNS
from little_go.book.files.puzzles import COLUMNS as PUZZLE_COLUMNS
from little_go.book.files.shipped import ATLAS_FILE, LATER_PLIES
from little_go.maker.lengths import COLUMNS as FAMILY_COLUMNS
from little_go.runtime.files import MIB, open_text

ROOT = Path(__file__).parents[1]
DATA = ROOT / "data"

#: The fields that the atlas's files share.
SCHEMA = "atlas.schema.json"

#: By type of a field, the pattern of its text.
TYPES = {"integer": r"0|-?[1-9]\d*", "string": ".*", "boolean": "[01]", "number": r"\d+\.\d"}


def resources() -> dict[str, dict[str, Any]]:
    package = json.loads((DATA / "datapackage.json").read_text("utf-8"))
    for resource in package["resources"]:
        # A schema that two files share is a separate file.
        if isinstance(resource.get("schema"), str):
            resource["schema"] = json.loads((DATA / resource["schema"]).read_text("utf-8"))
    return {resource["path"]: resource for resource in package["resources"]}


def test_every_file_is_described_and_has_its_hash() -> None:
    files = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file()} - {
        "README.md",
        "SHA256SUMS",
        "datapackage.json",
        "atlas.schema.json",
    }
    assert set(resources()) == files
    sums = dict(line.split()[::-1] for line in (DATA / "SHA256SUMS").read_text("ascii").splitlines())
    assert sums == {name: hashlib.sha256((DATA / name).read_bytes()).hexdigest() for name in files}


@pytest.mark.parametrize(
    ("name", "columns", "step"),
    [
        (ATLAS_FILE.name, COLUMNS, 1),
        *((path.name, COLUMNS, 40) for path in LATER_PLIES.values()),
        *(pytest.param(path.name, COLUMNS, 1, marks=pytest.mark.long) for path in LATER_PLIES.values()),
        ("puzzles.csv", PUZZLE_COLUMNS, 1),
        ("family.csv", FAMILY_COLUMNS, 1),
    ],
)
def test_a_table_is_as_its_schema_says(name: str, columns: tuple[str, ...], step: int) -> None:
    """step: one in this many rows is checked."""
    schema = resources()[name]["schema"]
    assert tuple(field["name"] for field in schema["fields"]) == columns
    cells_of: dict[str, set[str]] = {column: set() for column in columns}
    keys, rows = set(), 0
    with open_text(DATA / name, 256 * MIB, "utf-8") as text:
        for row in csv.DictReader(itertools.islice(text, 0, None, step)):
            rows += 1
            keys.add(tuple(row[column] for column in schema["primaryKey"]))
            for column, cell in row.items():
                cells_of[column].add(cell)
    for field in schema["fields"]:
        cells, limits = cells_of[field["name"]], field.get("constraints", {})
        assert not (limits.get("required") and "" in cells), field["name"]
        for cell in cells - {""}:
            assert re.fullmatch(TYPES[field["type"]], cell), field["name"]
            assert re.fullmatch(limits.get("pattern", ".*"), cell), field["name"]
            assert "minimum" not in limits or float(cell) >= limits["minimum"]
            assert "maximum" not in limits or float(cell) <= limits["maximum"]
    assert len(keys) == rows


def line_for(program: str) -> str:
    """Return the line for a program in data/README.md."""
    found = re.search(rf"^\| {program} \| `(.*)` \|$", (DATA / "README.md").read_text("utf-8"), re.MULTILINE)
    assert found, program
    return found[1]


def test_the_column_of_ko_points_is_declared() -> None:
    """The field is empty in thousands of rows before the first value, so programs guess a wrong type."""
    assert '"ko": "string"' in line_for("pandas")
    assert 'ko = "character"' in line_for("R")


#: The environment with pandas and DuckDB, which `make programs` creates.
PYTHON = ROOT / ".venv-data" / "bin" / "python"

#: By program, the command that runs a line and prints the number of loaded rows. A warning of pandas is an error.
LOADERS = {
    "pandas": (str(PYTHON), "-c", "import warnings; warnings.simplefilter('error'); import pandas; print(len({}))"),
    "DuckDB": (str(PYTHON), "-c", 'import duckdb; print(len(duckdb.sql("""{}""").fetchall()))'),
    "R": ("Rscript", "-e", "cat(nrow({}))"),
}


@pytest.mark.system
@pytest.mark.parametrize("program", LOADERS)
def test_other_programs_load_it(program: str) -> None:
    command, option, script = LOADERS[program]
    if not shutil.which(command):
        pytest.skip(f"no {program} here")
    run = [command, option, script.format(line_for(program))]
    done = subprocess.run(run, cwd=DATA, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with gzip.open(DATA / "atlas.csv.gz", "rt", encoding="utf-8") as text:
        assert int(done.stdout) == sum(1 for _ in text) - 1
