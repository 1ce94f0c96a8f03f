"""`--config anonymous=true`: the same results without hosts, accounts, jobs and folders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from weft.archive.results import histories
from weft.engines.jobs import read_jobs
from weft.engines.journal import read_journal
from weft.files import JsonObject, replace_text, sealed, unsealed
from weft.files.layout import JOURNAL, ExperimentFolder, ShardFolder
from weft.machine import MachineFile
from weft.plan.outcome import FLAGGED, OUTCOMES, ShardOutcome, read_outcome, write_outcome
from weft.plan.stored import read_plan, write_plan
from weft.plan.variant import is_of_machine, read_changes, write_changes
from weft.tables import read_table, write_table

#: What stays of `environment`; all else may name a site.
KEPT = (
    "cpu", "cpus", "kernel", "python", "mpi", "mpi_library", "mode", "image", "calibration",
    "processors", "oversubscribed", "binding_problem",
)  # fmt: skip
#: What stays of a job.
_OF_JOBS = ("job", "started_at", "ended_at", "outcome", "points_before", "restart_count", "image")
#: What orders say of the site.
_OF_ORDERS = ("machine",)
_RUNS = "runs"


@dataclass(slots=True)
class Nameless:
    """Copies results without names; each host gets a number, the same in all experiments.

    Texts lose the folders `root` and that of the user.
    """

    root: Path
    _hosts: dict[str, str] = field(default_factory=dict)

    def copy(self, source: ExperimentFolder, target: ExperimentFolder) -> None:
        """Copy plan, orders and finished shards.

        Raises DamagedError for a file that is not as it was written.
        """
        plan = read_plan(source.plan)
        overrides = tuple(text for text in plan.overrides if not is_of_machine(text))
        write_plan(replace(plan, machine=MachineFile(), overrides=overrides), target.plan)
        if source.calibration.is_file():
            shutil.copy(source.calibration, target.path)
        if changes := read_changes(source.path):
            write_changes(replace(changes, overrides=overrides), target.path)
        for shard in plan.shards:
            order = source.order(shard.shard_id)
            if order.is_file():
                found = unsealed(order.read_bytes().rstrip(b"\n"), required=True)
                kept = {key: value for key, value in found.items() if key not in _OF_ORDERS}
                replace_text(target.order(shard.shard_id), sealed(kept))
            left = source.shard(shard.engine, shard.shard_id)
            outcome = read_outcome(left.path)
            if outcome is not None:
                self._copy_shard(left, target.shard(shard.engine, shard.shard_id), outcome)

    def _copy_shard(self, left: ShardFolder, copy: ShardFolder, outcome: ShardOutcome) -> None:
        copy.path.mkdir(parents=True)
        tables = [left.path / name for name in outcome.files if name != JOURNAL]
        for path in [*tables, *histories(left)]:
            shutil.copy(path, copy.path)
        write_table(_RUNS, self._runs(left), copy.table(_RUNS))
        if JOURNAL in outcome.files:
            replace_text(copy.journal, "".join(self._lines(left)))
        jobs = [{key: job[key] for key in _OF_JOBS if key in job} for job in _jobs(left)]
        replace_text(copy.jobs, "".join(json.dumps(job, sort_keys=True) + "\n" for job in jobs))
        points = {name: getattr(outcome, name) for name in (*OUTCOMES, FLAGGED)}
        image = Path(outcome.image).name if outcome.image else None
        write_outcome(copy.path, points, image)

    def _runs(self, left: ShardFolder) -> Iterator[JsonObject]:
        for row in read_table(_RUNS, left.table(_RUNS)).to_pylist():
            found = _kept(json.loads(row["environment"] or "{}"))
            yield {
                **row,
                "host": self._host(row["host"]),
                "log": None,
                "error": self._text(row["error"]),
                "flag": self._text(row["flag"]),
                "environment": json.dumps(found, sort_keys=True),
            }

    def _lines(self, left: ShardFolder) -> Iterator[str]:
        for line in read_journal(left.journal):
            kept: JsonObject = {
                key: value for key, value in line.items() if key not in ("log", "environment")
            }
            kept |= {k: self._text(str(kept[k])) for k in ("error", "flag") if kept.get(k)}
            yield sealed(kept) + "\n"

    def _host(self, name: str | None) -> str | None:
        return self._hosts.setdefault(name, f"host-{len(self._hosts) + 1}") if name else name

    def _text(self, text: str | None) -> str | None:
        return without_folders(text, self.root) if text else text


def without_folders(text: str, root: Path) -> str:
    """A text in which neither the folder of the project nor that of the user stands."""
    for folder, shown in ((root, "."), (Path.home(), "~")):
        if len(folder.parts) > 1:
            text = text.replace(str(folder), shown)
    return text


def _kept(environment: Mapping[str, object]) -> dict[str, object]:
    return {key: environment[key] for key in KEPT if key in environment}


def _jobs(left: ShardFolder) -> Iterable[JsonObject]:
    return cast("Iterable[JsonObject]", read_jobs(left.path))
