"""The command ``python -m generator status``."""

import json
from pathlib import Path

import click

from book.store.store import open_store
from generator.commands.options import clear_errors
from generator.report.status import status_record, status_text


@click.command()
@click.option("--db", default="book.db", show_default=True, type=click.Path(path_type=Path), help="The proof store.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def status(db: Path, as_json: bool) -> None:
    """Show what a store holds: the solved games, positions by ply, the runs."""
    with clear_errors(), open_store(db) as store:
        record = status_record(store)
    click.echo(json.dumps(record) if as_json else status_text(record))
