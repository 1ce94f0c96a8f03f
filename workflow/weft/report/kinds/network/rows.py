"""The links of a network, how busy each was and with what: tables `links`, `congestion` and
`link_flows`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import groupby, islice

from weft.config.model.figures import NetworkPicture
from weft.report.data.csv_text import csv_text
from weft.report.data.point_groups import first, places
from weft.report.data.source import Row, Study

MAX_PANELS = 4
#: Classes of the links between a node and its router.
INJECTION, EJECTION = "injection", "ejection"
#: What the table `links` gives as the class of links that failed.
FAILED = "failed"
_CSV = ("link", "class", "source", "target", "bytes", "share", "top_flows")
# Runs that differ in nothing but their seed are averaged; a port without a row never waited.
_LINKS = """
SELECT l.link, any_value(l.class) AS class, any_value(l.source) AS source,
  any_value(l.target) AS target, avg(l.bytes) AS bytes, {share} AS share
FROM links l {joined}
WHERE l.experiment = getvariable('experiment') AND list_contains($ids, l.point_id)
  AND l.source IS NOT NULL
GROUP BY l.link ORDER BY l.link
"""
_SHARED = """LEFT JOIN (SELECT DISTINCT experiment, point_id, link FROM job_links) c
  ON c.experiment = l.experiment AND c.point_id = l.point_id AND c.link = l.link"""
_WAITS = """LEFT JOIN congestion c
  ON c.experiment = l.experiment AND c.point_id = l.point_id AND c.link = l.link"""


#: A link that failed in some runs and not in others.
_UNLIKE = """
SELECT link FROM links
WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
GROUP BY link HAVING count(DISTINCT class) > 1 LIMIT 1
"""
# Of runs that differ in nothing but their seed, one that lacks a pair sent nothing of it.
_FLOWS = """
SELECT link, source, destination, sum(bytes) / len($ids) AS bytes FROM link_flows
WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
GROUP BY ALL ORDER BY link, bytes DESC, source, destination
"""
#: Of runs that differ in nothing but their seed, the mean of what each job sent over each link.
_JOBS = """
SELECT link, job, sum(bytes) / len($ids) AS bytes FROM job_links
WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
GROUP BY ALL ORDER BY link, job
"""
#: The value of a link, and the table that it comes from, for each `of` of a figure.
_SHARES = {
    "utilisation": ("avg(l.utilisation)", ""),
    "blocked": ("coalesce(avg(c.blocked_share), 0)", _WAITS),
    "shared": ("avg(CASE WHEN c.link IS NULL THEN 0 ELSE l.utilisation END)", _SHARED),
}
#: Pairs of nodes that are named for a link.
MOST_FLOWS = 3


@dataclass(frozen=True, slots=True)
class Flow:
    """What one node sent to another one over a link."""

    source: str
    destination: str
    bytes: float


@dataclass(frozen=True, slots=True)
class BusyLink:
    """A channel with both ends; `share` is what the figure shows, from 0 to 1.

    `flows` are the pairs of nodes that sent most over it, if the engine counts them.
    """

    link: str
    link_class: str
    source: str
    target: str
    bytes: float
    share: float
    flows: tuple[Flow, ...] = ()

    @property
    def columns(self) -> tuple[object, ...]:
        """What the CSV has of it: the columns of `_CSV`."""
        ends = (self.link, self.link_class, self.source, self.target)
        return (*ends, self.bytes, self.share, flow_text(self.flows, self.bytes))


@dataclass(frozen=True)
class BusyNetwork:
    """The network of one setting; `topology` holds its keys, such as `kind` and `sizes`.

    `one_of` is how many runs there are, if their networks differ and only the first is here.
    """

    panel: str | None
    topology: Row
    links: Sequence[BusyLink]
    one_of: int = 1
    #: By link that several jobs use: what each job sent over it.
    jobs: Mapping[str, Mapping[int, float]] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> dict[str, str]:
        """The router that each node sends to."""
        return {each.source: each.target for each in self.links if each.link_class == INJECTION}

    @cached_property
    def between(self) -> list[BusyLink]:
        """The links between routers."""
        return [each for each in self.links if each.link_class not in (INJECTION, EJECTION)]

    @property
    def failed(self) -> list[BusyLink]:
        """The links that failed."""
        return [each for each in self.links if each.link_class == FAILED]

    @cached_property
    def routers(self) -> list[str]:
        """Routers, each once."""
        ends = (end for each in self.between for end in (each.source, each.target))
        return list(dict.fromkeys([*self.nodes.values(), *ends]))


@dataclass(frozen=True, slots=True)
class NetworkRows:
    """The networks of a figure, one for each setting."""

    figure: NetworkPicture
    found: Sequence[BusyNetwork]
    left_out: Sequence[str] = ()
    legend: bool = False

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.found else "No values of links yet."

    @property
    def notes(self) -> list[str]:
        """The busiest links, and what is not drawn."""
        notes = []
        for each in self.found:
            worst = max(each.links, key=lambda link: link.share, default=None)
            if self.figure.of == "shared":
                notes.append(_met(each, worst))
            elif worst is not None:
                where = f"{each.panel}: the" if each.panel else "The"
                what = "carried" if self.figure.of == "utilisation" else "kept packets waiting"
                share = f"{worst.share:.0%} of its capacity"
                if self.figure.of == "blocked":
                    share = f"{worst.share:.0%} of the time"
                notes.append(
                    f"{where} worst link, {worst.link} from {worst.source} to {worst.target},"
                    f" {what} {share}."
                )
        if any(each.failed for each in self.found):
            notes.append("Dashed links failed.")
        for each in self.found:
            if each.one_of > 1:
                notes.append(
                    f"In each of {each.one_of} runs other links failed; the first is drawn."
                )
        return [*notes, *self.left_out]

    def csv(self) -> str:
        """All links."""
        return csv_text(
            ["panel", *_CSV],
            (
                (
                    network.panel,
                    each.link,
                    each.link_class,
                    each.source,
                    each.target,
                    each.bytes,
                    each.share,
                    flow_text(each.flows, each.bytes),
                )
                for network in self.found
                for each in network.links
            ),
        )


def network_rows(study: Study, figure: NetworkPicture) -> NetworkRows:
    """One network for each setting that the figure shows."""
    share, joined = _SHARES[figure.of]
    query = _LINKS.format(share=share, joined=joined)
    found = []
    drawn = first(places(study, figure, None, "links"), MAX_PANELS)
    for place in drawn:
        ids = list(place.point_ids)
        runs = len(ids)
        if study.query(_UNLIKE, {"ids": ids}):
            ids = ids[:1]
        settings = study.settings_of(ids[:1])[ids[0]]
        topology = {
            key.removeprefix("topology."): value
            for key, value in settings.items()
            if key.startswith("topology.")
        }
        flows = _flows(study, ids)
        rows = study.query(query, {"ids": ids})
        links = [_link(row, flows.get(row["link"], ())) for row in rows]
        if links:
            of = runs if len(ids) < runs else 1
            jobs = _jobs(study, ids) if figure.of == "shared" else {}
            found.append(BusyNetwork(place.panel(alone=True), topology, links, of, jobs))
    return NetworkRows(figure, found, drawn.left_out)


def _met(network: BusyNetwork, worst: BusyLink | None) -> str:
    """On how many links jobs meet, and what they sent over the busiest of these."""
    where = f"{network.panel}: " if network.panel else ""
    no, on = ("no", "jobs") if where else ("No", "Jobs")
    if worst is None or not worst.share:
        return f"{where}{no} link carried data of several jobs."
    jobs = network.jobs[worst.link]
    sent = sum(jobs.values())
    parts = ", ".join(f"{_percent(each / sent)} of job {job}" for job, each in jobs.items())
    return (
        f"{where}{on} met on {len(network.jobs)} of {len(network.links)} links; the busiest of"
        f" these, {worst.link} from {worst.source} to {worst.target}, carried {worst.share:.0%} of"
        f" its capacity: {parts}."
    )


def flow_text(flows: Iterable[Flow], of_bytes: float) -> str:
    """The largest of them with their shares: `3 → 7 (41%), 2 → 7 (9.2%)`."""
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for flow in flows:
        sums[flow.source, flow.destination] += flow.bytes
    most = nlargest(MOST_FLOWS, sums.items(), key=lambda item: item[1]) if of_bytes else []
    return ", ".join(
        f"{_short(a)} → {_short(b)} ({_percent(sent / of_bytes)})" for (a, b), sent in most
    )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.1 else f"{share:.1%}"


def _short(node: str) -> str:
    return node.removeprefix("node ")


def _flows(study: Study, ids: Sequence[str]) -> dict[str, tuple[Flow, ...]]:
    """By link the pairs that sent most, of the mean of the points `ids`."""
    found: dict[str, tuple[Flow, ...]] = {}
    rows = study.query(_FLOWS, {"ids": list(ids)})
    for link, own in groupby(rows, key=lambda row: str(row["link"])):
        flows = (Flow(row["source"], row["destination"], row["bytes"]) for row in own)
        found[link] = tuple(islice(flows, MOST_FLOWS))
    return found


def _jobs(study: Study, ids: Sequence[str]) -> dict[str, dict[int, float]]:
    """By link that several jobs use what each job sent over it, in the mean of the points `ids`."""
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for row in study.query(_JOBS, {"ids": list(ids)}):
        found[str(row["link"])][row["job"]] = row["bytes"]
    return dict(found)


def _link(row: Row, flows: tuple[Flow, ...]) -> BusyLink:
    ends = (str(row["source"]), str(row["target"]))
    return BusyLink(str(row["link"]), str(row["class"]), *ends, row["bytes"], row["share"], flows)
