"""What a file of somebody else says, as a terminal may show it."""

from __future__ import annotations

import re

#: Characters that a terminal obeys, or by which the words of a line change places; no line ends.
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MOST_CHARACTERS = 4000


def shown(text: str) -> str:
    """The text with such characters written out, like `\\x1b`, and cut where it is very long."""
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]}… ({len(text):,} characters)"
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
