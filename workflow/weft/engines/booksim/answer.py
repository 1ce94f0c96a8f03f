"""One point: its simulations, and the journal line that comes of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from weft.engines.booksim.configuration import InexpressibleError, configuration_text
from weft.engines.booksim.metrics import is_saturated, metrics
from weft.engines.booksim.output import Output, read_output
from weft.engines.booksim.process import Ended, last_lines, run_booksim
from weft.engines.booksim.simulation import Simulation, simulations
from weft.engines.booksim.tables import write_nodes
from weft.engines.journal import JournalLine, MetricLine, now
from weft.engines.limits import PointLimits
from weft.engines.order import ResolvedPoint
from weft.files import replace_text


class BrokenRunError(Exception):
    """BookSim2 gave no answer; `log` holds its last lines."""

    def __init__(self, reason: str, log: str) -> None:
        super().__init__(reason)
        self.log = log


@dataclass(slots=True)
class SimulatorUsage:
    """What the runs of one point have used so far."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_rss_bytes: int = 0

    def add(self, ended: Ended) -> None:
        """Count one more run."""
        self.wall_s += ended.wall_s
        self.cpu_s += ended.cpu_s
        self.peak_rss_bytes = max(self.peak_rss_bytes, ended.peak_rss_bytes)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs simulations in `directory`, where configurations and outputs stay."""

    executable: Path
    directory: Path
    limits: PointLimits

    def journal_line(self, point: ResolvedPoint) -> JournalLine:
        """The journal line of a point: `done`, or `failed` with the reason."""
        work = _Work(self, point)
        started_at = now()
        rows: list[MetricLine] = []
        error, log = None, None
        try:
            rows = work.answer()
        except InexpressibleError as refusal:
            error = str(refusal)
        except BrokenRunError as broken:
            error, log = str(broken), broken.log
        return {
            "point_id": point["point_id"],
            "digest": point["digest"],
            "started_at": started_at,
            "status": "failed" if error else "done",
            "error": error,
            "log": log,
            "wall_s": work.usage.wall_s,
            "cpu_s": work.usage.cpu_s,
            "peak_rss_bytes": work.usage.peak_rss_bytes,
            "metrics": rows,
            "environment": {"executable": str(self.executable)},
        }


@dataclass(slots=True)
class _Work:
    runner: Runner
    point: ResolvedPoint
    usage: SimulatorUsage = field(default_factory=SimulatorUsage)

    def answer(self) -> list[MetricLine]:
        """The metrics of all message sizes; nothing runs when one of them is inexpressible."""
        found = list(simulations(self.point))
        rows: list[MetricLine] = []
        for simulation in found:
            size = f"-{simulation.message_bytes}" if len(found) > 1 else ""
            simulation, output = self._settled(simulation, size)
            rows += metrics(simulation, output)
            if "nodes" in self.point["options"]["tables"]:
                write_nodes(output, self.runner.directory, self.point["point_id"])
        return rows

    def _settled(self, simulation: Simulation, suffix: str) -> tuple[Simulation, Output]:
        """The run, or a second one of the packets that arrive in time, as `packet` takes them.

        That is of a saturated network, and of one that is never warm by BookSim2's measure of
        latency: without that, only rates have to be steady.
        """
        output = self._run(simulation, suffix)
        saturated = output.aborted or is_saturated(simulation, output)
        if simulation.waits and (saturated or output.unsteady):
            simulation = simulation.without_waiting(saturated or None)
            output = self._run(simulation, f"{suffix}-arrived")
        if not output.complete:
            reason = "booksim did not finish its warm-up: rates keep changing; give warmup_cycles"
            raise BrokenRunError(reason, "")
        return simulation, output

    def _run(self, simulation: Simulation, suffix: str) -> Output:
        stem = f"booksim-{self.point['point_id']}{suffix}"
        configuration = self.runner.directory / f"{stem}.cfg"
        log = self.runner.directory / f"{stem}.log"
        replace_text(configuration, configuration_text(simulation.configuration))
        try:
            ended = run_booksim(self.runner.executable, configuration, log, self.runner.limits)
        except OSError as error:
            raise BrokenRunError(f"booksim does not start: {error}", "") from error
        self.usage.add(ended)
        problem = ended.problem()
        output = read_output(log.read_text(errors="replace"))
        if problem is None and not output.ended:
            problem = "booksim ended without statistics"
        if problem:
            raise BrokenRunError(f"{problem} (output: {log.name})", last_lines(log))
        return output
