"""The question `price`: what more of a network's cost gives, by the prices of the experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import geometric_mean

from weft.analysis.findings import Value, on_common_draws
from weft.report.answers.grid import GridCell, GridPlace, ValueGrid, grid
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.answers.wording import headed
from weft.report.data.metrics import Metric
from weft.report.data.settings import place
from weft.report.data.settings_in_words import lowered
from weft.report.data.source import Study
from weft.report.data.units import factor, listing, short
from weft.report.record.network_facts import network_cost
from weft.report.record.planned_networks import network_keys, network_labels, planned_networks
from weft.report.record.wired_networks import WiredNetworks


@dataclass(frozen=True, slots=True)
class PricedNetwork:
    """What a network costs, and the metric at each place as a share of that of the cheapest one."""

    name: str
    cost: float
    shares: tuple[float, ...]

    @property
    def share(self) -> float:
        """The geometric mean of the shares."""
        return geometric_mean(self.shares)


@dataclass(frozen=True, slots=True)
class PriceAsk(SeriesAsk):
    """Which network gives most for its price, and what it costs and gives beside the cheapest."""

    def sentences(self, page: PageSources) -> list[str]:
        """A sentence for each value of the keys `each`; none without prices, or where fewer than
        two costs are known."""
        study, metric = page.study, page.study.metrics[self.of]
        if study.plan.report.prices is None or metric.direction == "neutral":
            return []
        every = grid(study, self.of, self.wheres, self.each)
        if not every.cells:
            return []
        values, costs, whose = every.nearest(), _costs(study), every.whose(self)
        each = values.varying(self.each)
        groups: dict[GridPlace, list[GridCell]] = {}
        for cell in values.ordered(each):
            groups.setdefault(tuple((k, cell.settings.get(k)) for k in each), []).append(cell)
        start, said = values.filters_left(self, each), []
        for settings, cells in groups.items():
            networks = _compared(replace(values, cells=cells), costs)
            if len({network.cost for network in networks}) > 1:
                text = _text(metric, networks) + (f" ({whose})" if whose else "")
                said.append(headed([*start, *settings], text))
        return said


def _keys(study: Study) -> list[str]:
    """The swept keys that decide what a network costs: no link's rate has a price."""
    return [key for key in network_keys(study) if key.startswith("topology")]


def _costs(study: Study) -> dict[tuple[str, ...], tuple[str, float]]:
    """Name and cost of each network, by its settings."""
    prices, wired, keys = study.plan.report.prices, WiredNetworks(study), _keys(study)
    assert prices is not None
    networks = planned_networks(study)
    found: dict[tuple[str, ...], tuple[str, float]] = {}
    for of, name in zip(networks, network_labels(study, networks), strict=True):
        cost = network_cost(wired.facts(of.topology, of.places), prices)
        if cost:
            at = {place(study.settings[each], keys) for each in of.places}
            found |= dict.fromkeys(at, (name, cost))
    return found


def _compared(
    values: ValueGrid, costs: Mapping[tuple[str, ...], tuple[str, float]]
) -> list[PricedNetwork]:
    """The networks at the places that all of them have, the cheapest first."""
    keys = _keys(values.study)
    rest = [key for key in values.places(keys) if key not in keys]
    curves: dict[tuple[float, str], dict[GridPlace, Value]] = {}
    for cell in values.cells:
        if known := costs.get(place(cell.settings, keys)):
            at = tuple((key, cell.settings.get(key)) for key in rest)
            curves.setdefault((known[1], known[0]), {})[at] = cell.value
    if not curves:
        return []
    first, *_ = sorted(curves)
    shared = [at for at in curves[first] if all(at in curve for curve in curves.values())]
    found = []
    for cost, name in sorted(curves):
        pairs = [on_common_draws([curves[first][at], curves[cost, name][at]]) for at in shared]
        if not pairs or not all(pair and min(v.mean for v in pair) > 0 for pair in pairs):
            return []
        found.append(PricedNetwork(name, cost, tuple(b.mean / a.mean for a, b in pairs)))
    return found


def _text(metric: Metric, networks: Sequence[PricedNetwork]) -> str:
    """Of many networks the one that gives most for its price, and the one that gives most."""
    first, *others = networks
    lower = metric.direction == "lower"
    best = min(networks, key=lambda each: each.cost * (each.share if lower else 1 / each.share))
    most = (min if lower else max)(networks, key=lambda each: each.share)
    told = list(dict.fromkeys(each for each in (best, most) if each != first)) or others[:1]
    what, places = lowered(metric.label), len(first.shares)
    over = f", geometric mean over {places} settings" if places > 1 else ""
    said = [_beside(first, each) for each in told]
    said[0] += f" the {what}"
    return (
        f"for its price, {best.name} gives most ({what} {'×' if lower else '÷'} cost{over});"
        f" against {first.name}, the cheapest at {short(first.cost)}, {listing(said)}"
    )


def _beside(first: PricedNetwork, other: PricedNetwork) -> str:
    """`torus costs ×1.25 and has ×0.62`, with the least and the greatest share of several."""
    low, high = factor(min(other.shares)), factor(max(other.shares))
    spread = f" ({low} to {high})" if low != high else ""
    costs = f"{other.name} costs {factor(other.cost / first.cost)}"
    return f"{costs} and has {factor(other.share)}{spread}"
