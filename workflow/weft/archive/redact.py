"""Results without what a site does not publish: folders never, other names not in anonymous
archives."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from weft.engines.jobs import read_jobs
from weft.files import JsonObject, replace_text, sealed, unsealed
from weft.files.calibrations import read_calibration, write_calibration
from weft.files.layout import JOURNAL, ExperimentFolder, ShardFolder
from weft.machine import MachineFile
from weft.plan.outcome import FLAGGED, OUTCOMES, ShardOutcome, read_outcome, write_outcome
from weft.plan.plan import Plan
from weft.plan.stored import read_plan, write_plan
from weft.plan.variant import is_of_machine, read_changes, write_changes
from weft.tables import read_table, write_table

#: What stays of `environment` in anonymous archives; all else may name a site.
KEPT = (
    "cpu", "cpus", "kernel", "python", "mpi", "mpi_library", "mode", "image", "calibration",
    "processors", "oversubscribed", "binding_problem", "computing", "notes",
)  # fmt: skip
#: What stays of a job.
_OF_JOBS = ("job", "started_at", "ended_at", "outcome", "points_before", "restart_count", "image")
_RUNS = "runs"


@lru_cache(maxsize=8)
def folders(root: Path) -> list[tuple[re.Pattern[str], str]]:
    """The folders of a project and of its user as patterns, with what stands for them."""
    named = ((root, "."), (Path.home(), "~"))
    return [
        (re.compile(re.escape(str(folder)) + r"(?![\w.-])"), shown)
        for folder, shown in named
        if len(folder.parts) > 1
    ]


def without_folders(text: str, root: Path) -> str:
    """A text in which neither the folder of the project nor that of the user stands."""
    for pattern, shown in folders(root):
        text = pattern.sub(shown, text)
    return text


def names_folders(path: Path, root: Path) -> bool:
    """Whether a text file names one of them."""
    patterns = [pattern for pattern, _ in folders(root)]
    try:
        with path.open(errors="replace") as file:
            return any(pattern.search(line) for line in file for pattern in patterns)
    except FileNotFoundError:
        return False


@dataclass(slots=True)
class Redaction:
    """Copies results of the project in `root` without its folder and that of its user.

    An `anonymous` copy holds no machine file, no job numbers, no logs and no commands, and a number
    in place of each host, the same in all experiments.
    """

    root: Path
    anonymous: bool
    _hosts: dict[str, str] = field(default_factory=dict)

    def copy(self, source: ExperimentFolder, target: ExperimentFolder) -> None:
        """Copy plan, orders and finished shards.

        Raises DamagedError for a file that is not as it was written.
        """
        plan = read_plan(source.plan)
        overrides = tuple(text for text in plan.overrides if self._stays(text))
        machine = MachineFile.read(self._machine(plan.machine.plain()))
        write_plan(replace(plan, machine=machine, overrides=overrides), target.plan)
        if source.calibration.is_file():
            fitted = self._calibration(read_calibration(source.calibration))
            write_calibration(target.calibration, fitted)
        if changes := read_changes(source.path):
            kept = tuple(text for text in changes.overrides if self._stays(text))
            write_changes(replace(changes, overrides=kept), target.path)
        for path in source.measured_computing():
            target.computing.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target.computing)
        self._copy_shards(plan, source, target)

    def _copy_shards(self, plan: Plan, source: ExperimentFolder, target: ExperimentFolder) -> None:
        for shard in plan.shards:
            order = source.order(shard.shard_id)
            if order.is_file():
                found = unsealed(order.read_bytes().rstrip(b"\n"), required=True)
                if "machine" in found:
                    found["machine"] = self._machine(found["machine"])
                replace_text(target.order(shard.shard_id), sealed(found))
            left = source.shard(shard.engine, shard.shard_id)
            outcome = read_outcome(left.path)
            if outcome is not None:
                self._copy_shard(left, target.shard(shard.engine, shard.shard_id), outcome)

    def _copy_shard(self, left: ShardFolder, copy: ShardFolder, outcome: ShardOutcome) -> None:
        copy.path.mkdir(parents=True)
        logs = (
            [] if self.anonymous else [each for each in (left.log, left.benchmark) if each.exists()]
        )
        tables = [left.path / name for name in outcome.files if name != JOURNAL]
        for path in [*tables, *left.left(), *logs]:
            shutil.copy(path, copy.path)
        write_table(_RUNS, self._runs(left), copy.table(_RUNS))
        if JOURNAL in outcome.files:
            replace_text(copy.journal, "".join(self._lines(left)))
        replace_text(copy.jobs, "".join(self._jobs(left)))
        points = {name: getattr(outcome, name) for name in (*OUTCOMES, FLAGGED)}
        image = Path(outcome.image).name if outcome.image else None
        write_outcome(copy.path, points, image)

    def _runs(self, left: ShardFolder) -> Iterator[JsonObject]:
        for row in read_table(_RUNS, left.table(_RUNS)).to_pylist():
            found = {key: self._text(value) for key, value in row.items()}
            if self.anonymous:
                kept = _kept(json.loads(row["environment"] or "{}"))
                if "calibration" in kept:
                    kept["calibration"] = self._calibration(kept["calibration"])
                found |= {"host": self._host(row["host"]), "log": None}
                found["environment"] = json.dumps(kept)
            yield found

    def _lines(self, left: ShardFolder) -> Iterator[str]:
        for raw in left.journal.read_bytes().splitlines():
            line = json.loads(without_folders(json.dumps(unsealed(raw, required=False)), self.root))
            if self.anonymous:
                line = {key: line[key] for key in line if key not in ("log", "environment")}
            yield sealed(line) + "\n"

    def _jobs(self, left: ShardFolder) -> Iterator[str]:
        for job in read_jobs(left.path):
            kept = {key: self._text(value) for key, value in job.items()}
            if self.anonymous:
                kept = {key: kept[key] for key in _OF_JOBS if key in kept}
            yield json.dumps(kept, sort_keys=True) + "\n"

    def _machine(self, plain: Mapping[str, object]) -> Mapping[str, object]:
        if self.anonymous:
            return MachineFile().plain()
        found: Mapping[str, object] = json.loads(without_folders(json.dumps(plain), self.root))
        return found

    def _calibration(self, fitted: Mapping[str, object]) -> Mapping[str, object]:
        """What was fitted; an anonymous one does not say on which machine."""
        return {k: v for k, v in fitted.items() if not (self.anonymous and k == "machine")}

    def _stays(self, override: str) -> bool:
        return not (self.anonymous and is_of_machine(override))

    def _host(self, name: str | None) -> str | None:
        return self._hosts.setdefault(name, f"host-{len(self._hosts) + 1}") if name else name

    def _text(self, value: object) -> object:
        return without_folders(value, self.root) if isinstance(value, str) else value


def _kept(environment: JsonObject) -> JsonObject:
    return {key: environment[key] for key in KEPT if key in environment}
