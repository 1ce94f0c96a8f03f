"""What programs compute between their calls: measured once in the simulator, used by all points.

The times of a program lie in `results/<experiment>/compute/`, named by all that decides what it
computes: its sources, flags, arguments and ranks, and the processor. Beside the file lies what is
known about it, with its checksum. Every engine and every network of the experiment uses the same
file, so that equal points have equal answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from weft.engines.base import ShardJob
from weft.engines.computing_quality import (
    COMPUTED,
    MOST_GOES,
    Disturbance,
    SizeSpread,
    spreads_of,
    with_span,
)
from weft.engines.graphs import prepare_graphs
from weft.engines.hardware.machine_load import MachineLoad
from weft.engines.journal import append, finished, now, read_journal, unanswered
from weft.engines.order import ResolvedPoint
from weft.engines.registry import shard_engine
from weft.engines.turns import turn_to_measure
from weft.files import open_lock, remove_folder, replace_text, sealed_text, take_lock, unsealed
from weft.files.layout import ExperimentFolder
from weft.machine.identity import cpu_model
from weft.plan.identity import by_content
from weft.plan.model import needs_computing, short_digest
from weft.plan.spec import OptionsSpec

#: Runs of the program of which a time is the median.
RUNS = 5
#: Where a shard measures, and the file that a simulator leaves for a point.
_FOLDER, _LEFT = "computing", "compute-{point_id}.times"
_ENDING = ".times"


class MeasuredComputing(TypedDict):
    """What is known about the times of a program."""

    file: str
    sha256: str
    program: str
    ranks: int
    runs: int
    #: Computing of all ranks in each go; more than one go on a busy machine, of which the quietest
    #: counts.
    computed_s: NotRequired[list[float]]
    #: How far the runs of that go lie apart.
    spreads: NotRequired[list[SizeSpread]]
    #: The attempt at the point for which it was measured.
    attempt: NotRequired[int]
    waiting_share: NotRequired[float]
    steal_share: NotRequired[float]
    load_average: NotRequired[float]
    #: Why the times are not to be trusted.
    flag: NotRequired[str | None]
    compute: str
    processor: str
    engine: str
    engine_version: str
    date: str


class NotMeasuredError(Exception):
    """A program did not run while its computing was to be measured, with the end of its log."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(f"its computing could not be measured: {reason}")
        self.log = log


@dataclass(frozen=True, slots=True)
class WithComputing:
    """A job whose points have the times that they need, and by point what is known about them."""

    job: ShardJob
    measured: Mapping[str, MeasuredComputing] = field(default_factory=dict)


def with_computing(
    job: ShardJob, planned: Sequence[ResolvedPoint], folder: ExperimentFolder
) -> WithComputing:
    """The job with measured times for all points that need them; points whose programs fail
    meanwhile have failed.

    `planned` are the same points as they were planned, and name the programs. Measures what no
    earlier job has measured that shares the `folder`, and what is damaged there.

    Raises EngineError when a simulator fails.
    """
    if not any(needs_computing(point["options"]) for point in job.shard["points"]):
        return WithComputing(job)
    of_plan = {point["point_id"]: point for point in planned}
    known = finished(job.journal)
    points: list[ResolvedPoint] = []
    measured: dict[str, MeasuredComputing] = {}
    for point in job.shard["points"]:
        if not needs_computing(point["options"]):
            points.append(point)
            continue
        store = _Store(job, of_plan[point["point_id"]], folder)
        try:
            found = store.known() or (None if point["digest"] in known else store.measure(point))
        except NotMeasuredError as error:
            append(job.journal, {**unanswered(point, str(error)), "log": error.log})
            print(f"{job.directory}: {point['point_id']} failed: {error}", file=sys.stderr)
            continue
        if found is None:
            points.append(point)
            continue
        measured[point["point_id"]] = found
        options: OptionsSpec = {**point["options"], "compute_times": str(store.file)}
        points.append({**point, "options": options})
    return WithComputing(replace(job, shard={**job.shard, "points": points}), measured)


@dataclass(frozen=True, slots=True)
class _Go:
    """One measurement: the file that the simulator left, how long it took, what all ranks
    computed in it, how far its runs lie apart, and what disturbed it."""

    left: Path
    wall_s: float
    computed_s: float
    spreads: list[SizeSpread]
    disturbance: Disturbance


class _Store:
    """The times of one program on this processor."""

    def __init__(self, job: ShardJob, planned: ResolvedPoint, folder: ExperimentFolder) -> None:
        self._job, self._workload, self._folder = job, planned["workload"], folder
        self._processor = cpu_model()
        identity = {"workload": by_content(self._workload), "processor": self._processor}
        self._compute = planned["options"]["compute"]
        if self._compute != "measured":
            identity["compute"] = self._compute
        self.file = folder.computing / f"{short_digest(identity)}{_ENDING}"
        self._facts = self.file.with_suffix(".json")
        self._attempt = job.shard["attempts"].get(planned["point_id"], 1)

    def known(self) -> MeasuredComputing | None:
        """What is known about times that are there.

        None if there are none, they are damaged, or this is a later attempt than that which was
        measured on a busy machine.
        """
        found = self._whole()
        again = found and found.get("flag") and self._attempt > found.get("attempt", 1)
        return None if again else found

    def _whole(self) -> MeasuredComputing | None:
        try:
            found = cast("MeasuredComputing", unsealed(self._facts.read_bytes(), required=True))
            return found if _sha256(self.file) == found["sha256"] else None
        except (OSError, ValueError, KeyError):
            return None

    def measure(self, point: ResolvedPoint) -> MeasuredComputing:
        """Measure now, unless another job does: then its times.

        Raises NotMeasuredError when the program fails, and EngineError when the simulator does.
        """
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with open_lock(self.file.with_suffix(".lock")) as lock:
            take_lock(lock, wait=True)
            if found := self.known():
                return found
            if self._facts.exists() and self._whole() is None:
                self._say_damaged()
            with turn_to_measure(self._folder.results.path, self._job.machine):
                best, computed_s = self._quietest(point)
            found = self._described(best, computed_s)
            best.left.replace(self.file)
            # Last: it marks the file as whole.
            replace_text(self._facts, sealed_text(json.dumps(found, sort_keys=True)))
        return found

    def _say_damaged(self) -> None:
        line = (
            f"{self.file} is damaged: the computing of {self._workload['program']} is measured "
            "anew; points that are done keep the times that they were computed with"
        )
        print(line, file=sys.stderr)
        with self._job.log.open("a") as log:
            log.write(line + "\n")

    def _quietest(self, point: ResolvedPoint) -> tuple[_Go, list[float]]:
        """The least disturbed of as few goes as are needed, and what each of them measured.

        None more begins where the goes would take longer than a measurement may.
        """
        best = self._kept(self._run(point))
        computed_s, took_s = [best.computed_s], best.wall_s
        most_s = self._job.machine.timeout_s
        while (
            best.disturbance.flag and len(computed_s) < MOST_GOES and took_s + best.wall_s <= most_s
        ):
            try:
                go = self._run(point)
            except NotMeasuredError:
                # What was measured before is flagged.
                break
            computed_s.append(go.computed_s)
            took_s += go.wall_s
            if go.disturbance.share < best.disturbance.share:
                best = self._kept(go)
        return best, computed_s

    def _kept(self, go: _Go) -> _Go:
        """With its file where the next go does not remove it."""
        return replace(go, left=go.left.replace(self.file.with_suffix(".quietest")))

    def _run(self, point: ResolvedPoint) -> _Go:
        """Runs the program once more."""
        job, folder = self._job, self._job.directory / _FOLDER
        remove_folder(folder)
        folder.mkdir()
        options = {**point["options"], "compute_runs": RUNS, "tables": []}
        only = replace(
            job,
            shard={**job.shard, "points": [{**point, "options": options}]},
            shard_file=folder / "input.json",
            directory=folder,
            threads=1,
        )
        order = {**prepare_graphs(only.shard, folder)}
        order.pop("declared", None)
        replace_text(only.shard_file, json.dumps(order, sort_keys=True))
        with job.log.open("a") as log:
            log.write(f"measuring what {self._workload['program']} computes between its calls\n")
        before = MachineLoad.now()
        shard_engine(job.shard).run(only)
        after = MachineLoad.now()
        [line] = read_journal(only.journal)
        if line["status"] != "done":
            raise NotMeasuredError(str(line.get("error")), str(line.get("log") or ""))
        wall_s = line["wall_s"]
        disturbance = Disturbance.of(wall_s, line["cpu_s"], before, after)
        left = folder / _LEFT.format(point_id=point["point_id"])
        metrics = line.get("metrics") or []
        computed_s = sum(row["value"] for row in metrics if row["metric"] == COMPUTED)
        return _Go(left, wall_s, computed_s, spreads_of(metrics), disturbance)

    def _described(self, best: _Go, computed_s: list[float]) -> MeasuredComputing:
        disturbance = best.disturbance
        return {
            "file": self.file.name,
            "sha256": _sha256(best.left),
            "computed_s": computed_s,
            "spreads": best.spreads,
            "attempt": self._attempt,
            "waiting_share": round(disturbance.waiting_share, 4),
            "steal_share": round(disturbance.steal_share, 4),
            "load_average": disturbance.load_average,
            "flag": with_span(disturbance.flag, computed_s),
            "program": self._workload["program"],
            "ranks": self._workload["ranks"],
            "runs": RUNS,
            "compute": self._compute,
            "processor": self._processor,
            "engine": self._job.shard["engine"],
            "engine_version": self._job.shard["engine_version"],
            "date": now(),
        }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
