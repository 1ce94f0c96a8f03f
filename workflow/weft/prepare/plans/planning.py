"""One experiment after the other becomes a plan on the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from weft.config import Experiment
from weft.engines import engine
from weft.engines.begun import Divided, end_finished, has_begun
from weft.engines.hardware.site import mpi_family
from weft.engines.printed import keep_all_printed
from weft.engines.shards import earlier_shards, write_shards
from weft.files import Aside, replace_changed
from weft.files.layout import ExperimentFolder, Results
from weft.machine import MachineFile
from weft.plan import build_plan, read_plan, remove_old_points, write_plan
from weft.plan.build import flit_notes
from weft.plan.expansion import Expansions
from weft.plan.model import SIMULATE_THREADS
from weft.plan.outcome import DamagedError
from weft.plan.outcomes import Outcomes
from weft.plan.pack import Packing
from weft.plan.plan import Plan
from weft.plan.stated import note_stated, stated_texts
from weft.prepare.jobs.entries import Look
from weft.prepare.jobs.estimates import job_needs
from weft.prepare.jobs.job_needs import JobNeeds
from weft.prepare.plans.attempts import next_attempts
from weft.prepare.plans.executables import EngineKey, engine_versions, obstacles
from weft.prepare.plans.history import learned_costs
from weft.prepare.plans.networks import check_networks
from weft.prepare.plans.refusals import refusals
from weft.prepare.plans.upgrades import Upgrade, upgrades
from weft.prepare.plans.ways import Way, ways
from weft.prepare.request.request import Again
from weft.prepare.state.integrity import forget
from weft.progress import ShardWatch, shard_watches


@dataclass(frozen=True, slots=True)
class Planned:
    """An experiment's plan, what its jobs need, its `files` as rules look them up, and what a
    progress line `watches`.

    `ways` says what its open measurements cost a batch system. `obstacles` are engines that cannot
    run their open shards here, with the reason; `upgrades` those whose new version computes points
    again.
    """

    plan: Plan
    needs: JobNeeds
    files: Look
    watches: tuple[ShardWatch, ...] = ()
    ways: tuple[Way, ...] = ()
    obstacles: Mapping[str, str] = field(default_factory=dict)
    upgrades: Sequence[Upgrade] = ()


@dataclass(frozen=True, slots=True)
class Planning:
    """Writes plans and shard files below `results`; what would replace one may go `aside`.

    Points whose outcome is in `again` get another attempt.
    """

    results: Path
    containers: bool
    again: Collection[Again]
    partial: bool
    aside: Aside | None
    #: Whether nothing has to be collected because of the database itself.
    database_whole: bool = True
    #: What was formed while the experiments were checked.
    expansions: Expansions = field(default_factory=lambda: Expansions(mpi_library))
    _versions: dict[EngineKey, str] = field(default_factory=dict)

    def plan(self, experiment: Experiment) -> Planned:
        """Plan one experiment, also where a simulator that it needs is missing or outdated.

        Raises ConfigErrors for a network that its simulator cannot have.
        """
        folder = Results(self.results).experiment(experiment.name)
        path = folder.plan
        costs = learned_costs(self.results, experiment.name)
        outcomes = Outcomes(folder.path)
        previous, damage = _previous(path)
        if damage is not None:
            print(f"weft: {experiment.name}: {damage}: it is written again", file=sys.stderr)
        versions = engine_versions(experiment, previous, self._versions, containers=self.containers)
        if not self.aside:
            keep_all_printed(folder)
        divided = end_finished(folder, versions.known) if self.partial and not self.aside else []
        points = self.expansions.points(experiment)
        check_networks(experiment, points)
        for note in flit_notes(experiment, points):
            print(f"weft: {experiment.name}: {note}", file=sys.stderr)
        packing = Packing(costs, _lanes(experiment.machine), _measuring(experiment))
        plan = build_plan(
            experiment,
            points,
            versions.known,
            _without(previous, divided),
            outcomes,
            packing,
            earlier_shards(self.results, experiment.name, versions.known),
            lambda shard: has_begun(folder.shard(shard.engine, shard.shard_id)),
        )
        put = self.aside or replace_changed
        placed = write_plan(plan, path, put)
        if not self.aside:
            remove_old_points(path)
            _date(folder, stated_texts(plan))
        for each in divided:
            each.remove()
        lost = forget(
            plan,
            outcomes,
            self.results,
            partial=self.partial,
            aside=self.aside,
            again=damage is not None or not self.database_whole,
        )
        attempts = next_attempts(plan, self.results, self.again)
        refused = refusals(experiment, plan, outcomes, self.results)
        changed = write_shards(plan, self.results, attempts, put, refused)
        files = Look(plan=str(placed), changed={**lost.changed, **changed}, stale=list(lost.stale))
        watches = tuple(shard_watches(plan, costs, self.results))
        needs = job_needs(plan, costs, self.results, refused)
        if self.partial:
            return Planned(plan, needs, files, watches)
        choices: tuple[Way, ...] = ()
        if self.aside:
            choices = ways(experiment, plan, packing, outcomes, self.results, refused)
        stopped = obstacles(experiment, plan, outcomes, versions, containers=self.containers)
        again = upgrades(plan, outcomes, self.results)
        return Planned(plan, needs, files, watches, choices, stopped, again)


def mpi_library(experiment: Experiment) -> str | None:
    """The MPI of the machine where the experiment predicts and measures; None elsewhere."""
    measures = [experiment.declared[name].measures for name in experiment.engines]
    return mpi_family(experiment.machine) if any(measures) and not all(measures) else None


def _date(folder: ExperimentFolder, expectations: Sequence[str]) -> None:
    """Note when these were stated; a damaged note stays, because a new one would tell otherwise."""
    try:
        note_stated(folder, expectations, datetime.now(UTC))
    except DamagedError as error:
        print(f"weft: {folder.name}: {error}", file=sys.stderr)


def _measuring(experiment: Experiment) -> frozenset[str]:
    return frozenset(name for name in experiment.engines if engine(name).kind == "hardware")


def _lanes(machine: MachineFile) -> int:
    """Jobs that can run at a time on this machine; on a cluster shards need not be divided."""
    if machine.batch_system != "none":
        return 1
    return max(1, (os.cpu_count() or 1) // SIMULATE_THREADS)


def _without(plan: Plan | None, divided: Sequence[Divided]) -> Plan | None:
    """The plan without shards that were divided."""
    names = {each.shard_id for each in divided}
    if plan is None or not names:
        return plan
    return replace(plan, shards=tuple(s for s in plan.shards if s.shard_id not in names))


def _previous(path: Path) -> tuple[Plan | None, str | None]:
    """The earlier plan, and how it is damaged; one that this weft cannot read counts as none."""
    try:
        return read_plan(path), None
    except DamagedError as error:
        return None, error.what
    except (OSError, ValueError, TypeError, KeyError):
        return None, None
