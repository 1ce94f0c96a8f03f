"""Tables of a recorded program: its calls, who sent to whom, and what ranks did over time.

A machine does not know what part of a call is waiting, and what the network takes: these columns
stay empty, as `docs/tables.md` says.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from weft.engines.hardware.known_groups import KnownGroups
from weft.engines.hardware.measured_path import MeasuredPath
from weft.engines.hardware.rank_courses import RankCourses
from weft.engines.hardware.rank_pairs import SentMessages
from weft.engines.hardware.recorded import RecordedCall
from weft.files import replacing
from weft.tables.traces import TraceRow

#: Of each table the columns of its CSV file, without those that a machine does not know.
COLUMNS = {
    "calls": ("rank", "call", "count", "time_s"),
    "rank_pairs": ("source", "destination", "messages", "bytes"),
    "rank_timeline": ("rank", "quantile", "start_s", "end_s", "compute_s", "call_s"),
    "critical_path": ("rank", "call", "state", "source", "destination", "pieces", "time_s"),
}
#: Of a trace's end: what a rank computes behind its last call.
_END = "Compute"
Value = int | float | str | None


class CallTables:
    """The tables of one run, filled while its calls are read.

    Without `timed`, those that say how long calls take are left out; without `has_one_clock` the
    critical path, which compares times of several ranks.
    """

    def __init__(self, timed: bool = True, has_one_clock: bool = True) -> None:
        self._timed = timed
        self._calls: dict[tuple[int, str], tuple[int, float]] = {}
        self._groups = KnownGroups()
        self._pairs, self._courses = SentMessages(self._groups), RankCourses()
        self._path = MeasuredPath(self._groups) if timed and has_one_clock else None

    def watched(self, calls: Iterable[RecordedCall]) -> Iterator[TraceRow]:
        """The rows of `calls`, each once it is in the tables."""
        for call in calls:
            self._add(call)
            yield call.row

    def _add(self, call: RecordedCall) -> None:
        row, name, inside_s = call.row, call.name, call.inside_s
        rank = row["rank"]
        self._courses.add(rank, row["compute_s"], inside_s)
        self._groups.add(row)
        if self._path:
            self._path.add(call)
        if name == _END:
            return
        count, time_s = self._calls.get((rank, name), (0, 0.0))
        self._calls[rank, name] = count + 1, time_s + inside_s
        self._pairs.add(row)

    @property
    def compute_imbalance(self) -> float | None:
        """That of the run; None where nothing computes."""
        return self._courses.compute_imbalance

    @property
    def notes(self) -> list[str]:
        """What the critical path lacks, if anything."""
        return self._path.notes if self._path else []

    def write(self, folder: Path, point_id: str) -> None:
        """Write all of them, each as `<table>-<point>.csv`."""
        rows: dict[str, Iterator[tuple[Value, ...]]] = {"rank_pairs": self._pairs.rows()}
        if self._timed:
            rows |= {"calls": self._rows_of_calls(), "rank_timeline": self._rows_of_courses()}
        if self._path:
            rows["critical_path"] = iter(self._path.rows())
        for table, found in rows.items():
            with (
                replacing(folder / f"{table}-{point_id}.csv") as unfinished,
                unfinished.open("w", newline="") as file,
            ):
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(COLUMNS[table])
                writer.writerows(found)

    def _rows_of_calls(self) -> Iterator[tuple[Value, ...]]:
        for (rank, name), (count, time_s) in self._calls.items():
            yield rank, f"MPI_{name}", count, time_s

    def _rows_of_courses(self) -> Iterator[tuple[Value, ...]]:
        for rank, quantile in self._courses.shown():
            for each in self._courses.intervals(rank):
                yield rank, quantile, each.start_s, each.end_s, each.compute_s, each.call_s
