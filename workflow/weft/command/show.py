"""States and answers as lines of text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from weft.progress.duration import duration
from weft.read import Answers, ExperimentState
from weft.report.data.units import day_and_time
from weft.tables.spreadsheet import plain_table

if TYPE_CHECKING:
    import pyarrow


def state_lines(states: Sequence[ExperimentState]) -> Iterator[str]:
    """Two lines for each experiment: what it is and how far, then its question."""
    if not states:
        yield "No experiment matches; `weft list` prints all."
        return
    width = max(len(each.name) for each in states)
    room = shutil.get_terminal_size((100, 24)).columns
    for each in states:
        parts = [each.state, _points(each.points), *_past(each)]
        yield f"{each.name:<{width}}  " + " · ".join(
            filter(None, [*parts, ", ".join(each.engines)])
        )
        if each.problem:
            yield f"{'':<{width}}  {_short(each.name, each.problem)}"
        else:
            yield _cut(f"{'':<{width}}  {' '.join(each.question.split())}", room)


def _points(count: int) -> str:
    return f"{count:,} point{'' if count == 1 else 's'}" if count else ""


def _past(state: ExperimentState) -> Iterator[str]:
    if state.last_run is not None:
        yield f"{duration(state.cpu_s)} of CPU time"
        yield f"last run {day_and_time(state.last_run)}"


def _short(name: str, problem: str) -> str:
    """A mistake without the folder of the experiment's own file, which its name already gives."""
    before, own, after = problem.partition(f"{name}.yaml")
    return f"{own}{after}" if before.endswith("/") and " " not in before else problem


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def states_json(states: Iterable[ExperimentState]) -> str:
    """The same for programs."""
    rows = [asdict(each) | {"state": each.state} for each in states]
    return json.dumps(rows, default=str, indent=1)


def answer_lines(
    found: Answers, csv: Path | None, parquet: Path | None, rows: int
) -> Iterator[str]:
    """Write the files asked for and name them; without any, the first `rows` as a table."""
    if csv:
        import pyarrow.csv

        pyarrow.csv.write_csv(plain_table(found.table), csv)
        yield f"{csv}: {len(found):,} rows"
    if parquet:
        import pyarrow.parquet

        pyarrow.parquet.write_table(found.table, parquet)
        yield f"{parquet}: {len(found):,} rows"
    if not csv and not parquet:
        yield _printed(found.shown().slice(0, rows))
        if len(found) > rows:
            yield f"… {len(found):,} rows in all; --csv FILE or --parquet FILE writes them"
    for each in found.expectations:
        yield each.line


def _printed(table: pyarrow.Table) -> str:
    """Rows under their headings: microseconds with their digits, and nothing where nothing is."""
    frame = table.to_pandas()
    return str(frame.to_string(index=False, na_rep="", float_format="{:.6g}".format))
