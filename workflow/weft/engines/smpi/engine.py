"""Engine `smpi`: the adapter between shards and SimGrid's SMPI, for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weft.engines.base import ShardJob
from weft.engines.external.answer import BrokenRunError, Usage, journal_line
from weft.engines.external.engine import Answering, ExternalEngine
from weft.engines.external.process import ExternalProgram
from weft.engines.external.version import module_code
from weft.engines.journal import JournalLine, MetricLine
from weft.engines.limits import PointLimits
from weft.engines.native import project
from weft.engines.order import ResolvedPoint
from weft.engines.simgrid.description import (
    Corrections,
    Links,
    platform_lines,
    setting_lines,
    solver,
)
from weft.engines.simgrid.installation import (
    IMAGE,
    Installation,
    installation,
    simgrid_version,
    why_absent,
)
from weft.engines.simgrid.routes import Routes, ask_routes
from weft.engines.smpi.program import calls_digest, compiled_program, words
from weft.engines.smpi.reason import reason
from weft.engines.smpi.settings import EARLY, smpi_settings
from weft.files import replace_text
from weft.machine import MachineFile

PROGRAM = ExternalProgram("smpi")
_PLATFORM = ("smpi_platform.cpp", "platform.cpp")
#: The variable by which the platform finds its description.
_DESCRIPTION = "WEFT_DESCRIPTION"
#: Settings are no news.
_QUIET = ("--log=xbt_cfg.thres:warning", "--log=smpi_config.thres:warning")


class SmpiEngine(ExternalEngine):
    """Runs programs in SMPI; without SimGrid, points are skipped."""

    name = "smpi"
    image: str | None = IMAGE

    def describe(self) -> Mapping[str, object]:
        """Name, version of the SimGrid that is found, and abilities."""
        version = self.version(MachineFile(), None)
        return {"name": self.name, "version": version, "workloads": ["program"]}

    def version(self, machine: MachineFile, image: str | None) -> str:
        """A digest of SimGrid, of this module and of the calls of programs, or `absent`."""
        own = sha256(module_code(Path(__file__).parent)).hexdigest()
        return simgrid_version(machine, image, own + calls_digest())

    def why_absent(self, machine: MachineFile) -> str:
        """The reason for which points are skipped, and what to do."""
        return why_absent(machine)

    def answering(self, job: ShardJob) -> Answering:
        """What runs a point's program; compiles the platform first.

        Raises EngineError when that fails.
        """
        found = installation(job)
        platform = found.compiled("platform.so", _PLATFORM, "-shared")
        limits = PointLimits.of(job.machine)
        return SmpiRuns(found, platform, job.directory.resolve(), limits).journal_line


@dataclass(frozen=True, slots=True)
class SmpiRuns:
    """Runs programs in `directory`, where descriptions and outputs stay."""

    simgrid: Installation
    platform: Path
    directory: Path
    limits: PointLimits

    def journal_line(self, point: ResolvedPoint) -> JournalLine:
        """The journal line of a point: `done`, or `failed` with the reason."""
        library = {"library": str(self.simgrid.library)}
        return journal_line(
            point, lambda usage: self._answer(point, usage), library, self.directory
        )

    def _answer(self, point: ResolvedPoint, usage: Usage) -> list[MetricLine]:
        program = compiled_program(point, self.simgrid, project())
        stem = f"smpi-{point['point_id']}"
        routes = ask_routes(self.simgrid.flow, asked_of(point))
        self._write(f"{stem}.txt", description(point, routes))
        self._write(f"{stem}.hosts", map(str, routes.rank_nodes))
        sizes: Sequence[int | None] = point["workload"].get("message_bytes") or [None]
        rows: list[MetricLine] = []
        for size in sizes:
            suffix = f"-{size}" if len(sizes) > 1 else ""
            times = f"{stem}{suffix}.times"
            self._write(f"{stem}{suffix}.words", words(point, size, times, project()))
            (self.directory / times).unlink(missing_ok=True)
            self._run(point, stem, f"{stem}{suffix}", program, usage)
            rows += _rows((self.directory / times).read_text(), size)
            (self.directory / times).unlink()
        return rows

    def _run(
        self, point: ResolvedPoint, platform: str, stem: str, program: Path, usage: Usage
    ) -> None:
        settings = {**smpi_settings(point), **EARLY, **_early_of(point)}
        command = [
            *self.simgrid.start, str(self.simgrid.prefix / "bin" / "smpirun"),
            "-np", str(point["workload"]["ranks"]), "-hostfile", f"{platform}.hosts",
            "-platform", str(self.platform), *_QUIET,
            *(f"--cfg={name}:{value}" for name, value in settings.items()),
            str(program), f"{stem}.words",
        ]  # fmt: skip
        log = self.directory / f"{stem}.log"
        environment = {_DESCRIPTION: f"{platform}.txt"}
        ended = usage.run(PROGRAM, command, log, self.limits, environment, self.directory)
        problem = ended.problem(PROGRAM.name)
        if problem is None and not (self.directory / f"{stem}.times").exists():
            problem = "the program reported no times"
        if problem:
            why = None if ended.killed else reason(log)
            raise BrokenRunError.of_run(f"{problem}: {why}" if why else problem, log)

    def _write(self, name: str, lines: Iterable[str]) -> None:
        replace_text(self.directory / name, "".join(f"{line}\n" for line in lines))


def asked_of(point: ResolvedPoint) -> dict[str, object]:
    """What weft-flow is asked: the node of each rank, and the routes between these nodes."""
    options = point["options"]
    placing = ("rank_to_node", "ranks_per_node", "rank_nodes")
    ranks = {key: options[key] for key in placing if key in options}
    return {
        "seed": point["seed"],
        "topology": point["topology"],
        "bandwidth_bytes_per_s": point["network"]["bandwidth_bytes_per_s"],
        "ranks": {"count": point["workload"]["ranks"], **ranks},
    }


def description(point: ResolvedPoint, routes: Routes) -> Iterator[str]:
    """Settings and platform of SimGrid."""
    corrections, links = Corrections.of(point["options"]), Links.of(point["network"])
    yield from setting_lines({**corrections.settings(), **solver(point["options"])})
    yield from platform_lines(links, corrections, sorted(set(routes.rank_nodes)), routes)


def _early_of(point: ResolvedPoint) -> dict[str, str]:
    """What SMPI has to know before there is a platform."""
    return {"network/optim": solver(point["options"])["network/optim"]}


def _rows(text: str, size_bytes: int | None) -> Iterator[MetricLine]:
    """The largest time of all ranks by metric."""
    largest: dict[str, float] = {}
    for line in text.splitlines():
        name, seconds = line.split()
        largest[name] = max(largest.get(name, 0.0), float(seconds))
    for name, value in largest.items():
        yield {"metric": name, "message_bytes": size_bytes, "value": value, "unit": "s"}
