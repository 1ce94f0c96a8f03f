"""The networks that a plan asks about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from weft.report.data.settings import VARIANT, independent, of_networks
from weft.report.data.source import Row, Study
from weft.report.data.units import series_label, value_label

#: Keys of a topology that say how packets go, not what the network is.
_OF_ROUTES = frozenset({"routing", "ties", "root"})
#: What tells links of networks apart; buffers and packets are no facts of a network.
OF_LINKS = ("bandwidth_bytes_per_s", "latency_s", "hop_latency_s")


@dataclass(frozen=True, slots=True)
class PlannedNetwork:
    """A network of a plan: its topology, all settings of its links, and the places of its points
    in `Study.distinct`."""

    topology: Row
    links: list[Row] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    @property
    def key(self) -> str:
        """What it is as text; equal networks of several plans have equal ones."""
        return json.dumps([_identity(self.topology), self.links], sort_keys=True)

    @property
    def failed(self) -> Row:
        """What failed: counts or names."""
        found: Row = self.topology.get("failed") or {}
        return found

    def failures(self, what: str) -> int:
        """How many links or switches failed, those that a cut switch takes along not counted."""
        said = self.failed.get(what) or 0
        return said if isinstance(said, int) else len(said)


def planned_networks(study: Study) -> list[PlannedNetwork]:
    """The distinct networks of the plan, in its order; a measurement names none."""
    points = study.distinct
    texts = {part: points.texts(part) for part in ("topology", "network")}
    codes = zip(*(points.codes(part).tolist() for part in texts), strict=True)
    places: dict[tuple[int, int], list[int]] = {}
    for place, pair in enumerate(codes):
        places.setdefault(pair, []).append(place)
    found: dict[str, PlannedNetwork] = {}
    for (topology, network), own in places.items():
        built = _built(_decoded(texts["topology"], topology))
        if not built:
            continue
        given = _decoded(texts["network"], network)
        links = {key: given[key] for key in OF_LINKS if given.get(key) is not None}
        key = json.dumps(_identity(built), sort_keys=True)
        known = found.setdefault(key, PlannedNetwork(built))
        known.places.extend(own)
        if links not in known.links:
            known.links.append(links)
    return list(found.values())


def network_keys(study: Study) -> list[str]:
    """The swept keys that say what a network is, not how packets go in it."""
    return [
        key for key in study.swept
        if of_networks(key) and key.rpartition(".")[2] not in _OF_ROUTES
    ]  # fmt: skip


def _identity(topology: Row) -> Row:
    """Without the name of its file, whose digest says what is in it, and the choice of rails."""
    return {key: value for key, value in topology.items() if key not in ("file", "rails")}


def _decoded(texts: Sequence[str], code: int) -> Row:
    """A part of a spec; nothing where points lack it."""
    found: Row | None = json.loads(texts[code]) if code >= 0 else None
    return found or {}


def _built(topology: Row) -> Row:
    """What a topology is without its routes; nothing of a measurement, which names none."""
    if not topology.get("kind"):
        return {}
    built = {key: value for key, value in topology.items() if key not in _OF_ROUTES}
    failed = built.pop("failed", None) or {}
    gone = {what: failed[what] for what in ("links", "switches") if failed.get(what)}
    return {**built, "failed": gone} if gone else built


def network_labels(study: Study, networks: Sequence[PlannedNetwork]) -> list[str]:
    """The names of networks as those of series: by variant where that tells them apart, or else by
    the settings that do."""
    if len(networks) == 1:
        return [value_label("topology.kind", networks[0].topology["kind"])]
    settings = [study.settings[each.places[0]] for each in networks]
    variants = [{study.settings[place].get(VARIANT) for place in of.places} for of in networks]
    names = [next(iter(own)) for own in variants if len(own) == 1]
    if None not in names and len({*names}) == len(networks):
        return [str(name) for name in names]
    named = independent(settings, network_keys(study), ())
    return [series_label(named, row, study.scales) for row in settings]
