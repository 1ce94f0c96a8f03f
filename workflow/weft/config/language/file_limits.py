"""What a configuration file may hold, so that none of them makes weft hang, overflow or end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import cast

import yaml

from weft.config.language.errors import Problem
from weft.config.language.yaml_loader import LOADER
from weft.config.language.yaml_words import TAG, TEXT_TAG, Misread, control_problem

#: A larger file is no configuration.
MOST_CHARACTERS = 4_000_000
#: Keys and values of a file, those that an alias repeats counted each time.
MOST_NODES = 100_000
MOST_DEPTH = 50
#: The largest whole number that tables and simulators hold.
MOST_INTEGER = 2**63 - 1


def check_yaml(text: str) -> None:
    """Look for aliases that grow without end, before anything follows them.

    Raises yaml.YAMLError where a text is too large, too deep, holds itself, or has a tag.
    """
    if len(text) > MOST_CHARACTERS:
        raise yaml.YAMLError(f"more than {MOST_CHARACTERS:,} characters")
    sizes: dict[str, int] = {}
    #: Sections and lists that are open, each with its anchor and what it holds until now.
    opened: list[tuple[str | None, int]] = [(None, 0)]
    merges = _Merges()
    for event in yaml.parse(text, Loader=LOADER):
        _check_tag(event)
        merges.see(event)
        if isinstance(event, yaml.CollectionStartEvent):
            opened.append((event.anchor, 1))
            if len(opened) > MOST_DEPTH:
                raise _mistake(event, f"sections are nested more than {MOST_DEPTH} deep")
            continue
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in opened):
                raise _mistake(event, f"*{event.anchor} stands inside the section that it repeats")
            size = sizes.get(str(event.anchor), 1)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size = opened.pop()
            if anchor is not None:
                sizes[anchor] = size
        elif isinstance(event, yaml.ScalarEvent):
            size = 1
        else:
            continue
        anchor, held = opened[-1]
        opened[-1] = (anchor, held + size)
        if held + size > MOST_NODES:
            raise _mistake(event, f"more than {MOST_NODES:,} keys and values, aliases expanded")


class _Merges:
    """Looks for a section with two keys `<<`, of which a reader of YAML takes one in silence."""

    def __init__(self) -> None:
        #: Of what is open: whether it is a section, the nodes in it, and whether one was `<<`.
        self._opened: list[list[int]] = []

    def see(self, event: yaml.Event) -> None:
        """Raises yaml.YAMLError for the second one."""
        if isinstance(event, yaml.CollectionEndEvent):
            self._opened.pop()
        if not isinstance(event, yaml.NodeEvent):
            return
        if self._opened:
            section, count, merges = self._opened[-1]
            if section and count % 2 == 0 and _is_merge(event):
                if merges:
                    raise _mistake(event, "a section has two keys <<: write one, as <<: [*a, *b]")
                self._opened[-1][2] = 1
            self._opened[-1][1] += 1
        if isinstance(event, yaml.CollectionStartEvent):
            self._opened.append([isinstance(event, yaml.MappingStartEvent), 0, 0])


def _is_merge(event: yaml.Event) -> bool:
    """Whether the event is the word << without quotes."""
    return isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style


def _check_tag(event: yaml.Event) -> None:
    """Raises Misread for a tag: constructors of YAML fail in many ways where a value is not of it,
    and make dates and sets, which no key takes."""
    tag = getattr(event, "tag", None)
    if tag in (None, "!", TEXT_TAG):
        return
    written = str(tag).replace(TAG, "!!")
    message = f"there is a tag, {written}: write the value without it, a text in quotes"
    raise Misread(problem=message, problem_mark=cast("yaml.Mark", event.start_mark))


def _mistake(event: yaml.Event, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=cast("yaml.Mark", event.start_mark))


def value_problems(value: object, key: str = "") -> Iterator[Problem]:
    """Numbers that tables cannot hold, larger than 64 bits, infinite, or not a number; and texts
    that neither terminals nor pages can show."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if control_problem(str(name)):
                yield from value_problems(str(name), key)
            else:
                yield from value_problems(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from value_problems(inner, f"{key}[{i}]")
    elif isinstance(value, int) and abs(value) > MOST_INTEGER:
        yield Problem(key, f"{_shown(value)} is too large; {_LARGEST}")
    elif isinstance(value, float) and not isfinite(value):
        yield Problem(key, f"{value} is not a finite number")
    elif isinstance(value, str) and (wrong := control_problem(value)):
        yield Problem(key, wrong)


_LARGEST = f"whole numbers are at most {MOST_INTEGER}"


def _shown(value: int) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:10]}… ({len(text)} digits)"
