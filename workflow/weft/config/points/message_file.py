"""Message lists from files: read before anything runs, so that a bad row fails the plan."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from weft.files.tokens import file_digest
from weft.tables.traces import ENDING

#: A message leaves within a million hours.
LATEST_S = 3.6e9
REQUIRED = ("src", "dst", "bytes")
_TYPES = {
    "src": pa.int64(),
    "dst": pa.int64(),
    "bytes": pa.int64(),
    "start": pa.float64(),
    "start_s": pa.float64(),
}
#: What Arrow says of a text in a column of numbers; it counts rows without those that are empty.
_BAD_CELL = re.compile(
    r"In CSV column #(?P<column>\d+): Row #(?P<row>\d+): CSV conversion error to \w+: "
    r"invalid value (?P<value>.*)"
)
_BAD_ROW = re.compile(r"CSV parse error: Row #(?P<row>\d+): (?P<problem>.*)")


def file_sha256(root: Path, file: str) -> str:
    """Hex digest of the file's content; of C that of its tokens, so that comments do not count."""
    if file.endswith(ENDING):
        # A trace may be larger than the memory.
        with (root / file).open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    return file_digest(file, (root / file).read_bytes())


def file_problem(root: Path, file: str, nodes: int) -> str | None:
    """What is wrong with the list for a topology of `nodes` nodes, or None."""
    path = root / file
    if not path.is_file():
        return f"there is no file {file} (looked in {root})"
    stamp = path.stat()
    return _problem(path, file, nodes, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=256)
def _problem(path: Path, file: str, nodes: int, _changed: int, _size: int) -> str | None:
    try:
        table = _read(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        return _row_problem(path, file, reason) or f"{file} cannot be read: {reason}"
    if table.num_rows == 0:
        return f"{file} holds no message"
    for column in ("src", "dst"):
        row = _first(pc.or_(pc.less(table[column], 0), pc.greater_equal(table[column], nodes)))
        if row is not None:
            value = table[column][row].as_py()
            return f"{file} {_place(path, row)}: {column} is {value}, nodes are 0 to {nodes - 1}"
    for column, least in (("bytes", "0"), ("start", "0"), ("start_s", "0")):
        row = _first(_unusable(table[column])) if column in table.column_names else None
        if row is not None:
            value = table[column][row].as_py()
            reason = f"must be {least} or more" if value < 0 else f"must be at most {LATEST_S:g}"
            reason = "which is not a number" if value != value else reason
            return f"{file} {_place(path, row)}: {column} is {value}, {reason}"
    return None


def _unusable(column: Any) -> object:
    bad = pc.less(column, 0)
    if pa.types.is_floating(column.type):
        return pc.or_(bad, pc.or_(pc.is_nan(column), pc.greater(column, LATEST_S)))
    return bad


def _place(path: Path, row: int) -> str:
    """Where a message is: the line of a text as an editor counts it, else its row."""
    if path.suffix != ".csv":
        return f"row {row + 1}"
    # The first is the header.
    return f"line {_line(path, row + 1)}"


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line of the editor in which each begins; lines without a cell are no rows."""
    with path.open(newline="", encoding="utf-8-sig") as lines:
        reader, line = csv.reader(lines), 1
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1


def _line(path: Path, row: int) -> int:
    return next(islice(_rows(path), row, None))[0]


def _row_problem(path: Path, file: str, reason: str) -> str | None:
    """Arrow's word about a row or a cell, with the name of its column; None for anything else."""
    if found := _BAD_ROW.match(reason):
        return f"{file} line {_line(path, int(found['row']) - 1)}: {found['problem']}"
    found = _BAD_CELL.match(reason)
    if found is None:
        return None
    _, header = next(_rows(path))
    column = header[int(found["column"])]
    kind = "a number" if pa.types.is_floating(_TYPES[column]) else "a whole number"
    line = _line(path, int(found["row"]) - 1)
    return f"{file} line {line}: {column} is {found['value']}, must be {kind}"


def _first(bad: object) -> int | None:
    row = pc.index(bad, True).as_py()
    return None if row < 0 else int(row)


def _read(path: Path) -> Any:
    if path.suffix == ".parquet":
        table = pq.read_table(path, partitioning=None)
    elif path.suffix == ".csv":
        # Else `nan` would be taken for an empty cell.
        options = pa_csv.ConvertOptions(column_types=_TYPES, null_values=[""])
        # Only a single thread knows the line of a mistake.
        single = pa_csv.ReadOptions(use_threads=False)
        table = pa_csv.read_csv(path, read_options=single, convert_options=options)
    else:
        raise ValueError("a message file ends in .csv or .parquet")
    names = set(table.column_names)
    if not set(REQUIRED) <= names <= set(_TYPES):
        raise ValueError("its columns must be src, dst, bytes and optionally start_s")
    table = table.select([name for name in _TYPES if name in names])
    if any(table[name].null_count for name in table.column_names):
        raise ValueError("it has empty cells")
    return table.cast(pa.schema([(name, _TYPES[name]) for name in table.column_names]))
