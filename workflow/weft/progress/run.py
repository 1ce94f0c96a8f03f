"""A run as a whole: its counts by engine, the time left, and the line that says both."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.progress.duration import duration
from weft.progress.shard import ShardWatch

#: Shares of the expected time below which a speed says nothing about the rest.
TELLING_SHARE = 0.02
#: Looking at one unfinished shard costs two calls of the file system; a look at all of them shall
#: take a small part of the time, on a network file system, too.
SECONDS_PER_SHARD = 0.005


@dataclass(slots=True)
class Run:
    """The shards of one command, from the moment it began."""

    shards: Sequence[ShardWatch]
    began_s: float = field(default_factory=time.monotonic)
    _cached: int = 0
    _expected_at_start_s: float | None = None
    _looked_s: float = 0.0

    def __post_init__(self) -> None:
        for shard in self.shards:
            shard.look()
        self._cached = sum(sum(shard.counts().values()) for shard in self.shards)
        self._expected_at_start_s = self._expected_left_s()

    def look(self) -> None:
        """Read what is new, unless the last look was a moment ago."""
        now = time.monotonic()
        open_shards = [shard for shard in self.shards if not shard.finished]
        if now - self._looked_s < SECONDS_PER_SHARD * len(open_shards):
            return
        for shard in open_shards:
            shard.look()
        self._looked_s = time.monotonic()

    @property
    def points(self) -> int:
        """Points that are planned."""
        return sum(shard.points for shard in self.shards)

    @property
    def ended(self) -> bool:
        """Whether every point has an outcome; what follows are tables and pages."""
        return all(sum(shard.counts().values()) >= shard.points for shard in self.shards)

    def counts(self) -> Counter[str]:
        """Points by outcome."""
        return sum((shard.counts() for shard in self.shards), Counter[str]())

    def opening(self) -> str:
        """One line, before anything is computed: how many points, and how long they may take."""
        count = self.points - self._cached
        points = f"{count:,} point{'s' if count != 1 else ''} to compute"
        if self._expected_at_start_s is None:
            return f"{points}; no earlier run suggests how long that takes"
        took = duration(self._expected_at_start_s)
        return f"{points}, about {took} of CPU time as earlier runs suggest"

    def line(self) -> str:
        """One line: points with an outcome of how many, by engine, and the time left."""
        total, by_engine = Counter[str](), dict[str, list[int]]()
        for shard in self.shards:
            counts = shard.counts()
            total += counts
            found = by_engine.setdefault(shard.engine, [0, 0])
            found[0] += sum(counts.values())
            found[1] += shard.points
        engines = ", ".join(f"{name} {n:,}/{of:,}" for name, (n, of) in by_engine.items())
        ended = sum(total.values())
        parts = [f"{ended:,} of {self.points:,} points", engines, *self._asides(total)]
        left_s = self.left_s()
        if ended < self.points and left_s is not None:
            parts.append(f"about {duration(left_s)} left")
        return " · ".join(parts)

    def _asides(self, total: Counter[str]) -> Iterable[str]:
        if self._cached:
            yield f"{self._cached:,} were there"
        for outcome in ("failed", "skipped"):
            if total[outcome]:
                yield f"{total[outcome]:,} {outcome}"

    def left_s(self) -> float | None:
        """Seconds until the last point, by the speed so far; None while nothing is known."""
        left_s, at_start_s = self._expected_left_s(), self._expected_at_start_s
        if left_s is None or at_start_s is None:
            return self._left_by_count_s()
        done_s = at_start_s - left_s
        if at_start_s <= 0 or done_s / at_start_s < TELLING_SHARE:
            return None
        return left_s * (time.monotonic() - self.began_s) / done_s

    def _left_by_count_s(self) -> float | None:
        """Estimate that all points take the same time, if none has been measured yet.

        None while something is left of an experiment and engine of which no point has ended: such
        points may take a thousand times longer.
        """
        ended = sum(sum(shard.counts().values()) for shard in self.shards)
        fresh = ended - self._cached
        if fresh <= 0 or not all(self._known().values()):
            return None
        return (self.points - ended) * (time.monotonic() - self.began_s) / fresh

    def _known(self) -> dict[Path, bool]:
        """By experiment and engine with points left, whether one of its points has ended."""
        kinds: dict[Path, tuple[int, int]] = {}
        for shard in self.shards:
            ended, points = kinds.get(shard.folder.parent, (0, 0))
            ended += sum(shard.counts().values())
            kinds[shard.folder.parent] = ended, points + shard.points
        return {kind: ended > 0 for kind, (ended, points) in kinds.items() if ended < points}

    def _expected_left_s(self) -> float | None:
        """Expected seconds on one thread of all points without an outcome."""
        left_s = 0.0
        for shard in self.shards:
            open_points = shard.points - sum(shard.counts().values())
            if open_points and shard.expected_s is None:
                return None
            if open_points:
                left_s += (shard.expected_s or 0.0) * open_points / shard.points
        return left_s


#: The run of this process, if it has begun one.
_running: list[Run] = []


def begin(shards: Iterable[ShardWatch]) -> None:
    """Start watching, and print how much there is to compute, if anything.

    Whoever shows progress in this process finds the run by `running`.
    """
    run = Run(tuple(shards))
    _running[:] = [run]
    if not run.ended:
        print(f"weft: {run.opening()}", file=sys.stderr, flush=True)


def running() -> Run | None:
    """The run that this process has begun."""
    return _running[0] if _running else None
