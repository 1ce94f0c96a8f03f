"""The rows of a figure as CSV, which its page offers for download."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(header: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A line of names and a line for each row; None is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
