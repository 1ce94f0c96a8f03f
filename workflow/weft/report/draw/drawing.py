"""Figures as a page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass
class Panel:
    """One drawing; `spec` is Vega-Lite."""

    identifier: str
    name: str | None
    spec: Mapping[str, object]


@dataclass
class Drawing:
    """A figure on the page: its panels or its table, notes and data to download.

    `legend` says whether the panels have legends whose entries can be clicked.
    """

    identifier: str
    title: str
    panels: list[Panel] = field(default_factory=list)
    table: Mapping[str, object] | None = None
    notes: Sequence[str] = ()
    csv: str = ""
    legend: bool = True
