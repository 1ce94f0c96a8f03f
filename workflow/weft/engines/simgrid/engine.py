"""Engine `simgrid`: the adapter between shards and SimGrid, for lists of messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weft.engines.base import ShardJob
from weft.engines.external.answer import BrokenRunError, Usage, journal_line
from weft.engines.external.engine import Answering, ExternalEngine
from weft.engines.external.process import ExternalProgram
from weft.engines.journal import JournalLine, MetricLine
from weft.engines.limits import PointLimits
from weft.engines.order import ResolvedPoint
from weft.engines.simgrid.installation import (
    IMAGE,
    Installation,
    installation,
    simgrid_version,
    why_absent,
)
from weft.engines.simgrid.links import write_links
from weft.engines.simgrid.lists import Played, PlayedLists, read_played, write_messages
from weft.files import replace_text
from weft.machine import MachineFile

PROGRAM = ExternalProgram("simgrid")
_SOURCES = ("messages.cpp", "platform.cpp")
#: Settings are no news.
_QUIET = "--log=xbt_cfg.thres:warning"


class SimGridEngine(ExternalEngine):
    """Plays lists of messages in SimGrid; without one, points are skipped."""

    name = "simgrid"
    image: str | None = IMAGE

    def describe(self) -> Mapping[str, object]:
        """Name, version of the SimGrid that is found, and abilities."""
        version = self.version(MachineFile(), None)
        return {"name": self.name, "version": version, "workloads": ["messages"]}

    def version(self, machine: MachineFile, image: str | None) -> str:
        """A digest of SimGrid and of this module, or `absent`."""
        return simgrid_version(machine, image)

    def why_absent(self, machine: MachineFile) -> str:
        """The reason for which points are skipped, and what to do."""
        return why_absent(machine)

    def answering(self, job: ShardJob) -> Answering:
        """What plays a point's list; compiles the player first.

        Raises EngineError when that fails.
        """
        found = installation(job)
        player = found.compiled("messages", _SOURCES)
        folder, limits = job.directory.resolve(), PointLimits.of(job.machine)
        return ListPlayer(found, player, folder, limits).journal_line


@dataclass(frozen=True, slots=True)
class ListPlayer:
    """Plays points in `directory`, where descriptions and outputs stay."""

    simgrid: Installation
    player: Path
    directory: Path
    limits: PointLimits

    def journal_line(self, point: ResolvedPoint) -> JournalLine:
        """The journal line of a point: `done`, or `failed` with the reason."""
        library = {"library": str(self.simgrid.library)}
        return journal_line(
            point, lambda usage: self._answer(point, usage), library, self.directory
        )

    def _answer(self, point: ResolvedPoint, usage: Usage) -> list[MetricLine]:
        lists = PlayedLists.of(point, self.simgrid.flow)
        rows: list[MetricLine] = []
        for size in lists.sizes:
            suffix = f"-{size}" if len(lists.sizes) > 1 else ""
            stem = f"simgrid-{point['point_id']}{suffix}"
            played = self._play(stem, lists.description(size), usage)
            rows += lists.rows(size, played)
            lists.played.append(played)
        if "messages" in point["options"]["tables"]:
            write_messages(self.directory, point["point_id"], lists)
        if "links" in point["options"]["tables"]:
            write_links(self.directory, point["point_id"], lists)
        return rows

    def _play(self, stem: str, description: Iterable[str], usage: Usage) -> Played:
        """The times of a list's messages; the description and what SimGrid printed stay."""
        described = self.directory / f"{stem}.txt"
        log, output = self.directory / f"{stem}.log", self.directory / f"{stem}.times"
        replace_text(described, "".join(f"{line}\n" for line in description))
        command = [*self.simgrid.start, str(self.player), str(described), str(output), _QUIET]
        ended = usage.run(PROGRAM, command, log, self.limits)
        if reason := ended.problem(PROGRAM.name):
            raise BrokenRunError.of_run(reason, log)
        played = read_played(output.read_text())
        output.unlink()
        return played
