"""Figures as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Vega-Lite as plain values: a specification or a part of it, as Altair takes and gives them. To
#: weft it is a grammar of some hundred nested properties; vl-convert and the page check them.
VegaLite = dict[str, Any]
#: The name of a panel, None where a figure has one alone, and its Vega-Lite specification.
Chart = tuple[str | None, VegaLite]


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing; `spec` is Vega-Lite, and the `note` stands right below it."""

    identifier: str
    name: str | None
    spec: VegaLite
    note: str = ""


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


def panels(identifier: str, charts: Iterable[Chart], notes: Sequence[str] = ()) -> list[Panel]:
    """The charts of the drawing called `identifier`, numbered from 1, each with its note if any."""
    return [
        Panel(f"{identifier}-{i}", name, spec, notes[i - 1] if notes else "")
        for i, (name, spec) in enumerate(charts, 1)
    ]
