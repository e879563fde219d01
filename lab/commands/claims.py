"""``python -m lab claims``: the index of the claims of the shipped certificates."""

from pathlib import Path

import click

from little_go.book.exchange.claims import index_claims
from little_go.book.files.shipped import CLAIMS, certificates
from little_go.runtime.files import write_whole
from little_go.runtime.options import FILE


@click.command("claims")
@click.option("--out", type=FILE, default=CLAIMS)
def claims(out: Path) -> None:
    """Write the index that queries use: the claims of the shipped certificates, without the leaves."""
    index = index_claims(certificates())
    write_whole(out, index.packed())
    click.echo(f"{out.name}: {len(index):,} lines of {len(index.files)} certificates")
