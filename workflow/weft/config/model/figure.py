"""What all figures have in common."""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator, Field, ValidationInfo, WithJsonSchema, model_validator

from weft.config.language.section import Settings

_PUBLISHED = r"^[a-z0-9_]+/[a-z0-9_]+$"


def _published(text: str) -> str:
    if not re.fullmatch(_PUBLISHED, text):
        raise ValueError(f"'{text}' does not have the form paper/item, like 'mfs/table1'")
    return text


Published = Annotated[
    str,
    AfterValidator(_published),
    WithJsonSchema({"type": "string", "pattern": _PUBLISHED}),
]


def one_or_more(value: str | list[str] | None) -> tuple[str, ...]:
    """One name, like `mfs/table1`, or a list of names as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value or ())


def _another_engine(to: str, info: ValidationInfo) -> str:
    if to in one_or_more(info.data.get("of")):
        raise ValueError(f"{to} would be divided by itself, which is 1: name another engine")
    return to


#: The engine by whose answers those of others are divided.
Divisor = Annotated[str, AfterValidator(_another_engine)]


Value = str | int | float | bool
#: A filter: a value, or several of which each may be a list itself.
Choice = Value | list[Value | list[Value]]


class Figure(Settings):
    """Base of all figures; every value of `row` gets a row of its own."""

    row: str | None = None
    """A key; each of its values gets a panel."""
    free: bool | None = None
    """Whether each panel has its own ranges, instead of common ones. Unless given, bars have their
    own if the highest ones of two panels differ by more than ×10, and say so."""
    title: str | None = None
    """Heading of the figure."""
    where: dict[str, Choice] = Field(default_factory=dict)
    """Show only answers with this value, or with one of these. Engines without such an option
    stay, as do measurements, which have neither topology nor network. If the values of a key are
    lists, write `[[a], [b, c]]`; a single one may be `[a]`."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The side tables that the figure shows, which the points must have been asked for."""
        return ()

    @property
    def metric(self) -> str | None:
        """The metric that the figure is about, of those that have a name of their own."""
        return None

    @property
    def overlaid(self) -> tuple[str, ...]:
        """The published items that lie over the figure, as paper/item."""
        return ()

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that the figure names, by field."""
        return {"row": [self.row] if self.row else [], "where": list(self.where)}

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {}

    def engines(self) -> dict[str, list[str]]:
        """The engines that the figure names, by field."""
        return {}


class Plotted(Figure):
    """Base of figures with an x axis of settings."""

    x: str
    """A key, like `topology.k`, or `message_bytes`."""

    @model_validator(mode="after")
    def _panels(self) -> Self:
        if self.free and not self.row:
            raise ValueError("free needs panels: give row, too")
        return self

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that the figure names, by field."""
        return {"x": [self.x], **super().keys()}
