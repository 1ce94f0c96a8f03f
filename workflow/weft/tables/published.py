"""Published numbers: each row of `configs/paper/<paper>/*.csv` is one number."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Columns with a meaning; every other column is a coordinate under its dotted key.
NAMED = ("item", "series", "metric", "value", "unit", "note")
NEEDED = NAMED[:5]
#: A figure draws all numbers of an item, and every database holds all files.
MOST_NUMBERS = 100_000
#: Units of metrics, by the end of the metric's name; the first that fits.
_UNITS = {"_bytes_per_s": "B/s", "_per_s": "", "_s": "s", "_bytes": "B"}


class PublishedError(ValueError):
    """A file of published numbers has a mistake; the text names file and line."""


@dataclass(frozen=True, slots=True)
class Published:
    """A number of a paper, in the unit of its metric, and where it belongs: coordinates by key."""

    paper: str
    item: str
    series: str
    metric: str
    value: float
    unit: str
    note: str | None
    coordinates: Mapping[str, int | float | str]


def published_files(papers: Path, paper: str = "*") -> list[Path]:
    """The files of one paper, or of all."""
    return sorted(papers.glob(f"{paper}/*.csv"))


def read_published(path: Path) -> list[Published]:
    """The numbers in a file.

    Raises PublishedError for the first mistake.
    """
    # As it is written in the documents, whatever the working folder.
    name = "/".join(path.parts[-4:])
    try:
        # Spreadsheets begin their files with a mark.
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            try:
                header = _header(next(reader, []))
                found: list[Published] = []
                for cells in filter(None, reader):
                    if len(found) == MOST_NUMBERS:
                        raise ValueError(f"a file has at most {MOST_NUMBERS:,} numbers")
                    found.append(_number(path, header, cells))
                return found
            except (ValueError, csv.Error) as error:
                if isinstance(error, UnicodeDecodeError):
                    raise
                raise PublishedError(f"{name}:{max(1, reader.line_num)}: {error}") from error
    except UnicodeDecodeError as error:
        raise PublishedError(f"{name} is not a text in UTF-8") from error
    except OSError as error:
        raise PublishedError(f"{name} cannot be read: {error.strerror or error}") from error


def _header(columns: Sequence[str]) -> Sequence[str]:
    if missing := [name for name in NEEDED if name not in columns]:
        found = ", ".join(columns) or "none"
        raise ValueError(
            f"it lacks the columns {', '.join(missing)}; commas separate columns: it has {found}"
        )
    if twice := [name for i, name in enumerate(columns) if name in columns[:i]]:
        raise ValueError(f"it has the column '{twice[0]}' twice")
    return columns


def _number(path: Path, header: Sequence[str], cells: Sequence[str]) -> Published:
    if len(cells) != len(header):
        raise ValueError(f"{len(cells)} cells, but there are {len(header)} columns")
    row = dict(zip(header, cells, strict=True))
    if empty := [name for name in NEEDED if not row[name].strip()]:
        raise ValueError(f"{empty[0]} is empty")
    value, metric, unit = _finite(row["value"]), row["metric"], row["unit"]
    if value is None:
        raise ValueError(f"value '{row['value']}' is not a finite number")
    needed = next((each for end, each in _UNITS.items() if metric.endswith(end)), "")
    if needed and unit != needed:
        raise ValueError(f"unit '{unit}': values of {metric} are in {needed}")
    return Published(
        paper=path.parent.name,
        item=row["item"],
        series=row["series"],
        metric=metric,
        value=value,
        unit=unit,
        note=row.get("note") or None,
        coordinates=dict(_coordinates(row)),
    )


def _coordinates(row: Mapping[str, str]) -> Iterator[tuple[str, int | float | str]]:
    for key, text in row.items():
        if key in NAMED or not text:
            continue
        number = _finite(text)
        if number is None:
            yield key, text
        else:
            yield key, int(text) if text.strip().lstrip("+-").isdecimal() else number


def _finite(text: str) -> float | None:
    """The number; None for words, `nan`, and what only Python takes for a number, like 1_000."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None
