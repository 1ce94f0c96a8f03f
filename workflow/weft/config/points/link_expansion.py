"""How much links bring in, `a: ${b}${b}`: counted before anything is put in.

If each of forty values names the next one twice, the first one stands for 2⁴⁰ values: forty short
lines would keep a computer busy for years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from omegaconf.errors import GrammarParseError
from omegaconf.grammar.gen.OmegaConfGrammarParser import OmegaConfGrammarParser
from omegaconf.grammar_parser import parse

from weft.config.language.errors import Problem

#: Values that the links of one key may bring in: seconds of work.
MOST_VALUES = 5_000
#: Links from one value to the next.
MOST_STEPS = 50
#: A longer text counts as several values.
CHARACTERS = 1_000


def expansion_problem(values: Mapping[str, object]) -> Problem | None:
    """What is wrong with the key whose links bring in most; None where all bring in few."""
    counted = _Counted(values)
    try:
        sizes = {place: counted.size(place) for place in counted.linked}
    except _TooLongError as error:
        message = f"its links form a chain of more than {MOST_STEPS} values"
        return Problem(str(error), message)
    place = max(sizes, key=sizes.__getitem__, default="")
    if sizes.get(place, 0) <= MOST_VALUES:
        return None
    message = (
        f"its links expand to {sizes[place]:,} values, with repetitions; "
        f"at most {MOST_VALUES:,} are allowed"
    )
    return Problem(_written(place), message)


class _TooLongError(ValueError):
    """A chain of links is too long; the text is the key at which it begins."""


class _Counted:
    """The values of a configuration by their dotted places, each counted once."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = dict(_placed(values, ""))
        self._sizes: dict[str, int] = {}
        self._matching: dict[str, list[str]] = {}
        self._way: list[str] = []
        self.linked = [place for place, each in self._values.items() if _has_link(each)]

    def size(self, place: str) -> int:
        """How many values stand at `place` once all links below it are followed."""
        if place in self._way:
            return 0  # OmegaConf says what is wrong with it.
        if place not in self._sizes:
            if len(self._way) > MOST_STEPS:
                raise _TooLongError(_written(self._way[0]))
            self._way.append(place)
            self._sizes[place] = self._counted(place, self._values[place])
            self._way.pop()
        return self._sizes[place]

    def _counted(self, place: str, value: object) -> int:
        if isinstance(value, Mapping):
            return sum(self.size(f"{place}.{key}") for key in value)
        if isinstance(value, list):
            return sum(self.size(f"{place}.{i}") for i in range(len(value)))
        if not isinstance(value, str):
            return 1
        return 1 + len(value) // CHARACTERS + sum(map(self._largest, self._patterns(place, value)))

    def _patterns(self, place: str, text: str) -> Iterator[str]:
        for link in _links(text) if _has_link(text) else ():
            dots = len(link) - len(link.lstrip("."))
            steps = place.split(".")
            # One dot is the section in which the link stands, each further one that around it.
            above = ".".join(steps[: max(1, len(steps) - dots)]) if dots else ""
            yield re.escape(above) + r"\." + link[dots:]

    def _largest(self, pattern: str) -> int:
        """An upper bound of the values at a link's target; a link whose name contains links may
        lead to several places."""
        if pattern not in self._matching:
            self._matching[pattern] = [p for p in self._values if re.fullmatch(pattern, p)]
        return max(map(self.size, self._matching[pattern]), default=1)


def _placed(value: object, place: str) -> Iterator[tuple[str, object]]:
    if place:
        yield place, value
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _placed(each, f"{place}.{key}")
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _placed(each, f"{place}.{i}")


def _has_link(value: object) -> bool:
    return isinstance(value, str) and "${" in value


def _written(place: str) -> str:
    """`figures[0].line` for the place `.figures.0.line`."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", place).removeprefix(".")


@lru_cache(maxsize=4096)
def _links(text: str) -> tuple[str, ...]:
    """The keys that a text names, as patterns: leading dots, then what may follow them."""
    try:
        return tuple(_named(parse(text)))
    except GrammarParseError:
        return ()  # Composition says what is wrong with it.


def _named(node: object) -> Iterator[str]:
    grammar = OmegaConfGrammarParser
    if isinstance(node, grammar.InterpolationNodeContext):
        yield _pattern(node.children[1:-1])
    elif isinstance(node, grammar.ElementContext):
        # Resolvers take keys as texts.
        yield _pattern([node])
    for child in getattr(node, "children", None) or ():
        yield from _named(child)


def _pattern(nodes: list[Any]) -> str:
    """A link's key as a regular expression; a link inside it may stand for anything."""
    written = "".join("\0" if "${" in node.getText() else node.getText() for node in nodes)
    key = written.lstrip(".")
    steps = re.sub(r"[\[\]'\".]+", ".", key).strip(".")
    return "." * (len(written) - len(key)) + re.escape(steps).replace("\0", ".*")
