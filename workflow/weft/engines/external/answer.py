"""The journal line of a point that a program of others has answered, or has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.engines.external.process import Ended, ExternalProgram, last_lines
from weft.engines.journal import JournalLine, MetricLine, now
from weft.engines.limits import PointLimits
from weft.engines.order import ResolvedPoint
from weft.files import need_space


class UnanswerableError(Exception):
    """The program cannot simulate this point: one line that says why and what is allowed."""


class BrokenRunError(Exception):
    """The program gave no answer; `log` holds its last lines."""

    def __init__(self, reason: str, log: str) -> None:
        super().__init__(reason)
        self.log = log

    @classmethod
    def of_run(cls, reason: str, log: Path) -> BrokenRunError:
        """The error about a run that has printed to the file `log`."""
        return cls(f"{reason} (output: {log.name})", last_lines(log))


@dataclass(slots=True)
class Usage:
    """What the runs of one point have used so far."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_rss_bytes: int = 0

    def run(
        self,
        program: ExternalProgram,
        command: Sequence[str],
        log: Path,
        limits: PointLimits,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Ended:
        """Run `program`, and count what it uses. Raises BrokenRunError when it does not start."""
        try:
            ended = program.run(command, log, limits, environment, folder)
        except OSError as error:
            raise BrokenRunError(f"{program.name} does not start: {error}", "") from error
        self.wall_s += ended.wall_s
        self.cpu_s += ended.cpu_s
        self.peak_rss_bytes = max(self.peak_rss_bytes, ended.peak_rss_bytes)
        return ended


def journal_line(
    point: ResolvedPoint,
    answer: Callable[[Usage], Iterable[MetricLine]],
    environment: Mapping[str, object],
    folder: Path,
) -> JournalLine:
    """The journal line: `done` with the rows of `answer`, or `failed` with the reason.

    Raises OSError when the program broke because the disk of `folder`, where it writes, is full.
    """
    usage, started_at = Usage(), now()
    rows: list[MetricLine] = []
    error, log = None, None
    try:
        rows = list(answer(usage))
    except UnanswerableError as refusal:
        error = str(refusal)
    except BrokenRunError as broken:
        need_space(folder)
        error, log = str(broken), broken.log
    return {
        "point_id": point["point_id"],
        "digest": point["digest"],
        "started_at": started_at,
        "status": "failed" if error else "done",
        "error": error,
        "log": log,
        "wall_s": usage.wall_s,
        "cpu_s": usage.cpu_s,
        "peak_rss_bytes": usage.peak_rss_bytes,
        "metrics": rows,
        "environment": dict(environment),
    }
