"""One shard as a progress line sees it: its points, and how many have an outcome."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from weft.files.layout import JOURNAL, STATUS, Results

if TYPE_CHECKING:
    from weft.plan.costs import Costs
    from weft.plan.plan import Plan

OUTCOMES = ("done", "failed", "skipped")


@dataclass(slots=True)
class ShardWatch:
    """Counts the outcomes of one shard's points.

    `points` of the shard are planned. `expected_s` is what they take together on one thread, as
    earlier runs suggest, or None. Jobs on other machines append to the same journal, so their
    points count as soon as the file system shows them.
    """

    engine: str
    folder: Path
    points: int
    expected_s: float | None = None
    #: Outcomes by point, as far as the journal was read.
    _outcomes: dict[str, str] = field(default_factory=dict)
    _read_bytes: int = 0
    _final: Counter[str] | None = None

    @property
    def finished(self) -> bool:
        """Whether the shard's job has ended and left its tables."""
        return self._final is not None

    def counts(self) -> Counter[str]:
        """Points by outcome; never more than are planned."""
        found = Counter(self._outcomes.values()) if self._final is None else self._final
        left, counted = self.points, Counter[str]()
        for outcome in OUTCOMES:
            counted[outcome] = min(found[outcome], left)
            left -= counted[outcome]
        return counted

    def look(self) -> None:
        """Read what is new. Missing, torn or foreign files do not count."""
        self._final = _final(self.folder / STATUS)
        if self._final is None:
            self._read_journal(self.folder / JOURNAL)
        else:
            self._outcomes = {}

    def _read_journal(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                size = file.seek(0, 2)
                if size < self._read_bytes:  # begun anew
                    self._read_bytes, self._outcomes = 0, {}
                file.seek(self._read_bytes)
                block = file.read(size - self._read_bytes)
        except OSError:
            return
        whole = block.rfind(b"\n") + 1
        self._read_bytes += whole
        for line in block[:whole].splitlines():
            self._count(line)

    def _count(self, line: bytes) -> None:
        try:
            entry = json.loads(line)
            self._outcomes[str(entry["point_id"])] = str(entry["status"])
        except (ValueError, TypeError, KeyError):
            return


def _final(path: Path) -> Counter[str] | None:
    """The outcomes of a shard that has ended; None for one that has not."""
    try:
        status = json.loads(path.read_text())
        return Counter({outcome: len(status.get(outcome, ())) for outcome in OUTCOMES})
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def shard_watches(plan: Plan, costs: Costs, results: Path) -> Iterator[ShardWatch]:
    """What there is to watch of a plan, with the time that `costs` expects."""
    seconds = costs.of(plan.points).seconds
    mine = Results(results).experiment(plan.experiment)
    for shard, places in plan.placed():
        expected_s = float(seconds[places].sum())
        folder = mine.shard(shard.engine, shard.shard_id).path
        known = None if math.isnan(expected_s) else expected_s
        yield ShardWatch(shard.engine, folder, len(places), known)


def begun(plan: Plan, results: Path) -> Counter[str]:
    """Points by outcome in the journals of shards that have begun and not ended."""
    mine, found = Results(results).experiment(plan.experiment), Counter[str]()
    for shard, places in plan.placed():
        left = mine.shard(shard.engine, shard.shard_id)
        if left.journal.exists() and not left.status.exists():
            watch = ShardWatch(shard.engine, left.path, len(places))
            watch.look()
            found += watch.counts()
    return found
