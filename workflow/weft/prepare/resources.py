"""What a job asks of a cluster; on one machine these numbers do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft.prepare.shortage import Shortage, shortage
from weft.scheduler import RequestLimits, Scheduler, scheduler_named

#: What a job gets at least: Python, Arrow and an estimate that may be wrong want some room.
LEAST = {"memory_mb": 2000, "runtime_min": 15}
#: Key of a machine file -> resource of Snakemake's Slurm executor.
SITE = {
    "account": "slurm_account",
    "partition": "slurm_partition",
    "qos": "qos",
    "constraint": "constraint",
}


@dataclass(frozen=True, slots=True)
class Resources:
    """Answers the rules' `resources`, from the needs of each experiment (`weft.prepare.needs`).

    Jobs of `simulate` all start with the same request. It doubles as often as a job of the same
    shard lacked memory or time; other failures change nothing. Nothing asks for more than the
    largest node and the longest partition have: Slurm would never start it.
    """

    needs: Mapping[str, Mapping[str, Any]]
    results: Path = Path("results")
    #: Whether the batch system is asked for its limits: a job has its resources already.
    ask: bool = True

    def simulate_memory_mb(self, wildcards: Any, attempt: int) -> int:
        """Megabytes of a job of `simulate`."""
        return self._memory_mb(self._simulate("memory_mb"), wildcards, wildcards.engine, attempt)

    def simulate_runtime_min(self, wildcards: Any, attempt: int) -> int:
        """Minutes that a job of `simulate` may take."""
        least = self._simulate("runtime_min")
        return self._runtime_min(least, wildcards, wildcards.engine, attempt)

    def measure_memory_mb(self, wildcards: Any, attempt: int) -> int:
        """Megabytes of a job of `measure` on each of its nodes."""
        least = int(self._measure(wildcards)["memory_mb"])
        return self._memory_mb(least, wildcards, "hardware", attempt)

    def measure_runtime_min(self, wildcards: Any, attempt: int) -> int:
        """Minutes that a job of `measure` may take."""
        least = int(self._measure(wildcards)["runtime_min"])
        return self._runtime_min(least, wildcards, "hardware", attempt)

    def nodes(self, wildcards: Any) -> int | None:
        """Nodes of a measurement; None where one machine is all there is."""
        ranks, machine = int(self._measure(wildcards)["ranks"]), self._machine(wildcards)
        if not self._batch(wildcards):
            return None
        return -(-ranks // self._per_node(ranks, machine))

    def tasks(self, wildcards: Any) -> int | None:
        """Slurm tasks of a measurement: its ranks, at least two, as the executor demands."""
        if not self._machine(wildcards).get("srun"):
            return None
        return max(2, int(self._measure(wildcards)["ranks"]))

    def slots(self, wildcards: Any) -> int | None:
        """Processors of a measurement, for batch systems that count them: one for each rank."""
        return int(self._measure(wildcards)["ranks"]) if self._batch(wildcards) else None

    def slots_per_node(self, wildcards: Any) -> int | None:
        """Processors of a measurement on each of its nodes."""
        ranks = int(self._measure(wildcards)["ranks"])
        return self._per_node(ranks, self._machine(wildcards)) if self._batch(wildcards) else None

    def mpi(self, wildcards: Any) -> str | None:
        """The launcher, by which the executor knows not to start the job itself with `srun`."""
        launcher: str | None = self._machine(wildcards).get("srun")
        return launcher

    def measure_extra(self, wildcards: Any) -> str | None:
        """Further options of `sbatch` for a measurement."""
        machine = self._machine(wildcards)
        exclusive = "--exclusive" if machine.get("exclusive") else ""
        return " ".join(filter(None, (_extra(machine), exclusive))) or None

    @property
    def site(self) -> dict[str, Any]:
        """Resources that machine files set; others stay as the user's profile has them."""
        machines = [needs["machine"] for needs in self.needs.values()]
        used = [key for key in SITE if any(machine.get(key) for machine in machines)]
        return {SITE[key]: _ByExperiment(self.needs, key) for key in used}

    @property
    def simulate_site(self) -> dict[str, Any]:
        """As `site`, with the further options of `sbatch`."""
        extra = any(_extra(needs["machine"]) for needs in self.needs.values())
        return self.site | ({"slurm_extra": self._simulate_extra} if extra else {})

    def _simulate_extra(self, wildcards: Any) -> str | None:
        return _extra(self._machine(wildcards)) or None

    def _memory_mb(self, least: int, wildcards: Any, engine: str, attempt: int) -> int:
        asked = least << self._shortage(wildcards, engine, attempt).memory
        return min(asked, self._limits(wildcards).memory_mb or asked)

    def _runtime_min(self, least: int, wildcards: Any, engine: str, attempt: int) -> int:
        asked = least << self._shortage(wildcards, engine, attempt).time
        return min(asked, self._limits(wildcards).runtime_min or asked)

    def _shortage(self, wildcards: Any, engine: str, attempt: int) -> Shortage:
        return shortage(self.results / wildcards.experiment / engine / wildcards.shard, attempt)

    def _limits(self, wildcards: Any) -> RequestLimits:
        partition = self._machine(wildcards).get("partition")
        if not self.ask:
            return RequestLimits()
        return self._scheduler(wildcards).limits(str(partition) if partition else None)

    def _batch(self, wildcards: Any) -> bool:
        return self._scheduler(wildcards).batch

    @staticmethod
    def _per_node(ranks: int, machine: Mapping[str, Any]) -> int:
        return min(int(machine.get("ranks_per_node") or ranks), ranks)

    def _scheduler(self, wildcards: Any) -> Scheduler:
        return scheduler_named(self._machine(wildcards).get("scheduler"))

    def _simulate(self, name: str) -> int:
        values = [int(needs["simulate"][name]) for needs in self.needs.values()]
        return max(values, default=LEAST[name])

    def _measure(self, wildcards: Any) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.needs[wildcards.experiment]["measure"][wildcards.shard]
        return found

    def _machine(self, wildcards: Any) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.needs[wildcards.experiment]["machine"]
        return found


@dataclass(frozen=True, slots=True)
class _ByExperiment:
    """One key of the machine on which an experiment runs."""

    needs: Mapping[str, Mapping[str, Any]]
    key: str

    def __call__(self, wildcards: Any) -> str | None:
        value = self.needs[wildcards.experiment]["machine"].get(self.key)
        return str(value) if value else None


def no_resources() -> Resources:
    """Where nothing is planned, nothing is asked for."""
    return Resources({})


def _extra(machine: Mapping[str, Any]) -> str:
    reservation = machine.get("reservation")
    parts = (machine.get("slurm_extra"), f"--reservation={reservation}" if reservation else "")
    return " ".join(str(part) for part in parts if part)
