"""The command ``little-go status``."""

import json
from pathlib import Path

import click

from book.commands.stores import db_to_read, store_path
from book.store.connection import named_game
from book.store.store import open_store
from generator.report.status import status_record, status_text
from runtime.options import json_option


@click.command()
@db_to_read
@json_option("Answer in JSON.")
def status(db: Path | None, as_json: bool) -> None:
    """Show what a store holds: the solved games, positions by ply, the runs."""
    path = store_path(db)
    with open_store(path, game=named_game(path)) as store:
        record = status_record(store)
    click.echo(json.dumps(record) if as_json else status_text(record))
