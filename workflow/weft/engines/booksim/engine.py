"""Engine `booksim`: the adapter between shards and a BookSim2 executable."""

from __future__ import annotations

from collections.abc import Mapping

from weft.engines.base import EngineError, ShardJob
from weft.engines.booksim.answer import Runner
from weft.engines.booksim.executable import executable_version, find_executable, why_absent
from weft.engines.booksim.network import KINDS
from weft.engines.booksim.traffic import PATTERNS
from weft.engines.external.engine import Answering, ExternalEngine
from weft.engines.limits import PointLimits
from weft.machine import MachineFile


class BookSimEngine(ExternalEngine):
    """Runs a BookSim2 executable that the user supplies; without one, points are skipped."""

    name = "booksim"

    def describe(self) -> Mapping[str, object]:
        """Name, version of the executable on the PATH, and abilities."""
        return {
            "name": self.name,
            "version": self.version(MachineFile(), None),
            "models": [],
            "topologies": sorted(KINDS),
            "patterns": sorted(PATTERNS),
            "workloads": ["messages", "traffic"],
        }

    def version(self, machine: MachineFile, image: str | None) -> str:
        """A digest of the executable, or `absent`."""
        return executable_version(find_executable(machine))

    def why_absent(self, machine: MachineFile) -> str:
        """The reason for which points are skipped, and what to do."""
        return why_absent(machine)

    def answering(self, job: ShardJob) -> Answering:
        """What runs the executable on a point.

        Raises EngineError when the executable has gone.
        """
        executable = find_executable(job.machine)
        if executable is None:
            raise EngineError(why_absent(job.machine))
        limits = PointLimits.of(job.machine, job.machine.booksim_timeout_s)
        return Runner(executable, job.directory, limits).journal_line
