"""Points whose packets could deadlock, refused by what the catalogue says of their routings."""

from __future__ import annotations

from collections.abc import Iterator

from weft.config.model.catalogue import CATALOGUE, TopologyEntry
from weft.config.model.declaration import EngineFile, Refusal, VirtualChannels
from weft.config.model.failures import AROUND

PER_DESTINATION = "per_destination"


def deadlock_refusals(file: EngineFile) -> list[Refusal]:
    """Rules that refuse points with too few virtual channels for an engine that has them."""
    keys = file.virtual_channels
    if keys is None:
        return []
    section, _, name = keys.count.rpartition(".")
    option = file.options.get(name) if section == "options" else None
    found = [
        each
        for place, when in _places(keys, option.default if option else None)
        for entry in CATALOGUE.topologies
        for each in _of_topology(entry, place, when)
    ]
    if option and PER_DESTINATION in (option.allowed or ()):
        found += _by_destination(keys)
    return found


def _places(keys: VirtualChannels, default: object) -> Iterator[tuple[VirtualChannels, str]]:
    """The keys of points by who says how many there are, with the condition of each.

    Where the network has their number and the option is not its default, the option counts: of
    lists and traffic, since engines refuse such programs.
    """
    if keys.count_of_network is None:
        yield keys, ""
        return
    of_network = VirtualChannels(
        count=keys.count_of_network, ring_classes=keys.ring_classes_of_network
    )
    yield keys, f"{keys.count_of_network} == null and "
    if default is None:
        yield of_network, ""
        return
    yield of_network, f"{keys.count} == {default} and "
    by_hand = f"{keys.count_of_network} != null and {keys.count} != {default} and "
    yield VirtualChannels(count=keys.count), by_hand


def _of_topology(entry: TopologyEntry, keys: VirtualChannels, when: str) -> Iterator[Refusal]:
    anyhow = kind = f"topology.kind == {entry.kind}"
    if not entry.has_routing_key:
        # Routings of graphs have virtual layers instead.
        anyhow = kind = f"{kind} and topology.routing == null"
    kind = f"{when}{kind}"
    plain = f"a {entry.kind.replace('_', ' ')}"
    for classes, each in dict.fromkeys((one.classes, one.each) for one in entry.routings):
        names = [one.name for one in entry.routings if (one.classes, one.each) == (classes, each)]
        chosen = f" and topology.routing in [{', '.join(names)}]" if entry.has_routing_key else ""
        words = f" with {' or '.join(names)}" if entry.has_routing_key else ""
        if classes > 1:
            yield Refusal(
                when=f"{kind}{chosen} and {keys.count} < {classes}",
                because=f"{plain}{words} needs at least {classes} virtual channels, {each}",
            )
        if keys.unless_given is not None and classes > keys.unless_given:
            yield Refusal(
                when=f"{keys.count} == null and {kind}{chosen}",
                because=f"{plain}{words} needs at least {classes} virtual channels, {each}; there "
                f"are {keys.unless_given} unless {keys.count} says otherwise",
            )
    for way in entry.ring_classes if keys.ring_classes else ():
        others = " or ".join(one.name for one in entry.ring_classes if one.multiple_of == 1)
        fewest, key = max(one.classes for one in entry.routings), str(keys.ring_classes)
        number = "an even number" if way.multiple_of == 2 else f"a multiple of {way.multiple_of}"
        if way.multiple_of > 1:
            yield Refusal(
                when=f"{kind} and {key} == {way.name} and {keys.count} > {fewest} and "
                f"{keys.count} % {way.multiple_of} != 0",
                because=f"{key.rpartition('.')[2]} {way.name} {way.meaning}; use {number}, "
                f"or {others}",
            )
    for one in entry.routings if keys.own_buffers else ():
        if one.needs_own_buffers:
            yield Refusal(
                when=f"{anyhow} and topology.routing == {one.name} and {keys.own_buffers} == false",
                because=f"{one.name} can deadlock when two packets share a buffer; set "
                f"{str(keys.own_buffers).rpartition('.')[2]}",
            )


def _by_destination(keys: VirtualChannels) -> Iterator[Refusal]:
    kinds = [entry.kind for entry in CATALOGUE.topologies if entry.per_destination]
    yield Refusal(
        when=f"topology.kind not in [{', '.join(kinds)}] and {keys.count} == {PER_DESTINATION}",
        because=f"{PER_DESTINATION} is for a {' or a '.join(kinds)}; give a number here",
    )
    yield Refusal(
        when=f"topology.kind in [{', '.join(kinds)}] and topology.routing in [{', '.join(AROUND)}] "
        f"and {keys.count} == {PER_DESTINATION}",
        because=f"{PER_DESTINATION} is for their own routing; give a number here",
    )
