"""The trace of a point: the program runs once more, with the recorder of its calls."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from weft.engines.hardware.call_tables import COLUMNS, CallTables
from weft.engines.hardware.recorded import is_of_one_node, recorded_calls, recorded_ranks
from weft.engines.hardware.recorder import Clock, kept_recorder, recording
from weft.engines.hardware.site import Site
from weft.engines.hardware.source import ProgramSource
from weft.engines.journal import MetricLine
from weft.engines.order import ResolvedPoint
from weft.files import need_space
from weft.files.layout import LEFT
from weft.tables.traces import write_whole

OPTION = "trace"
#: How the folders of recordings begin.
FOLDERS = "recorded-"
#: As simulators call it.
IMBALANCE = "compute_imbalance"
#: Said of ranks that share processors. Their clock does not run while they wait for one.
UNTIMED = (
    "ranks share processors, so that the time in calls is not known: the tables calls, "
    "rank_timeline and critical_path are left out; start no more ranks than there are processors"
)
#: Said of ranks on several nodes.
SEVERAL_CLOCKS = (
    "ranks ran on several nodes, whose clocks differ: the table critical_path is left out"
)


def is_traced(point: ResolvedPoint) -> bool:
    """Whether the experiment asks for a trace of the point."""
    return bool(point.get("options", {}).get(OPTION))


def trace_file(folder: Path, point: ResolvedPoint) -> Path:
    """Where the trace of a point is kept, in the folder of its shard."""
    return folder / LEFT["trace"].format(point_id=point["point_id"])


def remove_traces(folder: Path, point: ResolvedPoint) -> None:
    """Remove what an earlier attempt has left."""
    tables = (folder / f"{table}-{point['point_id']}.csv" for table in COLUMNS)
    for path in (trace_file(folder, point), *tables):
        path.unlink(missing_ok=True)
    for path in folder.glob(f"{FOLDERS}*"):
        shutil.rmtree(path, ignore_errors=True)


class Recording:
    """One run with the recorder, into a folder of its own in `folder`, which all nodes see.

    The clock of `crowded` ranks is that of the processor: they wait for one now and then.
    """

    def __init__(self, folder: Path, site: Site, program: ProgramSource, crowded: bool) -> None:
        self._site, self._program, self._crowded = site, program, crowded
        self._folder = TemporaryDirectory(prefix=FOLDERS, dir=folder)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        try:
            if error is not None:
                need_space(self._path)
        finally:
            self._folder.cleanup()

    @property
    def _path(self) -> Path:
        return Path(self._folder.name).resolve()

    def words(self, sources: Path) -> list[str]:
        """What stands before the program: no launcher needs to pass variables on.

        Raises TraceError when the recorder does not compile.
        """
        site = self._site
        assert site.mpicc is not None  # in mode native
        library = kept_recorder(sources, site.mpicc, site.environment)
        clock: Clock = "cpu" if self._crowded else "wall"
        variables = recording(library, self._path, clock, site.environment)
        variables["WEFT_TRACE_PART"] = "1"
        return ["env", *(f"{name}={value}" for name, value in variables.items())]

    def write(
        self, folder: Path, point: ResolvedPoint, problem: str | None
    ) -> tuple[list[MetricLine], list[str]]:
        """Write the trace and the tables of a point; their numbers, and what they leave out.

        `problem` says why times of the run are not to be trusted, if so. Raises TraceError when the
        program made calls that traces do not have.
        """
        ranks = recorded_ranks(self._path)
        has_one_clock = is_of_one_node(self._path, ranks)
        tables, target = CallTables(not self._crowded, has_one_clock), trace_file(folder, point)
        rows = tables.watched(recorded_calls(self._path, ranks))
        write_whole(target, ranks, rows, self._program.name)
        tables.write(folder, point["point_id"])
        notes = [UNTIMED] if self._crowded else [] if has_one_clock else [SEVERAL_CLOCKS]
        notes += tables.notes
        found = tables.compute_imbalance
        if found is None:
            return [], notes
        line: MetricLine = {
            "metric": IMBALANCE, "message_bytes": None, "value": found, "unit": "1",
        }  # fmt: skip
        if problem:
            line["flag"] = problem
        return [line], notes
