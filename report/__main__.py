"""Build the report: ``python -m report build/report.pdf``. ``make report`` does so, and installs typst."""

import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path

from report.numbers import Record, ReportError, gather
from runtime.files import write_whole

ROOT = Path(__file__).parents[1]


def build(numbers: Record) -> bytes:
    """Return the report with these numbers, as a PDF: the same bytes for the same numbers; raises typst.TypstError."""
    # Not at the top: the numbers need no typesetter.
    import typst

    text, given = ROOT / "report" / "report.typ", {"numbers": json.dumps(numbers)}
    pdf: bytes = typst.compile(text, root=text.parent, sys_inputs=given, ignore_system_fonts=True, timestamp=0)
    return pdf


def dated(numbers: Record, epoch: str | None) -> Record:
    """Return the numbers with the day of ``SOURCE_DATE_EPOCH``, where that is set: otherwise the report has no date."""
    if not epoch:
        return numbers
    day = datetime.fromtimestamp(int(epoch), timezone.utc)
    return {**numbers, "date": [day.year, day.month, day.day]}


def main(out: str) -> None:
    """Write the report."""
    try:
        numbers = dated(gather(ROOT), os.environ.get("SOURCE_DATE_EPOCH"))
    except ReportError as error:
        sys.exit(f"Error: {error}")
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    write_whole(Path(out), build(numbers))
    print(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
