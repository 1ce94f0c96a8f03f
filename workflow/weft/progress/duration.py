"""Times as people say them."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """`40 s`, `3 min`, `2 h 10 min`: rounded, because what it describes is an estimate."""
    if seconds < 90:
        return f"{max(1, round(seconds)):d} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, rest = divmod(round(minutes / 10) * 10, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"
