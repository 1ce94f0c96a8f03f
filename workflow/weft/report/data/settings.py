"""Settings of points: which distinguish places, and which pass a filter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from weft.analysis.comparison import canonical

#: The name that the report's `variants` give to a point.
VARIANT = "variant"


def follows(chosen: Sequence[Mapping[str, object]], key: str, others: Sequence[str]) -> bool:
    """Whether `key` has one value for each setting of `others`, as zipped axes have."""
    wide = {(place(s, others), repr(s.get(key))) for s in chosen}
    return len(wide) == len({at for at, _ in wide})


def independent(
    chosen: Sequence[Mapping[str, object]], keys: Iterable[str], known: Iterable[str]
) -> tuple[str, ...]:
    """Those of `keys` that follow neither from `known` nor from each other.

    Kinds come first, and stay: a torus is called so where its sizes alone would tell it apart.
    """
    kept = list(dict.fromkeys(known))
    first = len(kept)
    for key in sorted(keys, key=is_kind, reverse=True):
        if not follows(chosen, key, kept):
            kept.append(key)
    # A key may follow from one that is swept behind it, as arguments do from a program.
    for key in kept[first:]:
        others = [each for each in kept if each != key]
        if not is_kind(key) and follows(chosen, key, others):
            kept = others
    return tuple(kept[first:])


def is_kind(key: str) -> bool:
    """Whether the values of `key` are kinds of networks."""
    return key in ("topology", "topology.kind")


def place(row: Mapping[str, object], keys: Iterable[str]) -> tuple[str, ...]:
    """What distinguishes groups of answers."""
    return tuple(repr(canonical(row.get(key))) for key in keys)


def several(value: object) -> list[object]:
    """The values of a filter, which may be one or a list; that may be one value itself."""
    return [*value, value] if isinstance(value, list | tuple) else [value]


def admits(wanted: object, value: object) -> bool:
    """Whether `value` is what a filter wants, or one of what it wants."""
    return canonical(plain(value)) in {canonical(plain(each)) for each in several(wanted)}


def optional(key: str) -> bool:
    """Whether a filter on `key` leaves points alone that have no such setting."""
    return key == VARIANT or key.startswith("options.")


def of_networks(key: str) -> bool:
    """Whether a filter on `key` leaves measurements alone: a machine has the network it has."""
    return key.partition(".")[0] in ("topology", "network")


def plain(value: object) -> object:
    """`value` as columns hold it: lists as JSON, truth in lower case."""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, sort_keys=True)
    return str(value).lower() if isinstance(value, bool) else value
