"""What a job asks of a cluster; on one machine these numbers do nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Literal, get_args

from weft.files.layout import RELATIVE, Results
from weft.machine import MachineFile
from weft.prepare.jobs.job_needs import LEAST, JobNeeds, MeasuredShard, Need, Wildcards
from weft.prepare.jobs.shortage import Shortage, shortage
from weft.scheduler import RequestLimits, Scheduler, scheduler_named

#: Keys of a machine file that decide resources of Snakemake's Slurm executor.
SiteKey = Literal["account", "partition", "qos", "constraint"]
_RESOURCES = {"account": "slurm_account", "partition": "slurm_partition"}
#: A resource that Snakemake asks for when it knows the job.
OfJob = Callable[[Wildcards], str | None]


@dataclass(frozen=True, slots=True)
class Resources:
    """Answers the rules' `resources`, from what the jobs of each experiment need.

    Jobs of `simulate` all start with the same request. It doubles as often as a job of the same
    shard lacked memory or time; other failures change nothing. Nothing asks for more than the
    largest node and the longest partition have: Slurm would never start it.
    """

    needs: Mapping[str, JobNeeds]
    results: Path = RELATIVE.results.path
    #: Whether the batch system is asked for its limits: a job has its resources already.
    ask: bool = True

    def simulate_memory_mb(self, wildcards: Wildcards, attempt: int) -> int:
        """Megabytes of a job of `simulate`."""
        least = self._largest.memory_mb
        return self._memory_mb(least, wildcards, wildcards.engine, attempt)

    def simulate_runtime_min(self, wildcards: Wildcards, attempt: int) -> int:
        """Minutes that a job of `simulate` may take."""
        least = self._largest.runtime_min
        return self._runtime_min(least, wildcards, wildcards.engine, attempt)

    def measure_memory_mb(self, wildcards: Wildcards, attempt: int) -> int:
        """Megabytes of a job of `measure` on each of its nodes, which may simulate when idle."""
        least = self._measure(wildcards).need.memory_mb
        if self._machine(wildcards).simulates_when_idle:
            least = max(least, self.needs[wildcards.experiment].simulate.memory_mb)
        return self._memory_mb(least, wildcards, "hardware", attempt)

    def measure_runtime_min(self, wildcards: Wildcards, attempt: int) -> int:
        """Minutes that a job of `measure` may take."""
        least = self._measure(wildcards).need.runtime_min
        return self._runtime_min(least, wildcards, "hardware", attempt)

    def nodes(self, wildcards: Wildcards) -> int | None:
        """Nodes of a measurement; None where one machine is all there is."""
        if not self._batch(wildcards):
            return None
        return self._machine(wildcards).nodes_of(self._measure(wildcards).ranks)

    def tasks(self, wildcards: Wildcards) -> int | None:
        """Slurm tasks of a measurement: its ranks, at least two, as the executor demands."""
        if not self._machine(wildcards).launches_with_srun:
            return None
        return max(2, self._processors(wildcards))

    def slots(self, wildcards: Wildcards) -> int | None:
        """Processors of a measurement, for batch systems that count them: one for each rank."""
        return self._processors(wildcards) if self._batch(wildcards) else None

    def slots_per_node(self, wildcards: Wildcards) -> int | None:
        """Processors of a measurement on each of its nodes."""
        if not self._batch(wildcards):
            return None
        return self._machine(wildcards).ranks_on_a_node(self._measure(wildcards).ranks)

    def mpi(self, wildcards: Wildcards) -> str | None:
        """The launcher, by which the executor knows not to start the job itself with `srun`."""
        machine = self._machine(wildcards)
        return machine.launcher if machine.launches_with_srun else None

    def measure_extra(self, wildcards: Wildcards) -> str | None:
        """Further options of `sbatch` for a measurement."""
        machine = self._machine(wildcards)
        exclusive = "--exclusive" if machine.exclusive else ""
        return " ".join(filter(None, (_extra(machine), exclusive))) or None

    def allocation(self, wildcards: Wildcards) -> int | None:
        """1 where one submission holds all measurements: the next one goes on after its end."""
        return 1 if self._machine(wildcards).allocates else None

    @property
    def refused(self) -> str:
        """A pattern of the shards that are not measured, because no job can have their nodes."""
        names = [
            name
            for needs in self.needs.values()
            for name, each in needs.measure.items()
            if each.refused
        ]
        return "|".join(sorted(names)) or "none"

    @property
    def site(self) -> dict[str, OfJob]:
        """Resources that machine files set; others stay as the user's profile has them."""
        machines = [needs.machine for needs in self.needs.values()]
        keys: tuple[SiteKey, ...] = get_args(SiteKey)
        used = [key for key in keys if any(getattr(machine, key) for machine in machines)]
        return {_RESOURCES.get(key, key): _ByExperiment(self.needs, key) for key in used}

    @property
    def simulate_site(self) -> dict[str, OfJob]:
        """As `site`, with the further options of `sbatch`."""
        extra = any(_extra(needs.machine) for needs in self.needs.values())
        return self.site | ({"slurm_extra": self._simulate_extra} if extra else {})

    def _simulate_extra(self, wildcards: Wildcards) -> str | None:
        return _extra(self._machine(wildcards)) or None

    def _memory_mb(self, least: int, wildcards: Wildcards, engine: str, attempt: int) -> int:
        asked = least << self._shortage(wildcards, engine, attempt).memory
        return min(asked, self._limits(wildcards).memory_mb or asked)

    def _runtime_min(self, least: int, wildcards: Wildcards, engine: str, attempt: int) -> int:
        asked = least << self._shortage(wildcards, engine, attempt).time
        return min(asked, self._limits(wildcards).runtime_min or asked)

    def _shortage(self, wildcards: Wildcards, engine: str, attempt: int) -> Shortage:
        folder = Results(self.results).experiment(wildcards.experiment)
        allocated = engine == "hardware" and self._machine(wildcards).allocates
        left = folder.shard(engine, wildcards.shard)
        return shortage(left.path, attempt, goes_on=allocated)

    def _limits(self, wildcards: Wildcards) -> RequestLimits:
        if not self.ask:
            return RequestLimits()
        return self._scheduler(wildcards).limits(self._machine(wildcards).partition or None)

    def _batch(self, wildcards: Wildcards) -> bool:
        return self._scheduler(wildcards).batch

    def _scheduler(self, wildcards: Wildcards) -> Scheduler:
        return scheduler_named(self._machine(wildcards).batch_system)

    @property
    def _largest(self) -> Need:
        needs = [each.simulate for each in self.needs.values()]
        return reduce(Need.at_least, needs) if needs else LEAST

    def _processors(self, wildcards: Wildcards) -> int:
        """One for each rank; in an allocation every node has as many as any, because measurements
        of fewer ranks run on the first nodes."""
        machine, ranks = self._machine(wildcards), self._measure(wildcards).ranks
        full = machine.nodes_of(ranks) * machine.ranks_on_a_node(ranks)
        return full if machine.allocates else ranks

    def _measure(self, wildcards: Wildcards) -> MeasuredShard:
        return self.needs[wildcards.experiment].measure[wildcards.shard]

    def _machine(self, wildcards: Wildcards) -> MachineFile:
        return self.needs[wildcards.experiment].machine


@dataclass(frozen=True, slots=True)
class _ByExperiment:
    """One key of the machine on which an experiment runs."""

    needs: Mapping[str, JobNeeds]
    key: SiteKey

    def __call__(self, wildcards: Wildcards) -> str | None:
        value: str | None = getattr(self.needs[wildcards.experiment].machine, self.key)
        return value or None


def no_resources() -> Resources:
    """Where nothing is planned, nothing is asked for."""
    return Resources({})


def _extra(machine: MachineFile) -> str:
    reservation = f"--reservation={machine.reservation}" if machine.reservation else None
    return " ".join(filter(None, (machine.slurm_extra, reservation)))
