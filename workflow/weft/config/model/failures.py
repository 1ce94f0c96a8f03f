"""Links and switches of a topology that failed: how many, or which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Discriminator, Field, Tag, WithJsonSchema, model_validator

from weft.config.language.formula import Values
from weft.config.language.section import Settings
from weft.config.model.catalogue import CATALOGUE, TopologyEntry
from weft.config.model.links import OF_NODES, name_problem

_GRAPH = next(entry for entry in CATALOGUE.topologies if any(k.type == "file" for k in entry.keys))
#: Routings that go round failures: those of graphs whose routes no file gives.
AROUND = tuple(each.name for each in _GRAPH.routings if each.name != "table")

#: The kind of topologies that files describe.
GRAPH = _GRAPH.kind

Count = Annotated[int, Field(ge=0)]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
_COUNT_OR_NAMES = WithJsonSchema({"type": ["integer", "array"], "minimum": 0})
#: Whether a mistake is one of a count or of a list of names.
_BY_KIND = Discriminator(lambda given: "list" if isinstance(given, list) else "int")


class Failed(Settings):
    """Links and switches that carry nothing. Packets go round them."""

    links: Annotated[
        Annotated[Count, Tag("int")] | Annotated[list[str | Pair], Tag("list")],
        _BY_KIND,
        _COUNT_OR_NAMES,
    ] = 0
    """How many links between switches, drawn by the seed; or which: names of channels as the table
    `links` prints them, whose cables fail in both directions. On a graph also pairs of switches,
    between which all links fail."""
    switches: Annotated[
        Annotated[Count, Tag("int")] | Annotated[list[int | str], Tag("list")],
        _BY_KIND,
        _COUNT_OR_NAMES,
    ] = 0
    """How many switches without nodes, drawn by the seed; or which: names, on topologies of the
    catalogue numbers of routers."""
    seed: Annotated[int, Field(ge=0)] | None = None
    """Decides what is drawn; the seed of the point unless given. More failures of the same seed
    contain fewer."""

    @property
    def links_drawn(self) -> int:
        """How many links are drawn."""
        return self.links if isinstance(self.links, int) else 0

    @property
    def links_named(self) -> list[str | list[str]]:
        """Links by their names."""
        return [] if isinstance(self.links, int) else self.links

    @property
    def switches_drawn(self) -> int:
        """How many switches are drawn."""
        return self.switches if isinstance(self.switches, int) else 0

    @property
    def switches_named(self) -> list[int | str]:
        """Switches by their names or numbers."""
        return [] if isinstance(self.switches, int) else self.switches

    @model_validator(mode="after")
    def _named_once(self) -> Failed:
        for key, values in (("links", self.links_named), ("switches", self.switches_named)):
            texts = [str(each) for each in values]
            if len(texts) != len({*texts}):
                raise ValueError(f"{key} names {_twice(texts)} twice")
        return self


def routing_problem(routing: object) -> str | None:
    """What is wrong with failures beside this routing; None if nothing."""
    if routing in AROUND:
        return None
    written = f"routing {routing}" if routing else "the topology's own routing"
    return f"{written} cannot go round failures; topology.routing must be {_listed(AROUND)}"


def catalogue_problem(entry: TopologyEntry, values: Values, failed: Failed) -> str | None:
    """What is wrong with the names of failures on a topology with these keys."""
    for name in failed.links_named:
        if not isinstance(name, str):
            return f"links names the pair {name}; here, names of channels like those in `links`"
        if name.partition("/")[0] in OF_NODES or "/" not in name:
            return f"links names '{name}', must be a channel between routers, like {_like(entry)}"
        if problem := name_problem(entry, values, name):
            return f"links: {problem}"
    for number in failed.switches_named:
        if not isinstance(number, int) or number < 0:
            return f"switches names '{number}', must be numbers of routers from 0"
    return None


def _like(entry: TopologyEntry) -> str:
    first = next(iter(entry.classes), None)
    return first.name.replace("*", "0") if first else "none: it has none"


def _twice(texts: Sequence[str]) -> str:
    return next(text for place, text in enumerate(texts) if text in texts[:place])


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
