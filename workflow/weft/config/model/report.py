"""The options of reports."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from weft.config.language.section import Settings
from weft.config.model.figures import Choice
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


class Report(Settings):
    """How reports are made."""

    interval: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Confidence of the intervals shown."""
    log_lines: Count = 20
    """Last lines of the log shown with a failed point."""
    compare: Two | None = None
    """Two experiments, or runs of them like `x@before`, that the page shows side by side."""
    reference: str | None = None
    """The engine from which errors are measured, or `published`; unless given the one with the
    highest fidelity that answered, and published numbers."""
    variants: dict[str, dict[str, Choice]] = Field(default_factory=dict)
    """Names for settings that vary together; figures know them as the key `variant`."""
