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


class Report(ReportOptions):
    """How reports are made."""

    variants: dict[str, dict[str, Choice]] = Field(default_factory=dict)
    """Names for settings that vary together; figures can use them as the key `variant`."""
