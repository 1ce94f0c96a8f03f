"""Statistics over simulated time: from the table `series` to the lines of a figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from weft.config.model.figures import Timeline
from weft.report.data.csv_text import csv_text
from weft.report.data.natural_order import natural
from weft.report.data.overlays import kind_of, overlays, planned
from weft.report.data.point_groups import PointGroup, first, places
from weft.report.data.series_values import ANSWER
from weft.report.data.source import Row, Study

#: A line is drawn with at most so many points: one for two pixels of a page's width.
MAX_POINTS = 400
#: Metric and heading of each graph.
GRAPHS: Mapping[str, tuple[str, str]] = {
    "network_latency": ("network_latency_s", "Network latency"),
    "link_throughput": ("link_throughput_bytes_per_s", "Link throughput"),
    "buffer_utilisation": ("buffer_utilisation", "Buffer utilisation"),
    "communication_latency": ("communication_latency_s", "Communication latency"),
    "link_distribution": ("link_share", "Share of links by throughput"),
    "congestion_ratio": ("congestion_ratio", "Congested ports"),
}
#: What a value of a graph means, below its figure.
_MEANING: Mapping[str, str] = {
    "network_latency": "Mean over the packets that arrived in an interval, from the time when"
    " the head leaves its NIC to the arrival of the last byte.",
    "link_throughput": "Mean over the links of a class.",
    "buffer_utilisation": "Occupied share of the buffers behind the links of a class.",
    "communication_latency": "Mean over the messages that arrived in an interval, from the"
    " call that sends to the arrival of the data.",
    "link_distribution": "Links by the share of their bandwidth that they carry.",
    "congestion_ratio": "Share of the output ports at which a packet's head waited.",
}
_HEAD = ("panel", "series", "kind", "time_s", "value", "low", "high")

# Intervals are gathered, not picked, so that no peak is lost between drawn values.
_LINES = """
WITH cut AS (
  SELECT label, unit, value, start_s, end_s,
    CASE WHEN $gather
      THEN floor(((start_s + end_s) / 2 - $first) / $width) ELSE start_s END AS bin
  FROM series WHERE experiment = getvariable('experiment') AND metric = $metric
    AND list_contains($ids, point_id) AND start_s < $last AND end_s > $first)
SELECT label, any_value(unit) AS unit, avg(value) AS y, min(value) AS low, max(value) AS high,
  CASE WHEN $gather THEN $first + (bin + 0.5) * $width ELSE (min(start_s) + max(end_s)) / 2 END AS x
FROM cut GROUP BY label, bin ORDER BY label, x
"""
_SPAN = """
SELECT min(start_s) AS first, max(end_s) AS last, count(DISTINCT start_s) AS intervals
FROM series WHERE experiment = getvariable('experiment') AND metric = $metric
  AND list_contains($ids, point_id) AND start_s < $last AND end_s > $first
"""


@dataclass(frozen=True, slots=True)
class TimelineValue:
    """One value of a series in stored units, in the middle of its interval."""

    panel: str | None
    series: str
    kind: str
    """`answer` for ours, else whose the value is."""
    time_s: float
    value: float | None
    """None breaks the line, which would bridge intervals without a value."""
    low: float | None = None
    high: float | None = None


@dataclass
class TimelineData:
    """The values of a timeline, a series after the other."""

    figure: Timeline
    metric: str
    label: str
    unit: str = "1"
    values: list[TimelineValue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    most: float = MAX_POINTS
    """A line has at most so many points."""
    gathered: int = 1
    labels: dict[str, None] = field(default_factory=dict)
    """Those that there are, if the figure asks for some."""
    every: TimelineData | None = None
    """The same with every interval, where these values are gathered."""

    @property
    def legend(self) -> bool:
        """Whether there are series to distinguish."""
        return len({one.series for one in self.values}) > 1

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.values else f"No values of {self.label.lower()} yet."

    @property
    def panels(self) -> list[str | None]:
        """Names of the panels, in planned order."""
        return list(dict.fromkeys(one.panel for one in self.values))

    @property
    def stacked(self) -> bool:
        """Whether the series are shares of a whole."""
        return self.figure.graph == "link_distribution"

    def csv(self) -> str:
        """Every interval of what is drawn."""
        if self.every is not None:
            return self.every.csv()
        names = [f"{self.metric} [{self.unit}]" if name == "value" else name for name in _HEAD]
        rows = []
        for one in self.values:
            if one.value is not None:
                ends = ["" if end is None else f"{end:.5g}" for end in (one.low, one.high)]
                numbers = [f"{one.time_s:.9g}", f"{one.value:.5g}", *ends]
                rows.append([one.panel, one.series, one.kind, *numbers])
        return csv_text(names, rows)


def timeline_data(study: Study, figure: Timeline, most: float = MAX_POINTS) -> TimelineData:
    """The lines of a timeline, gathered where there are more than `most` intervals."""
    metric, label = GRAPHS[figure.graph]
    data = TimelineData(figure, metric, label, most=most)
    found = places(study, figure, metric, "series")
    data.notes.append(_MEANING[figure.graph])
    drawn = first(found)
    for place in drawn:
        data.values += _lines(study, data, place)
    data.notes += drawn.left_out
    lacking = [label for label in figure.labels or () if label not in data.labels]
    if lacking and (found or data.labels):
        there = ", ".join(sorted(data.labels, key=natural)) or "none"
        data.notes.append(f"Nothing is labelled {' or '.join(lacking)}; labels are: {there}.")
    if data.values:
        data.values += list(_others(study, data))
    if data.gathered > 1:
        more = " bands reach from the least to the greatest." if _banded(data) else ""
        data.notes.append(
            f"A drawn value is a mean over up to {data.gathered:,} intervals;{more}"
            " The CSV has every interval."
        )
    return data


def timeline_with_all(study: Study, figure: Timeline) -> TimelineData:
    """The lines of a timeline as a page draws them, with every interval to download."""
    data = timeline_data(study, figure)
    if data.gathered > 1:
        data.every = timeline_data(study, figure, most=math.inf)
    return data


def _lines(study: Study, data: TimelineData, place: PointGroup) -> list[TimelineValue]:
    figure = data.figure
    asked = {
        "metric": data.metric,
        "ids": list(place.point_ids),
        "first": figure.start,
        "last": figure.end if figure.end is not None else math.inf,
    }
    (span,) = study.query(_SPAN, asked)
    if not span["intervals"]:
        return []
    first, last = max(span["first"], figure.start), span["last"]
    drawn = min(span["intervals"], data.most)
    gather = span["intervals"] > drawn
    rows = study.query(
        _LINES, {**asked, "first": first, "gather": gather, "width": (last - first) / drawn}
    )
    gathered = math.ceil(span["intervals"] / drawn)
    data.gathered = max(data.gathered, gathered)
    spacing = (last - first) / drawn
    labels = sorted({row["label"] for row in rows}, key=natural)
    if figure.labels:
        data.labels.update(dict.fromkeys(label for label in labels if label is not None))
        labels = [label for label in labels if label in figure.labels]
    found: list[TimelineValue] = []
    for label in labels:
        data.unit = rows[0]["unit"]
        mine = [row for row in rows if row["label"] == label]
        series = label if label is not None else place.name or data.label
        panel = place.panel(label is not None)
        found += _with_gaps(panel, series, mine, spacing, gathered > 1 and not data.stacked)
    return found


def _with_gaps(
    panel: str | None, series: str, rows: Sequence[Row], spacing: float, band: bool
) -> Iterator[TimelineValue]:
    """The values of one line; None wherever intervals without a value would be bridged."""
    before: float | None = None
    for row in rows:
        time_s = row["x"]
        if before is not None and time_s - before > 1.6 * spacing:
            yield TimelineValue(panel, series, ANSWER, before + spacing, None)
        low, high = (row["low"], row["high"]) if band else (None, None)
        yield TimelineValue(panel, series, ANSWER, time_s, row["y"], low, high)
        before = time_s


def _banded(data: TimelineData) -> bool:
    return any(one.low is not None for one in data.values)


def _others(study: Study, data: TimelineData) -> Iterator[TimelineValue]:
    """Values of others over time: `start_s` and perhaps `label` are among their coordinates."""
    drawn = {one.series for one in data.values}
    end = max(one.time_s for one in data.values)
    found: dict[str, list[TimelineValue]] = {}
    for entry in study.published(overlays(data.figure)):
        where = dict(entry.place)
        at, label = where.pop("start_s", None), where.pop("label", None)
        fits = entry.metric == data.metric and at is not None and planned(study, where)
        if fits and (label is None or label in drawn) and data.figure.start <= at <= end:
            name = f"{entry.series} · {label}" if label else entry.series
            kind = kind_of(entry.item)
            value = TimelineValue(None, name, kind, float(at), entry.value)
            found.setdefault(name, []).append(value)
    for values in found.values():
        values.sort(key=lambda one: one.time_s)
        kept = values[:: max(1, math.ceil(len(values) / data.most))]
        yield from (replace(one, panel=panel) for panel in data.panels for one in kept)
