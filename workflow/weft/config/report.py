"""Figures, and the options of reports."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from weft.config.base import Settings
from weft.config.topology import Count

_PUBLISHED = r"^[a-z0-9_]+/[a-z0-9_]+$"


def _published(text: str) -> str:
    if not re.fullmatch(_PUBLISHED, text):
        raise ValueError(f"'{text}' does not read like 'mfs/table1': paper/item")
    return text


Published = Annotated[
    str,
    AfterValidator(_published),
    WithJsonSchema({"type": "string", "pattern": _PUBLISHED}),
]


class Figure(Settings):
    """Base of all figures; every value of `row` gets a row of its own."""

    x: str
    """A key, like `topology.k`, or `message_bytes`."""
    y: str
    """A metric."""
    color: str = "engine"
    """A key whose values get colours."""
    row: str | None = None
    """A key whose values get panels."""
    title: str | None = None
    """Heading of the figure."""
    published: Published | list[Published] | None = None
    """Published numbers to lay over it, as paper/item; one or several."""
    where: dict[str, str | int | float | bool] = Field(default_factory=dict)
    """Only the answers with these values."""


class Line(Figure):
    """One line for each colour."""

    log_x: bool = False
    """Logarithmic x axis."""
    log_y: bool = False
    """Logarithmic y axis."""


class Bar(Figure):
    """Bars side by side."""

    log_y: bool = False
    """Logarithmic y axis."""


class Table(Figure):
    """The numbers themselves."""


class Ratio(Figure):
    """How far one engine is from another: the quotient of their answers."""

    of: str
    """The engine above the bar."""
    to: str
    """The engine below the bar."""
    log_x: bool = False
    """Logarithmic x axis."""


FIGURES: dict[str, type[Figure]] = {"line": Line, "bar": Bar, "ratio": Ratio, "table": Table}


class Report(Settings):
    """How reports are made."""

    interval: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Confidence of the intervals shown."""
    log_lines: Count = 20
    """Last lines of the log shown with a failed point."""
