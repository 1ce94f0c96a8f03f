"""Reads what BookSim2 prints."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_OVERALL = "====== Overall Traffic Statistics ======"
_MEAN = re.compile(r"^(\w[\w ]*?) average = (\S+) \(\d+ samples\)$")
_EXTREME = re.compile(r"^\t(minimum|maximum) = (\S+) \(\d+ samples\)$")
_BATCH = re.compile(r"^Overall min batch duration = (\S+) ")
_ROW = re.compile(r"^(\w+)\(1,:\) = \[ (.*?) ?\];?$")
_ABORTED = re.compile(r"^Average latency for class 0 exceeded .* Aborting simulation\.$")
_NOT_WARM = "Too many sample periods needed to converge"
_WARM = re.compile(r"^Warmed up \.\.\.Time used is (\d+) cycles$")
_PERIOD = "throughput change"
_TAKEN = re.compile(r"^Time taken is (\d+) cycles$")
#: What BookSim2 prints while nothing arrives any more.
DEADLOCK = "WARNING: Possible network deadlock"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A quantity over packets, flits or nodes; NaN where there were none."""

    mean: float
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Output:
    """What a run has printed.

    `overall` are the quantities of the whole measurement by BookSim2's names, empty for a run that
    ended early; `rows` its histograms (`plat_hist`, a bin for each cycle) and rates by node
    (`accepted_flits`). `aborted` is a run that gave up because latencies grew beyond the threshold,
    `unsteady` one that never became warm.
    """

    overall: Mapping[str, Statistic]
    rows: Mapping[str, Sequence[float]]
    hops: float | None
    batch_cycles: float | None
    warmup_cycles: int | None
    measured_periods: int
    cycles: int | None
    aborted: bool
    unsteady: bool

    @property
    def ended(self) -> bool:
        """Whether the run ended as BookSim2 wants it, with numbers or without."""
        return self.complete or self.aborted or self.unsteady

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return bool(self.overall) and self.cycles is not None


def read_output(text: str) -> Output:
    """The output of a run; what it does not print is missing, which is no error here."""
    before, _, overall = text.partition(_OVERALL)
    lines = before.splitlines()
    statistics, hops, batch = _statistics(overall)
    warm = next(((i, int(m[1])) for i, line in enumerate(lines) if (m := _WARM.match(line))), None)
    taken = next((int(m[1]) for line in lines if (m := _TAKEN.match(line))), None)
    after = lines[warm[0] :] if warm else []
    return Output(
        overall=statistics,
        rows=dict(filter(None, map(_row, lines))),
        hops=hops,
        batch_cycles=batch,
        warmup_cycles=warm[1] if warm else None,
        measured_periods=sum(line.startswith(_PERIOD) for line in after),
        cycles=taken,
        aborted=any(_ABORTED.match(line) for line in lines),
        unsteady=_NOT_WARM in lines,
    )


def _statistics(text: str) -> tuple[dict[str, Statistic], float | None, float | None]:
    found: dict[str, dict[str, float]] = {}
    name, batch = "", None
    for line in text.splitlines():
        if match := _MEAN.match(line):
            name = match[1]
            found[name] = {"mean": _number(match[2])}
        elif (match := _EXTREME.match(line)) and name:
            found[name][match[1]] = _number(match[2])
        elif batch is None and (match := _BATCH.match(line)):
            batch = _number(match[1])
    hops = found.get("Hops", {}).get("mean")
    whole = {n: Statistic(**each) for n, each in found.items() if len(each) == 3}
    return whole, hops, batch


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _row(line: str) -> tuple[str, list[float]] | None:
    match = _ROW.match(line)
    return (match[1], [_number(word) for word in match[2].split()]) if match else None
