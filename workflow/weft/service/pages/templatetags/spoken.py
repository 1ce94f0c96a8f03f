"""Numbers as a person says them."""

from __future__ import annotations

from django import template

register = template.Library()
_UNITS = (("day", 86_400), ("h", 3600), ("min", 60), ("s", 1))


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds in at most two units: 59 s, 1 h 5 min, 3 days 2 h."""
    if seconds is None:
        return "unknown"
    if 0 < seconds < 1:
        return "less than 1 s"
    left = round(seconds)
    words: list[str] = []
    for name, length in _UNITS:
        count, left = divmod(left, length)
        if count or (words and len(words) < 2):
            plural = "s" if name == "day" and count != 1 else ""
            words += [f"{count} {name}{plural}"] if count else [""]
        if len(words) == 2:
            break
    return " ".join(filter(None, words)) or "0 s"
