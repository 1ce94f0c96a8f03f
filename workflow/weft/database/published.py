"""Published numbers: `configs/paper/<paper>/*.csv` as rows of the table `published`."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

#: Columns with a meaning; every other column is a coordinate under its dotted key.
NAMED = ("item", "series", "metric", "value", "unit", "note")
NEEDED = NAMED[:5]


def published_rows(papers: Path) -> Iterator[dict[str, object]]:
    """The rows of all papers.

    Raises ValueError naming file and line for a missing column or a value that is no number.
    """
    for path in sorted(papers.glob("*/*.csv")):
        with path.open(newline="") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                raise ValueError(f"{path} lacks the columns {', '.join(missing)}")
            for row in reader:
                yield _row(row, f"{path}:{reader.line_num}") | {"paper": path.parent.name}


def _row(row: dict[str, str | None], place: str) -> dict[str, object]:
    value = row["value"]
    try:
        number = float(value or "")
    except ValueError as error:
        raise ValueError(f"{place}: value '{value}' is not a number") from error
    coordinates = {key: _typed(text) for key, text in row.items() if key not in NAMED and text}
    texts = {name: row.get(name) or None for name in NAMED}
    return {**texts, "value": number, "coordinates": json.dumps(coordinates, sort_keys=True)}


def _typed(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
