"""Pulses of link throughput: how often one direction of a ring carries more than the other.

In an all-to-all of pairwise exchanges (partner = rank XOR step) on a torus both directions of a
ring carry the same, until the partner's digit is half the ring: then both ways are equally long,
every tie goes the same way, and one direction is full while the other is idle. OpenNSIM's authors
call these moments pulses and count 128, 8 and 1 of them in x, y and z of a 16 × 16 × 8 torus
(section 4 and Figure 11 of their paper): y·z, z and 1.

A pulse is therefore looked for in the share by which one direction carries more than the other, not
in the height of one, which also goes up and down with every other distance. It is followed over the
bytes that both carry, not over time: pauses between steps have no length then, and a step has the
same one however long it took.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

import duckdb
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d
from scipy.signal import find_peaks, peak_widths

#: A pulse stands out by at least this part of what lies between the whole run's share and 1.
PROMINENCE = 0.2
#: A count is believed that does not change while the window becomes this many times as wide.
STABLE = 3.0
#: Each window is wider than the one before by this factor.
WIDER = 2**0.25
#: Equal parts of the bytes of both directions.
PARTS = 1 << 15

_THROUGHPUT = """
SELECT start_s, end_s, label, value FROM series
WHERE experiment = ? AND point_id = ? AND metric = 'link_throughput_bytes_per_s'
ORDER BY start_s
"""

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pulse:
    """A stretch of time, in seconds, in which one direction leads."""

    start_s: float
    end_s: float


def find_pulses(
    start_s: Sequence[float],
    end_s: Sequence[float],
    plus: Sequence[float],
    minus: Sequence[float],
) -> list[Pulse]:
    """Pulses of `plus`, the throughput of one direction, against `minus`, that of the other.

    Intervals follow one another. The share (plus - minus) / (plus + minus) is averaged over windows
    from an interval to a quarter of the run, and the peaks of each average are counted. Narrow
    windows show noise and groups of ranks, wide ones blur pulses; what is there in between keeps
    its number over many windows. The count is the one that holds longest, and none where it changes
    before the window is `STABLE` times as wide: a run without pulses, or one whose ranks drift so
    far apart that pulses run into each other. A pulse lasts while the share is above half of the
    height by which it stands out. Raises ValueError unless all four are equally long.
    """
    columns = (np.asarray(each, dtype=np.float64) for each in (start_s, end_s, plus, minus))
    starts, ends, up, down = columns
    if not starts.size == ends.size == up.size == down.size:
        raise ValueError(
            f"{starts.size} starts, {ends.size} ends, {up.size} and {down.size} throughputs"
        )
    lengths = ends - starts
    carried = np.concatenate(([0.0], np.cumsum((up + down) * lengths)))
    lead = np.concatenate(([0.0], np.cumsum((up - down) * lengths)))
    # What leads all the time does not pulse.
    if carried[-1] <= 0 or abs(lead[-1]) >= carried[-1]:
        return []
    mean = float(lead[-1] / carried[-1])
    borders = np.linspace(0, carried[-1], PARTS + 1)
    share = np.diff(np.interp(borders, carried, lead)) * (PARTS / carried[-1])
    window = _stable_window([(w, _peaks(share, mean, w)[1].size) for w in _windows(starts.size)])
    if window is None:
        return []
    averaged, peaks = _peaks(share, mean, window)
    _, _, left, right = peak_widths(averaged, peaks, rel_height=0.5)
    times = np.concatenate((starts[:1], ends))
    # The average begins half a part before the first border, since a mean was put in front of it.
    since, until = (
        np.interp((at - 0.5) / PARTS * carried[-1], carried, times) for at in (left, right)
    )
    return [Pulse(float(a), float(b)) for a, b in zip(since, until, strict=True)]


def _windows(intervals: int) -> list[int]:
    """Widths in parts of all bytes, from a mean interval to a quarter of them all."""
    least = max(2.0, PARTS / intervals)
    steps = max(0, int(np.log(PARTS / 4 / least) / np.log(WIDER)))
    return sorted({round(least * WIDER**step) for step in range(steps + 1)})


def _peaks(share: Values, mean: float, window: int) -> tuple[Values, NDArray[np.intp]]:
    """The share averaged twice over a window, with the mean around it, and its peaks."""
    averaged = share
    for _ in range(2):
        averaged = uniform_filter1d(averaged, window, mode="constant", cval=mean)
    averaged = np.concatenate(([mean], averaged, [mean]))
    peaks, _ = find_peaks(averaged, height=mean, prominence=PROMINENCE * (1 - mean))
    return averaged, peaks


def _stable_window(counts: Sequence[tuple[int, int]]) -> int | None:
    """The first of the longest stretch of windows with as many peaks: it blurs their ends least."""
    stretches = [[w for w, _ in same] for count, same in groupby(counts, lambda c: c[1]) if count]
    longest = max(stretches, key=lambda windows: windows[-1] / windows[0], default=None)
    if longest is None or longest[-1] < STABLE * longest[0]:
        return None
    return longest[0]


#: Start and end in seconds, label, bytes per second.
SeriesRow = tuple[float, float, str, float]


def axis_pulses(
    con: duckdb.DuckDBPyConnection, experiment: str, point_id: str
) -> dict[str, list[Pulse]]:
    """Pulses of each dimension (`x`, `y` …) of a point's table `series`.

    A dimension has links of the classes `<dimension>+` and `<dimension>-`; the + direction leads.
    """
    rows = con.execute(_THROUGHPUT, [experiment, point_id]).fetchall()
    return pulses_of_rows(cast("list[SeriesRow]", rows))


def pulses_of_rows(rows: Sequence[SeriesRow]) -> dict[str, list[Pulse]]:
    """As `axis_pulses`, of rows `start_s, end_s, label, bytes per second` in order of time."""
    by_label: dict[str, list[SeriesRow]] = {}
    for row in rows:
        by_label.setdefault(row[2], []).append(row)
    found: dict[str, list[Pulse]] = {}
    for label, plus in by_label.items():
        minus = by_label.get(f"{label[:-1]}-") if label.endswith("+") else None
        if minus is not None:
            starts, ends, _, up = zip(*plus, strict=True)
            found[label[:-1]] = find_pulses(starts, ends, up, [row[3] for row in minus])
    return found
