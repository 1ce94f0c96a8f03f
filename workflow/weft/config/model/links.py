"""Links of a topology that are not as its network says, and the names by which they are chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from weft.config.language.errors import nearest, unknown
from weft.config.language.formula import Values, value_of
from weft.config.language.quantities import Delay, Rate
from weft.config.language.section import Settings, SpecName
from weft.config.model.catalogue import ChannelClass, TopologyEntry

#: Classes of links of nodes, of every topology: to routers, and from routers.
OF_NODES = ("injection", "ejection")
_CLASSES = (
    ChannelClass(name=f"{OF_NODES[0]}/*", below=["nodes"]),
    ChannelClass(name=f"{OF_NODES[1]}/*", below=["nodes"]),
)
#: A link is at most so many times slower than the network.
_MOST = 1_000_000
_WORDS = {"type": "array", "items": {"type": "string"}, "minItems": 1}

Slower = Annotated[float, Field(ge=1, le=_MOST)]


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


class LinkEntry(Settings):
    """Links that are not as the network says: faster, slower, longer."""

    channels: Annotated[
        list[str],
        BeforeValidator(_several),
        Field(min_length=1),
        WithJsonSchema({"anyOf": [{"type": "string"}, _WORDS]}),
    ]
    """Which: classes of channels like `up`, `global`, `x+`, `injection`, or names of channels like
    `global/3/0`, as the table `links` prints them; one or a list. A name overrides a class."""
    bandwidth: Annotated[Rate | None, SpecName("bandwidth_bytes_per_s")] = None
    """What each of them carries per second; as the network unless given."""
    slower: Slower | None = None
    """Instead of a bandwidth: how many times less than the network each of them carries."""
    latency: Annotated[Delay | None, SpecName("latency_s")] = None
    """Latency of each of them; as the network unless given."""

    @model_validator(mode="after")
    def _says_something(self) -> LinkEntry:
        if self.bandwidth is not None and self.slower is not None:
            raise ValueError("bandwidth and slower exclude each other; give one of them")
        if self.bandwidth is None and self.slower is None and self.latency is None:
            raise ValueError("give a bandwidth, slower or a latency")
        return self


def link_problem(
    entry: TopologyEntry, values: Values, links: Sequence[LinkEntry], taper: float
) -> str | None:
    """What is wrong with the names in `links`, on a topology with these keys; None if nothing."""
    classes = dict(_classes(entry, values))
    tapered = entry.tapered if taper != 1 else []
    return _first_problem(
        links,
        lambda word: _problem(word, classes),
        dict.fromkeys(tapered, f"; taper {taper:g} names it, too"),
    )


def graph_link_problem(
    classes: Set[str], names: Collection[str], ends: int, links: Sequence[LinkEntry]
) -> str | None:
    """The same on a graph whose channels between switches have these classes and names, and which
    has so many links of nodes."""
    known, own = {*classes, *names}, {each: [ends] for each in OF_NODES}

    def problem(word: str) -> str | None:
        if word in known:
            return None
        if word.partition("/")[0] in own:
            return _problem(word, own)
        guess, all_classes = nearest(word, [*classes, *names]), ", ".join([*own, *sorted(classes)])
        return f"the graph has no channel '{word}'{guess or ';'} classes are {all_classes}"

    return _first_problem(links, problem, {})


def _first_problem(
    links: Sequence[LinkEntry],
    problem_of: Callable[[str], str | None],
    named: Mapping[str, str],
) -> str | None:
    """The first name that is wrong or stands twice; some are `named` already, with a remark."""
    seen = dict(named)
    for i, word in ((i, word) for i, link in enumerate(links) for word in link.channels):
        if problem := problem_of(word):
            return f"in entry {i + 1}, {problem}"
        if word in seen:
            return f"in entry {i + 1}, '{word}' is named twice{seen[word]}"
        seen[word] = ""
    return None


def name_problem(entry: TopologyEntry, values: Values, word: str) -> str | None:
    """What is wrong with the name of a class or of a channel; None if nothing."""
    return _problem(word, dict(_classes(entry, values)))


def _classes(entry: TopologyEntry, values: Values) -> Iterator[tuple[str, list[int]]]:
    """Every class, and below which the numbers in the names of its channels are."""
    for each in chain(_CLASSES, entry.classes):
        if each.positive is not None and value_of(each.positive, values) <= 0:
            continue
        below = [value_of(formula, values) for formula in each.below]
        name = each.name.partition("/")[0]
        if "*" in name:
            numbers = range(each.least, below[0])
            yield from ((name.replace("*", str(number)), below[1:]) for number in numbers)
        elif min(below) > 0:
            yield name, below


def _problem(word: str, classes: dict[str, list[int]]) -> str | None:
    name, *numbers = word.split("/")
    if name not in classes:
        return unknown("class of channels", name, classes)
    below = classes[name]
    if not numbers or (len(numbers) == len(below) and all(map(_is_below, numbers, below))):
        return None
    last = "/".join([name, *(str(most - 1) for most in below)])
    return f"there is no channel '{word}': they are {name}{'/0' * len(below)} to {last}"


def _is_below(text: str, most: int) -> bool:
    return text.isdecimal() and int(text) < most


def specs(links: Sequence[LinkEntry]) -> list[dict[str, object]]:
    """As a point's spec holds them."""
    return [link.spec() for link in links]
