"""The CSV files beside a journal as tables; what stands there may be no engine's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from weft.tables import SCHEMAS, with_all_columns
from weft.tables.rows import column, table_of

RATE = "rate_bytes_per_s"


@dataclass
class SideTables:
    """Tables by name, the same of each point, and why points have none, by their ids."""

    tables: Mapping[str, pa.Table]
    of_points: Mapping[str, Mapping[str, pa.Table]]
    problems: dict[str, str] = field(default_factory=dict)


def side_tables(directory: Path, names: Iterable[str], point_ids: Iterable[str]) -> SideTables:
    """The files of all points as one table each. A point with a file that is no table has no rows
    in any of them, and a problem; a point without a file has no rows."""
    found: dict[str, list[pa.Table]] = {name: [] for name in names}
    problems: dict[str, str] = {}
    of_points: dict[str, Mapping[str, pa.Table]] = {}
    for point_id in point_ids:
        try:
            parts = {name: _part(name, directory, point_id) for name in found}
        except (pa.ArrowException, KeyError, ValueError) as error:
            problems[point_id] = (
                f"a table of the point cannot be read: {str(error).splitlines()[0]}"
            )
            continue
        of_points[point_id] = {name: part for name, part in parts.items() if part is not None}
        for name, part in of_points[point_id].items():
            found[name].append(part)
    empty = {name: table_of([], SCHEMAS[name]) for name in found}
    tables = {name: pa.concat_tables([empty[name], *parts]) for name, parts in found.items()}
    return SideTables(tables, of_points, problems)


def _part(table: str, directory: Path, point_id: str) -> pa.Table | None:
    path = directory / f"{table}-{point_id}.csv"
    if not path.exists():
        return None
    types = csv.ConvertOptions(
        column_types={f.name: f.type for f in SCHEMAS[table]},
        null_values=[""],
        strings_can_be_null=True,
    )
    part = csv.read_csv(path, convert_options=types)
    part = part.append_column("point_id", column([point_id] * part.num_rows, pa.string()))
    if table == "messages":
        part = part.append_column(RATE, _rates(part))
    return with_all_columns(table, part)


def _rates(messages: pa.Table) -> pa.Array:
    """The rate of each message from its start to its end; null for one that takes no time."""
    # On first use: few points have this table, and every job would wait for the import.
    from pyarrow import compute as pc

    taken_s = pc.subtract(messages["finish_s"], messages["start_s"])
    known_s = pc.if_else(pc.greater(taken_s, 0.0), taken_s, None)
    return pc.divide(pc.cast(messages["bytes"], pa.float64()), known_s)
