"""Lists of words, such as a program's arguments, as people read them."""

from __future__ import annotations

import json
from typing import cast


def words_of(value: object) -> list[str] | None:
    """The words of a list, which columns hold as JSON; None for any other value."""
    if not isinstance(value, str) or not value.startswith("["):
        return None
    try:
        found: object = json.loads(value)
    except ValueError:
        return None
    is_list = isinstance(found, list) and all(isinstance(each, str) for each in found)
    return cast("list[str]", found) if is_list else None


def words_label(words: list[str]) -> str:
    """The words as on a command line: `10 0 1`."""
    return " ".join(f'"{word}"' if not word or " " in word else word for word in words) or "none"


def holds_numbers(value: object) -> bool:
    """Whether a value is a number or a list of numbers, which says nothing without its key."""
    words = words_of(value)
    return isinstance(value, int | float) or (bool(words) and all(map(_is_number, words or ())))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
