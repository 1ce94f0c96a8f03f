"""The networks that a page compares, and the facts of each: a row for each in a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.networks.facts import Bound, NetworkFacts
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.report import Prices
from weft.report.data.source import Study
from weft.report.data.units import quantity, short
from weft.report.record.planned_networks import (
    OF_LINKS,
    PlannedNetwork,
    network_labels,
    planned_networks,
)
from weft.report.record.wired_networks import WiredNetworks

MAX_ROWS = 24
_NOTHING = "–"
_OF_LINKS = dict(zip(OF_LINKS, ("Link rate", "Latency", "Hop latency"), strict=True))
#: Columns that not every table has.
_OPTIONAL = {*_OF_LINKS.values(), "Cost"}
_UNITS = dict(zip(OF_LINKS, ("B/s", "s", "s"), strict=True))
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


def network_table(study: Study) -> NetworkTable:
    """The facts of the networks whose points a page shows, in the order of the plan."""
    networks = planned_networks(study)
    labels = network_labels(study, networks)
    return _table([(study, of, name) for of, name in zip(networks, labels, strict=True)])


def networks_side_by_side(studies: Mapping[str, Study]) -> NetworkTable:
    """The same of several plans with these names; what only one of them has, bears its name."""
    planned = {name: planned_networks(study) for name, study in studies.items()}
    shared = Counter(of.key for networks in planned.values() for of in networks)
    labels: dict[str, str] = {}
    # A plan of one network has no name for it; one of several has.
    for name in sorted(planned, key=lambda name: len(planned[name])):
        networks = planned[name]
        for of, label in zip(networks, network_labels(studies[name], networks), strict=True):
            labels[of.key] = label if shared[of.key] > 1 else f"{label} · {name}"
    found = {of.key: (studies[name], of) for name in reversed(planned) for of in planned[name]}
    first = dict.fromkeys(of.key for networks in planned.values() for of in networks)
    return _table([(*found[key], labels[key]) for key in first])


def _table(named: Sequence[tuple[Study, PlannedNetwork, str]]) -> NetworkTable:
    if sum(len(of.links) for _, of, _ in named) < 2:
        return NetworkTable()
    wired = {id(study): WiredNetworks(study) for study, _, _ in named}
    shown = named[:MAX_ROWS]
    facts = [wired[id(study)].facts(of.topology, of.places) for study, of, _ in shown]
    if all(each.nodes is None for each in facts):
        return NetworkTable()
    prices = next((p for study, _, _ in named if (p := study.plan.report.prices)), None)
    cells = [_cells(of, found, prices) for (_, of, _), found in zip(shown, facts, strict=True)]
    # What no page asks for, and what links of all networks have alike, is left out.
    asked = {
        name for key, name in _OF_LINKS.items()
        if len({links.get(key) for _, of, _ in named for links in of.links}) > 1
    } | ({"Cost"} if prices else set())  # fmt: skip
    columns = [name for name in cells[0] if name not in _OPTIONAL or name in asked]
    rows = [
        (label, [each[name] for name in columns])
        for (_, _, label), each in zip(shown, cells, strict=True)
    ]
    looked = dict.fromkeys(note for each in wired.values() for note in each.notes)
    notes = [*_notes(columns, cells, facts, prices), *looked]
    if prices is not None and any(of.topology.get("taper") for _, of, _ in shown):
        notes.append("A taper makes links slower and leaves none out, so it changes no cost.")
    return NetworkTable(columns, rows, notes, len(named) - len(rows))


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
        **{name: _of_links(of, key) for key, name in _OF_LINKS.items()},
        "Cost": _NOTHING if prices is None else _cost(facts, prices),
    }  # fmt: skip


def _of_links(of: PlannedNetwork, key: str) -> str:
    """The value of all links, or the range of several settings."""
    values = sorted({float(links[key]) for links in of.links if key in links})
    if not values:
        return _NOTHING
    ends = dict.fromkeys(quantity(value, _UNITS[key]) for value in (values[0], values[-1]))
    return " to ".join(ends)


def halves_share(topology: Mapping[str, object], facts: NetworkFacts) -> float | None:
    """The share of full bisection; None where links of several speeds may cross the cut."""
    halves, taper = facts.halves, float(str(topology.get("taper") or 1))
    if halves is None or not halves.alike or topology.get("links"):
        return None
    entry = next((e for e in CATALOGUE.topologies if e.kind == topology["kind"]), None)
    if entry is None or taper == 1:
        return halves.share({})
    if {each.name.partition("/")[0] for each in entry.classes} <= {*entry.tapered}:
        return halves.share({}, 1 / taper)
    return halves.share(dict.fromkeys(entry.tapered, 1 / taper)) if halves.by_class else None


def network_cost(facts: NetworkFacts, prices: Prices) -> float | None:
    """What the parts of a network cost together; None where its parts are not known."""
    if facts.switches is None or facts.all_ports is None:
        return None
    cables = (facts.node_cables or 0) * prices.of_node_cable
    cables += (facts.switch_cables or 0) * prices.cable
    return facts.switches * prices.switch + facts.all_ports * prices.port + cables


def _cost(facts: NetworkFacts, prices: Prices) -> str:
    cost = network_cost(facts, prices)
    return _NOTHING if cost is None else short(cost)


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
        "Ports: cable ends at the largest switch. Bisection: fewest links, each way, between"
        " halves of the nodes; 100% of full is one at node speed for each node of a half."
        " Diameter and mean distance: links between switches on shortest ways between two nodes."
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
        notes.append("Where cables lead one way, each of them has ports of its own.")
    if prices is not None:
        notes.append(f"Cost, as the experiment prices it: {prices.words()}, what failed included.")
    return notes
