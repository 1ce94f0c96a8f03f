"""Figures as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from weft.report.draw.vega_lite import VegaLite

#: The name of a panel, None where a figure has one alone, and its Vega-Lite specification.
Chart = tuple[str | None, VegaLite]


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing; `spec` is Vega-Lite."""

    identifier: str
    name: str | None
    spec: VegaLite


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure on the page: its panels or its table, notes and data to download.

    `legend` says whether the panels have legends whose entries can be clicked.
    """

    identifier: str
    title: str
    panels: Sequence[Panel] = ()
    table: Mapping[str, object] | None = None
    notes: Sequence[str] = ()
    csv: str = ""
    legend: bool = True


def panels(identifier: str, charts: Iterable[Chart]) -> list[Panel]:
    """The charts of the drawing called `identifier`, numbered from 1."""
    return [Panel(f"{identifier}-{i}", name, spec) for i, (name, spec) in enumerate(charts, 1)]
