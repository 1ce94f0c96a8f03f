"""How often the throughput of links pulses, and how often others report that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from weft.config.model.figures import Timeline
from weft.report.data.overlays import kind_of, planned
from weft.report.data.point_groups import of_panel, places
from weft.report.data.references import report_references
from weft.report.data.source import Study
from weft.report.data.units import listing
from weft.report.kinds.timeline.rows import GRAPHS

if TYPE_CHECKING:
    from weft.analysis.pulses import Pulse

GRAPH = "link_throughput"
#: The metric of published numbers of pulses.
_PULSES = "pulses"
#: Numbers that have a word of their own.
_WORDS = {1: "once", 2: "twice"}


def pulse_findings(study: Study, figure: Timeline) -> list[str]:
    """A sentence for each setting of a timeline of link throughput, of its first seed."""
    # Few pages count pulses, which takes long to import.
    from weft.analysis.pulses import axis_pulses

    groups = places(study, figure, GRAPHS[GRAPH][0], "series")
    others = _published(study, report_references([figure]))
    found = []
    for group in groups:
        text = _text(
            axis_pulses(study.connection, study.plan.experiment, group.point_ids[0]), others
        )
        if text:
            found.append(of_panel(group.name if len(groups) > 1 else None, f"{text}."))
    return found


def _published(study: Study, references: Sequence[str]) -> dict[str, dict[str, float]]:
    """Published numbers of pulses of these settings: by whose they are, then by dimension."""
    found: dict[str, dict[str, float]] = {}
    for entry in study.published(references):
        where = {k: v for k, v in entry.place.items() if k not in ("label", "engine")}
        if entry.metric != _PULSES or kind_of(entry.item) != "published":
            continue
        if planned(study, where):
            axis = str(entry.place.get("label", "")).rstrip("+-")
            found.setdefault(entry.series, {})[axis] = entry.value
    return found


def _text(pulses: Mapping[str, Sequence[Pulse]], others: Mapping[str, Mapping[str, float]]) -> str:
    """Nothing where no dimension has links of both directions."""
    counts = {axis: len(each) for axis, each in pulses.items()}
    clear = [f"{_times(count)} in {axis}" for axis, count in counts.items() if count]
    blurred = [axis for axis, count in counts.items() if not count]
    if not counts:
        return ""
    parts = [f"the throughput of links pulses {listing(clear)}"] if clear else []
    if blurred:
        parts.append(f"In {listing(blurred)} no pulses can be counted")
    for series, theirs in others.items():
        known = {axis: number for axis, number in theirs.items() if axis in counts}
        if known and all(counts[axis] == number for axis, number in known.items()):
            parts.append(f"{series} reports the same")
        elif known:
            said = listing(f"{_times(number)} in {axis}" for axis, number in known.items())
            parts.append(f"{series} reports {said}")
    return ". ".join(parts)


def _times(count: float) -> str:
    return _WORDS.get(round(count), f"{count:,.0f} times")
