"""What points cost, learned from those that ran.

Points are compared by their *work*: end points × messages of each × message sizes. Where cycles are
simulated it is the flits that nodes send: end points × cycles × injection rate for traffic, end
points × messages × flits of each for lists. Of simulated programs it is packets × hops. Within a
class (engine, topology kind, workload kind, model) the elapsed time follows

    ln(seconds) = a + b · ln(work)

fitted by least squares over earlier runs: those of the same experiment if there are any, else those
of all experiments, else those of all models. With a single amount of work b is 1. Beyond the
largest work seen, time grows at least with the work: small points show little but what starting
costs. Memory is the largest that was seen; beyond that work it grows on the line from the smallest
memory seen to the largest, up to four times: a job that asks for more than a node has never starts,
while one that was given too little comes again with more.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weft.plan.model import Point
from weft.plan.points import Points
from weft.plan.program_costs import program_memory_bytes, program_work, runs_programs
from weft.plan.spec import OptionsSpec, PointSpec

#: A point takes at least this long; shorter times are noise.
SHORTEST_S = 1e-4
#: Sensible powers of the work: a fit over a narrow range of it may give anything.
POWERS = (0.25, 3.0)
#: Injection rates that a search for saturation tries, about.
SEARCHED_RATES = 10
#: How far memory is extrapolated.
MOST_GROWTH = 4.0


@dataclass(frozen=True, slots=True)
class Observed:
    """Earlier runs of like points: how many, their work, mean ln(seconds) and largest memory."""

    experiment: str
    kind: tuple[str, ...]
    work: float
    count: int
    log_seconds: float
    memory_bytes: float


@dataclass(frozen=True, slots=True)
class _Fit:
    constant: float
    power: float
    memory_bytes: float
    #: Bytes for each unit of work beyond the largest.
    memory_slope: float
    largest_work: float


@dataclass(frozen=True, slots=True)
class Estimates:
    """What points cost, one value for each of them; NaN where nothing alike has run.

    `seconds` elapse on one thread, `memory_bytes` are the peak. `programs` are points that execute
    their program in processes of their own.
    """

    seconds: NDArray[np.float64]
    memory_bytes: NDArray[np.float64]
    programs: NDArray[np.bool_]

    def at(self, places: NDArray[np.int64]) -> Estimates:
        """Those of the points at these places."""
        return Estimates(self.seconds[places], self.memory_bytes[places], self.programs[places])


@dataclass(slots=True)
class Costs:
    """Estimates for the points of one experiment; None where nothing alike has run."""

    experiment: str = ""
    observed: Sequence[Observed] = ()
    _fits: dict[tuple[str, ...], _Fit | None] = field(default_factory=dict)
    #: The points asked for last: several ask for those of one plan.
    _last: tuple[Points, Estimates] | None = None

    def of(self, points: Points) -> Estimates:
        """What each of `points` costs; like ones are looked at once."""
        if self._last is None or self._last[0] is not points:
            self._last = points, self._estimates(points)
        return self._last[1]

    def _estimates(self, points: Points) -> Estimates:
        own = ["stack_bytes" in json.loads(text) for text in points.texts("options")]
        programs = np.array([*own, False])[points.codes("options")]
        seconds, memory_bytes = (np.full(len(points), math.nan) for _ in range(2))
        if self.observed or programs.any():
            alike, like = points.distinct()
            found = [(self.seconds(each), self.memory_bytes(each)) for each in alike]
            seconds, memory_bytes = np.array(found, float).reshape(-1, 2)[like].T
        return Estimates(seconds, memory_bytes, programs)

    def seconds(self, point: Point) -> float | None:
        """Elapsed seconds on one thread."""
        fit = self._fit(kind(point.spec))
        if fit is None:
            return None
        asked, largest = math.log(work(point.spec)), math.log(fit.largest_work)
        known, beyond = min(asked, largest), max(0.0, asked - largest)
        log_seconds = fit.constant + fit.power * known + max(1.0, fit.power) * beyond
        return max(SHORTEST_S, math.exp(min(log_seconds, 30.0)))

    def memory_bytes(self, point: Point) -> float | None:
        """Peak memory of a process that computes the point."""
        fit = self._fit(kind(point.spec))
        if fit is None or not fit.memory_bytes:
            known = runs_programs(point.spec)
            return program_memory_bytes(point.spec) if known else None
        beyond = max(0.0, work(point.spec) - fit.largest_work)
        grown = fit.memory_bytes + fit.memory_slope * beyond
        return min(grown, MOST_GROWTH * fit.memory_bytes)

    def _fit(self, of: tuple[str, ...]) -> _Fit | None:
        if of not in self._fits:
            own = [row for row in self.observed if row.kind == of]
            levels = (
                [row for row in own if row.experiment == self.experiment],
                own,
                [row for row in self.observed if row.kind[:-1] == of[:-1]],
            )
            self._fits[of] = next((_fitted(rows) for rows in levels if rows), None)
        return self._fits[of]


def kind(spec: PointSpec) -> tuple[str, ...]:
    """The class of a point: engine, topology kind, workload kind, model."""
    workload, options = spec["workload"], spec["options"]
    named = workload.get("program") or workload.get("kind")
    parts = (spec["engine"], spec["topology"].get("kind"), named, options.get("model"))
    return tuple(str(part or "") for part in parts)


def work(spec: PointSpec) -> float:
    """End points × messages of each × message sizes, or flits; 1 for what is not known."""
    workload, options = spec["workload"], spec["options"]
    if runs_programs(spec):
        return program_work(spec)
    ends = float(workload.get("ranks") or spec["topology"].get("nodes") or 1)
    sizes = workload.get("message_bytes") or ()
    if "measure_cycles" not in options:
        return ends * float(workload.get("per_node") or 1) * (len(sizes) or 1)
    if workload.get("kind") == "traffic":
        cycles = float(options["measure_cycles"]) + float(options.get("warmup_cycles") or 0)
        rate = float(workload.get("injection_rate") or 1.0)
        rates = SEARCHED_RATES if workload.get("search") else 1
        return ends * cycles * rate * rates * (len(sizes) or 1)
    return ends * float(workload.get("per_node") or 1) * _flits(sizes, options)


def _flits(sizes: Sequence[int], options: OptionsSpec) -> float:
    """Flits of one message of each size; without the size of a flit each is one packet."""
    flit_bytes = options.get("flit_bytes")
    if flit_bytes and sizes:
        return float(sum(max(1, math.ceil(size / flit_bytes)) for size in sizes))
    return float((len(sizes) or 1) * (options.get("packet_flits") or 1))


def _fitted(rows: Iterable[Observed]) -> _Fit:
    rows = list(rows)
    total = sum(row.count for row in rows)
    x = sum(row.count * math.log(row.work) for row in rows) / total
    y = sum(row.count * row.log_seconds for row in rows) / total
    spread = sum(row.count * (math.log(row.work) - x) ** 2 for row in rows)
    together = sum(row.count * (math.log(row.work) - x) * (row.log_seconds - y) for row in rows)
    power = 1.0 if spread < 1e-9 else min(max(together / spread, POWERS[0]), POWERS[1])
    smallest, largest = min(row.work for row in rows), max(row.work for row in rows)
    least, most = min(row.memory_bytes for row in rows), max(row.memory_bytes for row in rows)
    slope = (most - least) / (largest - smallest) if largest > smallest else 0.0
    return _Fit(y - power * x, power, most, slope, largest)
