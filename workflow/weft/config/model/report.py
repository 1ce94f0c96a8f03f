"""The options of reports."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from weft.config.language.section import Settings
from weft.config.model.figure import Choice
from weft.config.model.topology import Count


def _two(names: list[str]) -> list[str]:
    if len(names) != 2:
        raise ValueError(f"takes two names, [a, b]; here {len(names)} are given")
    return names


#: Two experiments, or runs of them, to be shown side by side.
Two = Annotated[
    list[str],
    AfterValidator(_two),
    WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}),
]


Price = Annotated[float, Field(ge=0)]


class Prices(Settings):
    """What parts of a network cost, in any one unit."""

    switch: Price = 0.0
    """Of a switch, without its ports."""
    port: Price = 0.0
    """Of a port of a switch that holds an end of a cable."""
    cable: Price = 0.0
    """Of a cable between two switches."""
    node_cable: Price | None = None
    """Of a cable between a node and a switch; as `cable` unless given."""

    @property
    def of_node_cable(self) -> float:
        """The price of a cable between a node and a switch."""
        return self.cable if self.node_cable is None else self.node_cable

    def words(self) -> str:
        """All prices: `switch 100, port 10, cable 5, node cable 5`."""
        named = {"switch": self.switch, "port": self.port, "cable": self.cable}
        named["node cable"] = self.of_node_cable
        return ", ".join(f"{name} {price:,g}" for name, price in named.items())


class ReportOptions(Settings):
    """What holds for a whole page, in an experiment file and in a plan."""

    interval: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Confidence of the intervals shown."""
    log_lines: Count = 20
    """Last lines of the log shown with a failed point."""
    compare: Two | None = None
    """Two experiments, or runs such as `x@before`, that the page shows side by side."""
    reference: str | None = None
    """The engine that errors refer to, or `published`; unless given, the engine with the highest
    fidelity that answered, and published numbers."""
    prices: Prices | None = None
    """What parts of a network cost, in any one unit: `switch` (without ports), `port` (of a switch,
    with a cable), `cable` (between switches) and `node_cable` (as `cable` unless given). The table
    of networks then has a column for the cost; there are no default prices."""


class Report(ReportOptions):
    """How reports are made."""

    variants: dict[str, dict[str, Choice]] = Field(default_factory=dict)
    """Names for settings that vary together; figures can use them as the key `variant`."""
