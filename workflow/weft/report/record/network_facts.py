"""The networks that a page compares, and the facts of each: a row for each in a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weft.analysis.networks.facts import Bound, NetworkFacts
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.report import Prices
from weft.report.data.settings import VARIANT, independent, of_networks
from weft.report.data.source import Row, Study
from weft.report.data.units import quantity, series_label, short
from weft.report.record.wired_networks import WiredNetworks

MAX_ROWS = 24
_NOTHING = "–"
#: Keys of a topology that say how packets go, not what the network is.
_OF_ROUTES = frozenset({"routing", "ties", "root"})
#: What is said of a link in numbers; buffers and packets are no facts of a network.
_OF_LINKS = {"bandwidth_bytes_per_s": "Link rate", "latency_s": "Latency", "hop_latency_s": "Hop"}
_UNITS = {"bandwidth_bytes_per_s": "B/s", "latency_s": "s", "hop_latency_s": "s"}
_SIGNS: Mapping[Bound, str] = {"exact": "", "at_most": "≤ ", "at_least": "≥ ", "about": "≈ "}


@dataclass(frozen=True, slots=True)
class NetworkTable:
    """A table with a row for each network: its name, and a cell for each of `columns`.

    `left` counts the networks beyond the first MAX_ROWS. Empty where a page has fewer than two, or
    nothing is known of any.
    """

    columns: Sequence[str] = ()
    rows: Sequence[tuple[str, Sequence[str]]] = ()
    notes: Sequence[str] = ()
    left: int = 0


@dataclass(frozen=True, slots=True)
class PlannedNetwork:
    """A network of a plan: its topology and links, and the places of its points in
    `Study.distinct`."""

    topology: Row
    links: Row
    places: list[int] = field(default_factory=list)

    @property
    def failed(self) -> Row:
        """What failed: counts or names."""
        found: Row = self.topology.get("failed") or {}
        return found

    def failures(self, what: str) -> int:
        """How many links or switches failed, those that a cut switch takes along not counted."""
        said = self.failed.get(what) or 0
        return said if isinstance(said, int) else len(said)


def network_table(study: Study) -> NetworkTable:
    """The facts of the networks whose points the page shows, in the order of the plan."""
    networks = planned_networks(study)
    if len(networks) < 2:
        return NetworkTable()
    labels = _labels(study, networks)
    wired = WiredNetworks(study)
    shown = networks[:MAX_ROWS]
    facts = [wired.facts(each.topology, each.places) for each in shown]
    if all(each.nodes is None for each in facts):
        return NetworkTable()
    prices = study.plan.report.prices
    cells = [_cells(of, found, prices) for of, found in zip(shown, facts, strict=True)]
    # What no network of the page has, and what all have alike beyond the facts, is left out.
    varying = {
        name for key, name in _OF_LINKS.items() if len({of.links.get(key) for of in networks}) > 1
    }
    optional = {*_OF_LINKS.values(), "Cost"}
    wanted = {*varying, *(["Cost"] if prices else [])}
    columns = [name for name in cells[0] if name not in optional or name in wanted]
    rows = [
        (label, [each[name] for name in columns])
        for label, each in zip(labels, cells, strict=False)
    ]
    notes = _notes(columns, cells, facts, prices)
    return NetworkTable(columns, rows, [*notes, *wired.notes], len(networks) - len(rows))


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
        links = {key: given[key] for key in _OF_LINKS if given.get(key) is not None}
        key = json.dumps([{**built, "file": None}, links], sort_keys=True)
        found.setdefault(key, PlannedNetwork(built, links)).places.extend(own)
    return list(found.values())


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


def _labels(study: Study, networks: Sequence[PlannedNetwork]) -> list[str]:
    """The names of networks as those of series: by variant where that tells them apart, or else by
    the settings that do."""
    settings = [study.settings[each.places[0]] for each in networks]
    variants = [{study.settings[place].get(VARIANT) for place in of.places} for of in networks]
    names = [next(iter(own)) for own in variants if len(own) == 1]
    if None not in names and len({*names}) == len(networks):
        return [str(name) for name in names]
    keys = [
        key for key in study.swept
        if of_networks(key) and key.rpartition(".")[2] not in _OF_ROUTES
    ]  # fmt: skip
    named = independent(settings, keys, ())
    return [series_label(named, row, study.scales) for row in settings]


def _cells(of: PlannedNetwork, facts: NetworkFacts, prices: Prices | None) -> dict[str, str]:
    halves, distances = facts.halves, facts.distances
    share = None if halves is None else halves_share(of.topology, facts)
    return {
        "Nodes": _count(facts.nodes),
        "Switches": _with_failures(facts.switches, of.failures("switches")),
        "Node cables": _count(facts.node_cables),
        "Switch cables": _with_failures(facts.switch_cables, of.failures("links")),
        "Ports": _count(facts.ports),
        "Bisection": _NOTHING if halves is None else _bound(halves.links, halves.links_are),
        "of full": _NOTHING if halves is None or share is None
        else f"{_SIGNS[halves.links_are]}{share:.0%}",
        "Diameter": _NOTHING if distances is None
        else _bound(distances.longest, distances.longest_is),
        "Mean distance": _NOTHING if distances is None
        else f"{_SIGNS[distances.mean_is]}{distances.mean:.2f}",
        **{name: quantity(of.links.get(key), _UNITS[key]) for key, name in _OF_LINKS.items()},
        "Cost": _NOTHING if prices is None else _cost(facts, prices),
    }  # fmt: skip


def halves_share(topology: Mapping[str, object], facts: NetworkFacts) -> float | None:
    """The share of full bisection; None where links of several speeds may cross the cut."""
    halves, taper = facts.halves, float(str(topology.get("taper") or 1))
    if halves is None or topology.get("links"):
        return None
    entry = next((e for e in CATALOGUE.topologies if e.kind == topology["kind"]), None)
    if entry is None or taper == 1:
        return halves.share({})
    if {each.name.partition("/")[0] for each in entry.classes} <= {*entry.tapered}:
        return halves.share({}, 1 / taper)
    return halves.share(dict.fromkeys(entry.tapered, 1 / taper)) if halves.by_class else None


def _cost(facts: NetworkFacts, prices: Prices) -> str:
    if facts.switches is None or facts.all_ports is None:
        return _NOTHING
    cables = (facts.node_cables or 0) * prices.of_node_cable
    cables += (facts.switch_cables or 0) * prices.cable
    return short(facts.switches * prices.switch + facts.all_ports * prices.port + cables)


def _count(number: int | None) -> str:
    return _NOTHING if number is None else f"{number:,}"


def _bound(number: int, bound: Bound) -> str:
    return f"{_SIGNS[bound]}{number:,}"


def _with_failures(number: int | None, failed: int) -> str:
    return f"{_count(number)}, {failed:,} failed" if failed else _count(number)


def _notes(
    columns: Sequence[str],
    cells: Sequence[Mapping[str, str]],
    facts: Sequence[NetworkFacts],
    prices: Prices | None,
) -> list[str]:
    """What the numbers mean."""
    notes = [
        "Ports: cable ends at the largest switch. Bisection: links, each way, between two halves of"
        " the nodes; 100% of full is one at node speed for each node of a half. Diameter and mean"
        " distance: links between switches on shortest ways between two nodes."
    ]
    signs = {
        "≤": "an upper bound (bisection: the best cut tried)",
        "≥": "a lower bound",
        "≈": "the mean from a sample of switches",
    }
    used = "".join(each[name] for each in cells for name in columns)
    said = [f"{sign}: {meaning}" for sign, meaning in signs.items() if sign in used]
    if said:
        notes.append(f"{'; '.join(said)}.")
    if any(each.one_way for each in facts):
        notes.append("Cables of stages lead one way, and each has ports of its own.")
    if prices is not None:
        notes.append(f"Cost, as the experiment prices it: {prices.words()}, what failed included.")
    return notes
