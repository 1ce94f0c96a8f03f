"""What is wrong with a link that leads nowhere, in words that name what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from weft.config.language.errors import Problem, unknown
from weft.config.language.yaml_files import cause

#: A link to a key: its dots, which count sections outwards, and the key. Resolvers have a colon.
_LINK = re.compile(r"\$\{\s*(\.*)([^${}:\s]+)\s*\}")
#: How OmegaConf begins to say what a resolver met.
_RAISED = re.compile(r"^\w+ raised while resolving interpolation: ")
#: What it says of a resolver that leads back to its own key.
_ENDLESS = "recursion"


def link_problem(values: Mapping[str, object], key: str, error: Exception) -> Problem:
    """The mistake at the dotted `key` of `values` that OmegaConf calls `error`.

    It belongs to the key that holds the wrong link, to which other links may have led.
    """
    # Keys of a sweep have dots in them.
    written = (place for place, _ in _texts((), values) if _dotted(place) == key)
    if found := _Links(values).problem(next(written, _steps(key))):
        return found
    said = _RAISED.sub("", cause(error))
    return Problem(key, "its links lead back to it" if _ENDLESS in said else said)


class _Links:
    """Follows the links of a configuration, each once."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values
        self._sound: set[tuple[str, ...]] = set()

    def problem(self, place: tuple[str, ...], *way: tuple[str, ...]) -> Problem | None:
        """The first mistake among the links at or below `place`, to which `way` has led."""
        if place in self._sound:
            return None
        for key, text in _texts(place, _at(self._values, place)):
            for link in _LINK.finditer(text):
                if found := self._of_link(key, link, (*way, key)):
                    return found
        self._sound.add(place)
        return None

    def _of_link(
        self, key: tuple[str, ...], link: re.Match[str], way: tuple[tuple[str, ...], ...]
    ) -> Problem | None:
        dots, name = link.groups()
        target = (*key[: max(0, len(key) - len(dots))], *_steps(name)) if dots else _steps(name)
        written = _dotted(key)
        if target in way:
            chain = [*way[way.index(target) :], target]
            shown = " → ".join(map(_dotted, chain))
            message = f"its links lead back to it: {shown}; write a value in place of one"
            return Problem(_dotted(target), message)
        if target == key[: len(target)]:
            message = f"{link[0]} is the section that holds this key: refer to one of its keys"
            return Problem(written, message)
        if lacks := _lacks(self._values, target):
            return Problem(written, f"{link[0]} refers to nothing: {lacks}")
        return self.problem(target, *way)


def _lacks(values: Mapping[str, object], target: tuple[str, ...]) -> str | None:
    """What is not there on the way to `target`; None if it is there, or behind another link."""
    here: object = values
    for count, step in enumerate(target):
        above = _dotted(target[:count])
        if isinstance(here, Mapping):
            if step not in here:
                return unknown(f"key of {above}" if above else "key", step, map(str, here))
            here = here[step]
        elif isinstance(here, list):
            if not step.isdigit() or int(step) >= len(here):
                return f"{above} has the values 0 to {len(here) - 1}, and no {step}"
            here = here[int(step)]
        else:
            behind = isinstance(here, str) and "${" in here
            return None if behind else f"{above} is no section but {here!r}"
    return None


def _at(values: object, place: tuple[str, ...]) -> object:
    for step in place:
        if isinstance(values, Mapping):
            values = values.get(step)
        elif isinstance(values, list) and step.isdigit() and int(step) < len(values):
            values = values[int(step)]
        else:
            return None
    return values


def _texts(place: tuple[str, ...], value: object) -> Iterator[tuple[tuple[str, ...], str]]:
    """Texts with links at or below `place`, with their places."""
    if isinstance(value, str) and "${" in value:
        yield place, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts((*place, str(key)), each)
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _texts((*place, str(i)), each)


def _steps(key: str) -> tuple[str, ...]:
    return tuple(step for step in re.split(r"[.\[\]'\"]+", key) if step)


def _dotted(place: tuple[str, ...]) -> str:
    """`figures[0].line` for its steps."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", ".".join(place))
