"""Build the report: ``python -m report build/report.pdf``. ``make report`` also installs typst."""

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import click

from little_go.book.files.atlas import AtlasError
from little_go.runtime.files import write_whole
from report.figures import FigureError
from report.numbers import Record, ReportError, gather

ROOT = Path(__file__).parents[1]


def build(numbers: Record) -> bytes:
    """Return the report as a PDF. The same numbers give the same bytes."""
    # Import typst here, because the functions that collect the numbers work without it.
    import typst

    text, given = ROOT / "report" / "report.typ", {"numbers": json.dumps(numbers)}
    # With PDF/UA-1, the build fails if something that a screen reader needs is missing.
    pdf: bytes = typst.compile(
        text, root=text.parent, sys_inputs=given, ignore_system_fonts=True, timestamp=0, pdf_standards="ua-1"
    )
    return pdf


def dated(numbers: Record, epoch: str | None) -> Record:
    """Return the numbers with the date of SOURCE_DATE_EPOCH, or without a date if ``epoch`` is empty.

    Raise ReportError if ``epoch`` is not a valid time.
    """
    if not epoch:
        return numbers
    try:
        day = datetime.fromtimestamp(int(epoch), timezone.utc)
    except (ValueError, OverflowError, OSError):
        raise ReportError(f"SOURCE_DATE_EPOCH is {epoch!r}, not a time: set it to seconds since 1970") from None
    return {**numbers, "date": [day.year, day.month, day.day]}


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def main(out: Path) -> None:
    """Write the report to OUT, a PDF."""
    try:
        pdf = build(dated(gather(ROOT), os.environ.get("SOURCE_DATE_EPOCH")))
    except ModuleNotFoundError as error:
        raise click.ClickException(f"no {error.name} here: `make report` installs it") from None
    except (ReportError, FigureError, AtlasError, ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, pdf)
    click.echo(out)


if __name__ == "__main__":
    main()
