"""Update the answers in docs/tutorials/TEN_QUESTIONS.md, and check values of the atlas by new searches.

``python -m tools.cookbook write --db book.db`` runs the queries, and writes the answers into the tutorial and the
queries into datasette.yaml. ``python -m tools.cookbook check --minutes 10`` searches random positions of the atlas's
last ply with the native kernel, and compares the values.
"""

import json
import random
import re
import time
from pathlib import Path
from typing import NamedTuple

import click
from click.testing import CliRunner
from sqlite_utils.cli import cli as sqlite_utils

from little_go.book.files.atlas import Row, read_atlas
from little_go.book.files.shipped import ATLAS_FILE
from little_go.runtime.files import write_whole
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.symmetry import key_of

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "reference" / "DATABASE.md"
TUTORIAL = ROOT / "docs" / "tutorials" / "TEN_QUESTIONS.md"
DATASETTE = ROOT / "book" / "datasette" / "datasette.yaml"

_QUESTION = re.compile(r"### (\d+)\. ([^\n]+)\n\n(.*?)```sql\n(.*?)\n```\n\n```\n(.*?)\n```\n", re.DOTALL)


class Question(NamedTuple):
    """A question of the tutorial: its number, heading, introduction, SQL and printed answer."""

    number: int
    words: str
    about: str
    sql: str
    answer: str

    @property
    def name(self) -> str:
        """The name of the canned query, which is the heading in lower case with hyphens."""
        return re.sub(r"[^a-z0-9]+", "-", self.words.lower()).strip("-")


def questions() -> list[Question]:
    """Return the questions of the tutorial."""
    found = _QUESTION.findall(TUTORIAL.read_text("utf-8"))
    return [Question(int(number), words, about, sql, answer) for number, words, about, sql, answer in found]


def ask(db: Path, sql: str) -> str:
    """Return the answer of a query as `sqlite-utils query --table` prints it, or raise ClickException if it fails."""
    result = CliRunner().invoke(sqlite_utils, ["query", str(db), sql, "--table"], catch_exceptions=False)
    if result.exit_code:
        fault = result.output.strip().removeprefix("Error: ")
        raise click.ClickException(f"{db}: {fault}: if the store is old, delete it and run make book.db")
    return "\n".join(line.rstrip() for line in result.output.rstrip().splitlines())


def listed_tables() -> list[str]:
    """Return the tables and views that docs/reference/DATABASE.md lists."""
    text = DOCUMENT.read_text("utf-8").partition("## Tables and views\n")[2]
    return [name for line in text.splitlines() if line.startswith("| ") for name in re.findall(r"`(\w+)`", line)]


def canned_queries() -> str:
    """Return the part of datasette.yaml with the questions."""
    parts = []
    for question in questions():
        sql = "\n".join(f"          {line}" for line in question.sql.splitlines())
        about = " ".join(question.about.split())
        parts.append(
            f"      {question.name}:\n        title: {question.number}. {question.words}\n"
            # Every JSON string is also a YAML string.
            + (f"        description: {json.dumps(about)}\n" if about else "")
            + f"        sql: |-\n{sql}\n"
        )
    return "".join(parts)


def leaves() -> list[Row]:
    """Return the rows of the last ply whose values are all known.

    The values of earlier plies follow from these values.
    """
    rows = list(read_atlas(ATLAS_FILE))
    open_plies = {row.position.ply for row in rows if row.lo < row.hi}
    last = max(row.position.ply for row in rows if row.position.ply not in open_plies)
    return [row for row in rows if row.position.ply == last]


def confirm(row: Row, kernel: Kernel, nodes: int) -> bool:
    """Return whether the kernel finds a row's value within a number of nodes.

    Raise AssertionError if the value differs.
    """
    # A correct guess saves nodes, but the proof does not depend on the guess.
    answer = kernel.value(row.position, guess=row.lo, node_limit=nodes)
    assert answer.lo <= row.hi, (row, answer)
    assert answer.hi >= row.lo, (row, answer)
    return answer.lo == answer.hi


@click.group()
def main() -> None:
    """Update or check the tutorial's ten questions."""


@main.command()
@click.option("--db", type=click.Path(path_type=Path, exists=True), default=Path("book.db"), show_default=True)
def write(db: Path) -> None:
    """Write the answers and the canned queries."""
    text = TUTORIAL.read_text("utf-8")
    for question in questions():
        text = text.replace(
            f"```sql\n{question.sql}\n```\n\n```\n{question.answer}\n```\n",
            f"```sql\n{question.sql}\n```\n\n```\n{ask(db, question.sql)}\n```\n",
        )
    write_whole(TUTORIAL, text)
    yaml = DATASETTE.read_text("utf-8")
    mark = "    queries:\n"
    write_whole(DATASETTE, f"{yaml[: yaml.index(mark)]}{mark}{canned_queries()}")


@main.command()
@click.option("--minutes", type=float, default=10, show_default=True, help="The duration.")
@click.option("--nodes", type=int, default=100_000_000, show_default=True, help="The node limit of a position.")
@click.option("--seed", type=int, default=1, show_default=True)
def check(minutes: float, nodes: int, seed: int) -> None:
    """Search random values of the atlas's last ply again with the kernel, and compare the values."""
    rows = leaves()
    random.Random(seed).shuffle(rows)
    kernel, end = Kernel(open_table(512)), time.monotonic() + 60 * minutes
    confirmed = tried = 0
    for row in rows:
        if time.monotonic() > end:
            break
        tried += 1
        confirmed += confirm(row, kernel, nodes)
        click.echo(f"{tried:5} {key_of(row.position)} {row.lo:+d}, {confirmed} confirmed, {kernel.nodes:,} nodes")
    click.echo(f"{confirmed} of {tried} values found, all as in the atlas; {tried - confirmed} were left undecided")


if __name__ == "__main__":
    main()
