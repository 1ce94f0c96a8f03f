"""One point: its simulations, and the rows that come of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from weft.engines.booksim.configuration import configuration_text
from weft.engines.booksim.metrics import is_saturated, metrics
from weft.engines.booksim.output import DEADLOCK, Output, read_output
from weft.engines.booksim.simulation import Simulation, simulations
from weft.engines.booksim.tables import write_nodes
from weft.engines.external.answer import BrokenRunError, Usage, journal_line
from weft.engines.external.process import ExternalProgram
from weft.engines.journal import JournalLine, MetricLine
from weft.engines.limits import PointLimits
from weft.engines.order import ResolvedPoint
from weft.files import replace_text


def _deadlock(output: str) -> str | None:
    """BookSim2 would stay in it."""
    found = "booksim found a deadlock: nothing arrived for a long time"
    return found if DEADLOCK in output else None


PROGRAM = ExternalProgram("booksim", "booksim_timeout", _deadlock)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs simulations in `directory`, where configurations and outputs stay."""

    executable: Path
    directory: Path
    limits: PointLimits

    def journal_line(self, point: ResolvedPoint) -> JournalLine:
        """The journal line of a point: `done`, or `failed` with the reason."""
        environment = {"executable": str(self.executable)}
        return journal_line(
            point, lambda usage: _Work(self, point, usage).answer(), environment, self.directory
        )


@dataclass(slots=True)
class _Work:
    runner: Runner
    point: ResolvedPoint
    usage: Usage

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
        command = [str(self.runner.executable), str(configuration)]
        ended = self.usage.run(PROGRAM, command, log, self.runner.limits)
        # Its exit code is 255 after a good run and 0 after others, so it is ignored.
        wrong = replace(ended, code=min(ended.code, 0)).problem(PROGRAM.name)
        output = read_output(log.read_text(errors="replace"))
        if wrong is None and not output.ended:
            wrong = "booksim ended without statistics"
        if wrong:
            raise BrokenRunError.of_run(wrong, log)
        return output
