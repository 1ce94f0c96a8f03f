"""Where measured numbers were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from weft.files import JsonObject
from weft.report.data.source import Study
from weft.report.record.readable_facts import Fact, decoded, image_fact, library_fact, listed

MAX_NODES = 4
MAX_ROWS = 12
COLUMNS = ("Nodes", "Mode", "Image", "MPI library", "Switch distance", "Fabric", "Ranks")
_NOTHING = Fact("–")
MeasuredPlace = tuple[Fact | None, ...]


@dataclass
class Measured:
    """The places of finished measurements with their points; columns without a fact are left out.

    `left` counts the places beyond the first MAX_ROWS.
    """

    columns: list[str] = field(default_factory=list)
    rows: list[tuple[list[Fact], int]] = field(default_factory=list)
    left: int = 0


def measured_on(study: Study) -> Measured:
    """One row for each distinct combination of nodes, image, MPI, mode and fabric."""
    runs = study.query(
        "SELECT host, image_sha256, environment FROM final_runs JOIN axes USING (point_id)"
        " WHERE axes.engine = 'hardware' AND status = 'done' ORDER BY started_at, point_id"
    )
    found: Counter[MeasuredPlace] = Counter(
        _place(run["host"], run["image_sha256"], decoded(run["environment"] or "{}"))
        for run in runs
    )
    known = [n for n, _ in enumerate(COLUMNS) if any(place[n] for place in found)]
    rows = [([place[n] or _NOTHING for n in known], count) for place, count in found.items()]
    return Measured([COLUMNS[n] for n in known], rows[:MAX_ROWS], max(0, len(rows) - MAX_ROWS))


def _place(host: str | None, sha256: str | None, facts: JsonObject) -> MeasuredPlace:
    nodes = sorted(set(facts.get("hosts") or ([host] if host else [])))
    distance, mode = facts.get("switch_distance"), facts.get("mode")
    return (
        listed(nodes, MAX_NODES),
        Fact(mode) if mode else None,
        image_fact(facts.get("image"), sha256),
        library_fact(facts.get("mpi_library") or facts.get("mpi")),
        Fact(str(distance)) if distance is not None else None,
        _fabric(facts.get("fabric")),
        Fact("more than processors") if facts.get("oversubscribed") else None,
    )


def _fabric(fabric: object) -> Fact | None:
    """That of all nodes when they agree, else node by node."""
    if not isinstance(fabric, Mapping):
        return Fact(str(fabric)) if fabric else None
    texts = dict.fromkeys(str(text) for text in fabric.values() if text)
    if len(texts) <= 1:
        return Fact(next(iter(texts))) if texts else None
    return listed([f"{node} {text}" for node, text in sorted(fabric.items())], MAX_NODES)
