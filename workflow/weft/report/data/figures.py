"""What `figures:` of an experiment ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weft.report.data.metrics import leading
from weft.report.data.source import SIZE, Study


@dataclass(frozen=True, slots=True)
class Figure:
    """One entry of `figures:`; `kind` is line, ratio, bar, table, map, timeline or congestion.

    `y` is a metric, also of a map, whose rows are the values of the keys `down`. Those of side
    tables have neither x nor y: a timeline has its `graph`, with `start` and `end` in seconds.
    """

    kind: str
    x: str = ""
    y: str = ""
    color: str = "engine"
    row: str | None = None
    published: tuple[str, ...] = ()
    of: str | None = None
    to: str | None = None
    log_x: bool = False
    log_y: bool = False
    band: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    within: float | None = None
    graph: str = ""
    labels: tuple[str, ...] = ()
    start: float = 0.0
    end: float | None = None
    count: int = 20
    free: bool = False
    title: str | None = None
    where: Mapping[str, object] = field(default_factory=dict)


def parse_figures(report: Mapping[str, Any]) -> list[Figure]:
    """The figures of a plan's `report`."""
    figures = []
    for entry in report.get("figures") or []:
        ((kind, fields),) = entry.items()
        if kind == "map":
            fields = {**fields, "y": fields["value"], "down": fields["y"]}
        known = {k: v for k, v in fields.items() if k in Figure.__slots__ and v is not None}
        for name in ("published", "band", "down", "labels"):
            known[name] = references(known.get(name))
        if known.get("x") == f"workload.{SIZE}":
            known["x"] = SIZE
        figures.append(Figure(kind, **known))
    return figures


def references(value: object) -> tuple[str, ...]:
    """One name, like `mfs/table1`, or a list of names as a tuple."""
    if not value:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)  # type: ignore[arg-type]


def default_figures(study: Study) -> list[Figure]:
    """What a report shows when its experiment names no figures."""
    figures = []
    for name in leading(study.answered):
        sizes = study.answered[name] > 1
        x = SIZE if sizes else next(iter(study.swept), "engine")
        figures.append(Figure("line", x, name, log_x=sizes, log_y=sizes))
    return figures
