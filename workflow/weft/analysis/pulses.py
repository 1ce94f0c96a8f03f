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

#: A direction leads where its lead is at least this share of the typical lead.
LEAD = 0.4
#: What is shorter than this share of a typical pulse is noise: ranks change steps there.
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

    Intervals follow one another. A direction leads where its lead is at least `LEAD` of the typical
    one, above which half of all that it carries more lies. The typical pulse is that length above
    which half of all leading time lies; the lead is averaged over `NOISE` of it. Then pauses that
    are shorter than that, and after them leads that are, are passed over. Where ranks drift so far
    apart that many are in other steps, pulses run into each other, and their number is uncertain.
    Raises ValueError unless all three are equally long.
    """
    starts, ends, values = (np.asarray(each, dtype=np.float64) for each in (start_s, end_s, lead))
    if not starts.size == ends.size == values.size:
        raise ValueError(f"{starts.size} starts, {ends.size} ends and {values.size} leads")
    if values.size == 0 or values.max() <= 0:
        return []
    short = NOISE * _typical(_runs(values, starts, ends))
    runs = _runs(_averaged(values, starts, ends, short), starts, ends)
    # Joining makes typical runs longer, which makes more pauses short.
    while True:
        short = NOISE * _typical(runs)
        joined = _joined(runs, short)
        if len(joined) == len(runs):
            return [Pulse(*map(float, run)) for run in runs if run[1] - run[0] >= short]
        runs = joined


Values = NDArray[np.float64]


def _typical_lead(lead: Values, lengths: Values) -> float:
    """Half of what the direction carries more is carried at leads of at least this."""
    order = np.argsort(lead)[::-1]
    carried = np.cumsum((np.clip(lead, 0, None) * lengths)[order])
    return float(lead[order][np.argmax(carried >= carried[-1] / 2)])


def _averaged(lead: Values, starts: Values, ends: Values, window_s: float) -> Values:
    """The mean over so much time around the middle of each interval, as far as there is any."""
    edges = np.concatenate((starts[:1], ends))
    integral = np.concatenate(([0.0], np.cumsum(lead * (ends - starts))))
    middle = (starts + ends) / 2
    since = np.maximum(middle - window_s / 2, edges[0])
    until = np.minimum(middle + window_s / 2, edges[-1])
    carried = np.interp(until, edges, integral) - np.interp(since, edges, integral)
    return np.asarray(carried / (until - since))


def _runs(lead: Values, starts: Values, ends: Values) -> Values:
    """Starts and ends of stretches in which the direction leads, one row each."""
    leads = lead >= LEAD * _typical_lead(lead, ends - starts)
    steps = np.diff(np.concatenate(([False], leads, [False])).astype(np.int8))
    first, last = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1
    return np.column_stack((starts[first], ends[last]))


def _typical(runs: Values) -> float:
    """Half of the time of all runs lies in runs of at least this length."""
    lengths = np.sort(runs[:, 1] - runs[:, 0])[::-1]
    reached = np.cumsum(lengths) >= lengths.sum() / 2
    return float(lengths[np.argmax(reached)])


def _joined(runs: Values, pause: float) -> Values:
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
