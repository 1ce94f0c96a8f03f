"""A key that takes a whole number or a word: `outstanding: 4`, `outstanding: all`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Tag, WithJsonSchema

from weft.config.language.errors import unknown


def or_word(number: Any, words: Sequence[str]) -> object:
    """The type of `number` or one of `words`; a wrong value gets one message only."""
    checked = AfterValidator(partial(_word, tuple(words)))
    word = Annotated[str, checked, WithJsonSchema({"type": "string", "enum": list(words)})]
    # The tags are names of types, which locations of mistakes leave out.
    branches = Annotated[number, Tag("int")] | Annotated[word, Tag("str")]
    return Annotated[branches, Discriminator(_branch)]


def _branch(value: object) -> str:
    return "str" if isinstance(value, str) else "int"


def _word(words: Sequence[str], value: str) -> str:
    if value not in words:
        raise ValueError(unknown("value", value, [*words, "a whole number"]))
    return value
