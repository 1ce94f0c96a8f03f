"""Networks as Vega-Lite: routers as points, cables as lines coloured by how busy they were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import altair as alt
import numpy as np

from weft.report.data.natural_order import natural
from weft.report.draw.charts import config, drawn_from
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.hollow_marks import PAPER
from weft.report.kinds.network.layout import Positions, grid_sizes, positions
from weft.report.kinds.network.nodes import NodeMarks, node_marks
from weft.report.kinds.network.rows import (
    EJECTION,
    FAILED,
    BusyLink,
    BusyNetwork,
    NetworkRows,
    flow_text,
)

#: Larger networks are shown by class of link.
MOST_ROUTERS = 2_000
_MOST_NAMES = 24
#: With more routers, links are thinner.
_MOST_LARGE = 256
#: Names of links in a tooltip.
_MOST_LISTED = 4
_HEIGHT = 420
_GONE = "#7d8790"
_BUSY = ("#b9cbd8", "#e8a13a", "#a31d00")
_LEGENDS = {
    "utilisation": "Utilisation",
    "blocked": "Share of time blocked",
    "shared": "Utilisation, if shared",
}
_STUB, _LONG = 0.45, 1.5


@dataclass(slots=True)
class _Cable:
    """All links between two ends: the busiest of each direction."""

    ends: tuple[str, str]
    names: list[str] = field(default_factory=list)
    forth: float = 0.0
    back: float = 0.0
    failed: int = 0
    links_forth: list[BusyLink] = field(default_factory=list)
    links_back: list[BusyLink] = field(default_factory=list)

    def add(self, link: BusyLink) -> None:
        self.names.append(link.link)
        self.failed += link.link_class == FAILED
        if (link.source, link.target) == self.ends:
            self.forth = max(self.forth, link.share)
            self.links_forth.append(link)
        else:
            self.back = max(self.back, link.share)
            self.links_back.append(link)


def network_charts(data: NetworkRows) -> list[Chart]:
    """A specification per setting, with the panel's name; all have the same range of colours."""
    most = max((link.share for each in data.found for link in each.links), default=0) or 1.0
    title = _LEGENDS[data.figure.of]
    found: list[Chart] = []
    for network in data.found:
        if len(network.routers) > MOST_ROUTERS:
            found.append((network.panel, _by_class(network, title)))
        else:
            found.append((network.panel, _picture(network, title, most, labelled=not found)))
    return found


def _picture(network: BusyNetwork, title: str, most: float, labelled: bool) -> VegaLite:
    places = positions(network)
    levels = len({*network.nodes.values()}) < len(network.routers)
    grid = bool(grid_sizes(network))
    nodes = node_marks(network, places, levels, grid)
    shown = [*network.between, *nodes.links]
    everywhere = places | nodes.places
    rows = [
        *(row for cable in _cables(shown) for row in _lines(cable, everywhere, grid)),
        *_points(network, places, nodes),
    ]
    scale = alt.Scale(domain=[0, most / 2, most], range=list(_BUSY), interpolate="rgb")
    look = alt.Legend(title=title, orient="top", format=".0%", gradientLength=200)
    legend = look if labelled else None
    has_flows = any(link.flows for link in shown)
    tooltip = [
        alt.Tooltip("name:N", title="Link"),
        alt.Tooltip("channels:N", title="Names"),
        alt.Tooltip("forth:Q", title="There", format=".1%"),
        *([alt.Tooltip("flows_forth:N", title="Most there")] if has_flows else []),
        alt.Tooltip("back:Q", title="Back", format=".1%"),
        *([alt.Tooltip("flows_back:N", title="Most back")] if has_flows else []),
        alt.Tooltip("cables:Q", title="Links"),
        *([alt.Tooltip("failed:Q", title="Failed")] if network.failed else []),
    ]
    free = alt.Scale(zero=False, nice=False, padding=18)
    base = drawn_from(rows).encode(
        x=alt.X("x:Q", axis=None, scale=free), y=alt.Y("y:Q", axis=None, scale=free)
    )
    few = len(network.routers) <= _MOST_LARGE
    width = alt.StrokeWidth("share:Q", legend=None).scale(
        domain=[0, most], range=[1.2, 4.5] if few else [0.8, 2.5]
    )
    links = base.mark_rule(strokeCap="round").encode(
        x2="x2:Q", y2="y2:Q", strokeWidth=width, tooltip=tooltip,
        color=alt.Color("share:Q", scale=scale, legend=legend),
    ).transform_filter("datum.mark == 'link'")  # fmt: skip
    gone = base.mark_rule(strokeDash=[3, 4], strokeWidth=1.2, color=_GONE).encode(
        x2="x2:Q", y2="y2:Q", tooltip=tooltip
    ).transform_filter(f"datum.mark == '{FAILED}'")  # fmt: skip
    points = base.mark_point(filled=True, opacity=1, color="currentColor").encode(
        shape=alt.Shape("mark:N", legend=None).scale(
            domain=["router", "node"], range=["square", "circle"]
        ),
        size=alt.Size("mark:N", legend=None).scale(
            domain=["router", "node"], range=[_area(network), min(18.0, _area(network) / 2)]
        ),
        tooltip=[alt.Tooltip("name:N", title="Name"), alt.Tooltip("nodes:Q", title="Nodes")],
    ).transform_filter("isValid(datum.label)")  # fmt: skip
    layers = [links, *([gone] if network.failed else []), points]
    if len(network.routers) <= _MOST_NAMES:
        # Routers in the middle stand below links: the page's own colour around a name sets it off.
        halo = base.mark_text(dy=-11, fontSize=10, stroke=PAPER, strokeWidth=3, fill=PAPER)
        for names in (halo, base.mark_text(dy=-11, fontSize=10)):
            text = names.encode(text="label:N")
            layers.append(text.transform_filter("datum.mark == 'router'"))
    return _finished(layers, _HEIGHT)


def _area(network: BusyNetwork) -> float:
    """Pixels of a router: many must not hide the links between them."""
    return max(4.0, min(70.0, 9_000 / max(1, len(network.routers))))


def _cables(links: Sequence[BusyLink]) -> Iterator[_Cable]:
    found: dict[tuple[str, str], _Cable] = {}
    for link in links:
        ends = sorted((link.source, link.target), key=natural)
        pair = (ends[0], ends[1])
        found.setdefault(pair, _Cable(pair)).add(link)
    # The busiest lie on top.
    yield from sorted(found.values(), key=lambda cable: max(cable.forth, cable.back))


def _lines(cable: _Cable, places: Positions, grid: bool) -> Iterator[VegaLite]:
    """One line, or, where it would cross a whole grid, two that leave it."""
    (x, y), (x2, y2) = (places[end] for end in cable.ends)
    row = {
        "mark": "link" if cable.failed < len(cable.names) else FAILED,
        "name": " – ".join(cable.ends),
        "share": _short(max(cable.forth, cable.back)),
        "forth": _short(cable.forth),
        "back": _short(cable.back),
        "channels": _listed(cable.names),
        "flows_forth": _most(cable.links_forth),
        "flows_back": _most(cable.links_back),
        "cables": len(cable.names),
        "failed": cable.failed,
    }
    if grid and max(abs(x2 - x), abs(y2 - y)) > _LONG:
        dx, dy = _direction(x2 - x), _direction(y2 - y)
        yield row | {"x": x, "y": y, "x2": x - _STUB * dx, "y2": y - _STUB * dy}
        yield row | {"x": x2, "y": y2, "x2": x2 + _STUB * dx, "y2": y2 + _STUB * dy}
    else:
        yield row | {"x": x, "y": y, "x2": x2, "y2": y2}


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more


def _most(links: Sequence[BusyLink]) -> str:
    """The pairs of nodes that sent most over these links together."""
    flows = (flow for link in links for flow in link.flows)
    return flow_text(flows, sum(link.bytes for link in links)) or "–"


def _direction(step: float) -> int:
    return (step > 0) - (step < 0)


def _points(network: BusyNetwork, routers: Positions, nodes: NodeMarks) -> Iterator[VegaLite]:
    count = Counter(network.nodes.values())
    for name, (x, y) in routers.items():
        label = name.removeprefix("router ")
        yield {"mark": "router", "name": name, "label": label, "x": x, "y": y, "nodes": count[name]}
    for name, (x, y) in nodes.places.items():
        of = nodes.counts[name]
        yield {"mark": "node", "name": name, "label": name, "x": x, "y": y, "nodes": of}


def _by_class(network: BusyNetwork, title: str) -> VegaLite:
    """For each class of links how busy they were: all, the middle half, and the median."""
    shares: dict[str, list[float]] = defaultdict(list)
    for link in (link for link in network.links if link.link_class != FAILED):
        shares[link.link_class].append(link.share)
    rows: list[VegaLite] = []
    for name in sorted(shares, key=lambda each: (each == EJECTION, natural(each))):
        low, first, middle, third, high = np.quantile(shares[name], [0, 0.25, 0.5, 0.75, 1])
        row = {"low": low, "first": first, "middle": middle, "third": third, "high": high}
        rows.append({"name": name, "n": len(shares[name])} | {k: _short(v) for k, v in row.items()})
    axis = alt.Axis(title=title, format=".0%", tickCount=5)
    tooltip = [
        alt.Tooltip("name:N", title="Class of links"),
        alt.Tooltip("n:Q", title="Links", format=","),
        *(
            alt.Tooltip(f"{part}:Q", title=title, format=".1%")
            for part in ("low", "middle", "high")
        ),
    ]
    base = drawn_from(rows).encode(
        y=alt.Y("name:N", sort=[str(row["name"]) for row in rows], axis=alt.Axis(title="Links"))
    )
    whole = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", axis=axis), x2="high:Q", tooltip=tooltip, color=alt.value(_BUSY[1])
    )
    half = base.mark_bar(height=12).encode(
        x="first:Q", x2="third:Q", tooltip=tooltip, color=alt.value(_BUSY[1])
    )
    median = base.mark_tick(thickness=3, height=20).encode(
        x="middle:Q", tooltip=tooltip, color=alt.value(_BUSY[2])
    )
    return _finished([whole, half, median], 40 + 34 * len(rows))


def _finished(layers: Sequence[alt.Chart], height: int) -> VegaLite:
    spec: VegaLite = alt.layer(*layers).to_dict(validate=False)
    data = spec.pop("datasets", None)
    if data:
        spec["data"] = {"values": next(iter(data.values()))}
    spec |= {"width": "container", "height": height, "config": config()}
    return spec | {"autosize": {"type": "fit-x", "contains": "padding"}}


def _short(share: float) -> float:
    return float(f"{share:.4g}")
