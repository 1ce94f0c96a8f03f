"""Pulses of link throughput: how often one direction of a ring carries more than the other.

In an all-to-all of pairwise exchanges (partner = rank XOR step) on a torus both directions of a
ring carry the same, until the partner's digit is half the ring: then both ways are equally long,
every tie goes the same way, and one direction is full while the other is idle. OpenNSIM's authors
call these moments pulses and count 128, 8 and 1 of them in x, y and z of a 16 × 16 × 8 torus
(section 4 and Figure 11 of their paper): y·z, z and 1.

A pulse is therefore looked for in the difference of the two directions, not in the height of one,
which also goes up and down with every other distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

#: A direction leads where its lead is at least this share of the largest lead of the series.
LEAD = 0.25
#: Pauses and leads shorter than this share of a typical pulse are noise: ranks change steps there.
NOISE = 0.5

_THROUGHPUT = """
SELECT start_s, end_s, label, value FROM series
WHERE experiment = ? AND point_id = ? AND metric = 'link_throughput_bytes_per_s'
ORDER BY start_s
"""


@dataclass(frozen=True, slots=True)
class Pulse:
    """A stretch of time, in seconds, in which one direction leads."""

    start_s: float
    end_s: float


def find_pulses(
    start_s: Sequence[float], end_s: Sequence[float], lead: Sequence[float]
) -> list[Pulse]:
    """Pulses of `lead`, the throughput of one direction minus that of the other, per interval.

    Intervals follow one another. The direction leads in an interval where its lead is at least
    `LEAD` of the largest one. Then pauses that are short, and after them leads that are short, are
    passed over: shorter than `NOISE` times the length above which half of all leading time lies.
    Raises ValueError unless all three are equally long.
    """
    starts, ends, values = (np.asarray(each, dtype=np.float64) for each in (start_s, end_s, lead))
    if not starts.size == ends.size == values.size:
        raise ValueError(f"{starts.size} starts, {ends.size} ends and {values.size} leads")
    if values.size == 0 or values.max() <= 0:
        return []
    runs = _runs(values >= LEAD * values.max(), starts, ends)
    # Joining makes typical runs longer, which makes more pauses short.
    while True:
        short = NOISE * _typical(runs)
        joined = _joined(runs, short)
        if len(joined) == len(runs):
            return [Pulse(*map(float, run)) for run in runs if run[1] - run[0] >= short]
        runs = joined


def _runs(
    leads: NDArray[np.bool_], starts: NDArray[np.float64], ends: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Starts and ends of stretches of true values, one row each."""
    steps = np.diff(np.concatenate(([False], leads, [False])).astype(np.int8))
    first, last = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1
    return np.column_stack((starts[first], ends[last]))


def _typical(runs: NDArray[np.float64]) -> float:
    """Half of the time of all runs lies in runs of at least this length."""
    lengths = np.sort(runs[:, 1] - runs[:, 0])[::-1]
    reached = np.cumsum(lengths) >= lengths.sum() / 2
    return float(lengths[np.argmax(reached)])


def _joined(runs: NDArray[np.float64], pause: float) -> NDArray[np.float64]:
    """Runs with shorter pauses than `pause` between them as one."""
    apart = runs[1:, 0] - runs[:-1, 1] >= pause
    first, last = np.concatenate(([True], apart)), np.concatenate((apart, [True]))
    return np.column_stack((runs[first, 0], runs[last, 1]))


def axis_pulses(
    con: duckdb.DuckDBPyConnection, experiment: str, point_id: str
) -> dict[str, list[Pulse]]:
    """Pulses of each dimension (`x`, `y` …) of a point's table `series`.

    A dimension has links of the classes `<dimension>+` and `<dimension>-`; the + direction leads.
    """
    rows = con.execute(_THROUGHPUT, [experiment, point_id]).fetchall()
    return pulses_of_rows(rows)


def pulses_of_rows(rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Pulse]]:
    """As `axis_pulses`, of rows `start_s, end_s, label, bytes per second` in order of time."""
    by_label: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        by_label.setdefault(row[2], []).append(row)
    found: dict[str, list[Pulse]] = {}
    for label, plus in by_label.items():
        minus = by_label.get(f"{label[:-1]}-") if label.endswith("+") else None
        if minus is not None:
            lead = [up[3] - down[3] for up, down in zip(plus, minus, strict=True)]
            found[label[:-1]] = find_pulses([r[0] for r in plus], [r[1] for r in plus], lead)
    return found
