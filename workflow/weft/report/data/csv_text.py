"""The rows of a figure as CSV, which its page offers for download."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from weft.tables.spreadsheet import plain_text


def csv_text(header: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A line of names and a line for each row; None is an empty cell.

    A text that a spreadsheet would take for a formula has an apostrophe in front.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    return text.getvalue()


def _plain(cell: object) -> object:
    return plain_text(cell) if isinstance(cell, str) else cell
