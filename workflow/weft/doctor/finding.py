"""What one look at the machine found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing weft can use.

    `found` says what is there; of a missing thing, `cost` says what does not work without it and
    `remedy` how a user gets it without root.
    """

    subject: str
    present: bool
    found: str
    cost: str = ""
    remedy: str = ""
