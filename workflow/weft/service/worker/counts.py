"""How many points of a task have an outcome, for the reports to the server."""

from __future__ import annotations

from dataclasses import dataclass

from weft.files.layout import ExperimentFolder
from weft.plan import read_plan
from weft.plan.costs import Costs
from weft.plan.plan import Plan
from weft.progress import Run, shard_watches


def plan_of(folder: ExperimentFolder) -> Plan | None:
    """The plan of a task; None if there is none yet."""
    try:
        return read_plan(folder.plan)
    except (OSError, ValueError, KeyError, TypeError):
        return None


@dataclass(slots=True)
class PointCounts:
    """Counts what the journals of a task hold, again and again."""

    folder: ExperimentFolder
    _run: Run | None = None
    #: When the plan was written whose points `_run` counts.
    _planned_ns: int = 0

    def now(self) -> tuple[int, int]:
        """Points, and those of them that have an outcome."""
        if self._is_planned_anew() and (plan := plan_of(self.folder)) is not None:
            watches = shard_watches(plan, Costs(plan.experiment, []), self.folder.results.path)
            self._run = Run(tuple(watches))
        if self._run is None:
            return 0, 0
        self._run.look()
        return self._run.points, sum(sum(each.counts().values()) for each in self._run.shards)

    def _is_planned_anew(self) -> bool:
        """Packing divides shards that were stopped."""
        try:
            written_ns = self.folder.plan.stat().st_mtime_ns
        except OSError:
            return False
        before_ns, self._planned_ns = self._planned_ns, written_ns
        return written_ns != before_ns
