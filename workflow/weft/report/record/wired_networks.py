"""Facts of networks as the results show them: files of graphs, and what failed in each run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from weft.analysis.networks.facts import HalvesCut, NetworkFacts, NodeDistances
from weft.analysis.networks.families import family_facts
from weft.analysis.networks.wiring import Wiring, wiring_of_file, wiring_of_links
from weft.config.graphs.model import GraphProblem
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import read_graph
from weft.files.layout import Layout
from weft.report.data.source import Row, Study

#: Runs with failures of their own that are looked at for each network, and channels in all networks
#: of a page: 0.2 s.
MOST_DRAWS, MOST_CHANNELS = 3, 20_000
#: Larger files are not read again for a page: 0.2 s.
_MOST_BYTES = 2_000_000
_RECORDED = """
SELECT point_id, count(*) AS channels FROM links
WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
  AND source IS NOT NULL
GROUP BY point_id
"""
_LINKS = """
SELECT class, source, target FROM links
WHERE experiment = getvariable('experiment') AND point_id = $id AND source IS NOT NULL
ORDER BY rowid
"""


class WiredNetworks:
    """Looks networks up in the results of a study, as far as that takes little time.

    `notes` says what was not looked at.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._room = MOST_CHANNELS
        self._known: dict[str, NetworkFacts] = {}
        self._notes: dict[str, None] = {}

    @property
    def notes(self) -> list[str]:
        """Sentences for the foot of a table."""
        return list(self._notes)

    def facts(self, topology: Row, places: Sequence[int]) -> NetworkFacts:
        """The facts of a topology, whose points have these places among the study's distinct ones.

        Of failures the table `links` says what they were; without it they bound the numbers.
        """
        key = json.dumps(topology, sort_keys=True)
        if key not in self._known:
            self._known[key] = self._looked_up(topology, places)
        return self._known[key]

    def _looked_up(self, topology: Row, places: Sequence[int]) -> NetworkFacts:
        failed = topology.get("failed")
        whole = family_facts(topology) or self._of_file(topology)
        if whole is not None and not failed:
            return whole
        drawn = self._drawn(topology, places)
        if drawn:
            found = [_of_wiring(each) for each in drawn]
            return _together(whole or found[0], found)
        if whole is None:
            return NetworkFacts(topology.get("nodes"))
        self._notes["Of failed links, the table links tells which they were; without it, distances"
                    " and the bisection are bounds."] = None  # fmt: skip
        return _bounded(whole)

    def _of_file(self, topology: Row) -> NetworkFacts | None:
        """The facts of a graph by its file: what a job has left of it, or the file itself."""
        sha256, file = str(topology.get("sha256", "")), topology.get("file")
        if not file or not sha256:
            return None
        text = self._left(sha256) or _read(Layout.of(self._study.folder.results).root, topology)
        if text is None:
            return None
        wiring = wiring_of_file(json.loads(text))
        if len(wiring.channels) > self._room:
            return _parts(wiring)
        self._room -= len(wiring.channels)
        return _of_wiring(wiring)

    def _left(self, sha256: str) -> str | None:
        """The canonical form that a job left in its shard's folder."""
        name = f"graph-{sha256[:12]}.json"
        left = next(iter(sorted(self._study.plan_path.parent.glob(f"*/*/{name}"))), None)
        if left is None or left.stat().st_size > _MOST_BYTES:
            return None
        return left.read_text()

    def _drawn(self, topology: Row, places: Sequence[int]) -> list[Wiring]:
        """The networks of runs with different seeds, by their tables of links."""
        points = self._study.plan.points
        own = np.flatnonzero(np.isin(self._study.alike, np.asarray(places)))
        ids = points.ids_at(own)
        seeds = dict(zip(ids, points.column("seed").to_numpy()[own].tolist(), strict=True))
        by_seed: dict[int, Row] = {}
        for row in self._study.query(_RECORDED, {"ids": list(ids)}):
            by_seed.setdefault(seeds[row["point_id"]], row)
        found = []
        for _, row in sorted(by_seed.items())[:MOST_DRAWS]:
            if row["channels"] <= self._room:
                self._room -= row["channels"]
                rows = self._study.query(_LINKS, {"id": row["point_id"]})
                ends = [(each["class"], each["source"], each["target"]) for each in rows]
                found.append(wiring_of_links(ends, rails=bool(topology.get("rails"))))
        if len({*seeds.values()}) > 1 and found:
            self._notes["Where seeds draw what fails: the mean of the mean distances, the longest"
                        " diameter and the smallest bisection of"
                        f" {len(found)} draws."] = None  # fmt: skip
        return found


def _read(root: Path, topology: Row) -> str | None:
    """The canonical form of a file, if it still is the one that was planned."""
    path = root / str(topology["file"])
    names, each = topology.get("node_names") or (), topology.get("nodes_per_switch")
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        read = read_graph(path, NodeRule(tuple(names), each))
    except (GraphProblem, OSError):
        return None
    # Routes are a part of the digest, and none of the network.
    return read.text if topology.get("routes") or read.sha256 == topology["sha256"] else None


def _of_wiring(wiring: Wiring) -> NetworkFacts:
    # Only pages of such networks load what takes longer to import than to use.
    from weft.analysis.networks.cuts import smallest_cut
    from weft.analysis.networks.distances import node_distances

    return replace(_parts(wiring), distances=node_distances(wiring), halves=smallest_cut(wiring))


def _parts(wiring: Wiring) -> NetworkFacts:
    cables = wiring.node_cables, wiring.switch_cables
    return NetworkFacts(wiring.nodes, wiring.switches, *cables, wiring.most_ports)


def _together(whole: NetworkFacts, drawn: Sequence[NetworkFacts]) -> NetworkFacts:
    """The parts of the whole network, with measures of several that lack other links."""
    far = [each.distances for each in drawn if each.distances is not None]
    cuts = [each.halves for each in drawn if each.halves is not None]
    if whole.halves is not None:
        cuts.append(replace(whole.halves, links_are="at_most"))
    mean = sum(each.mean for each in far) / len(far) if far else 0.0
    return replace(
        whole,
        distances=replace(max(far, key=lambda each: each.longest), mean=mean) if far else None,
        halves=min(cuts, key=lambda cut: cut.links, default=None),
    )


def _bounded(whole: NetworkFacts) -> NetworkFacts:
    """What is left of a network has no shorter ways, and no larger cut."""
    distances, halves = whole.distances, whole.halves
    if distances is not None:
        is_exact = distances.mean_is == distances.longest_is == "exact"
        bounded = NodeDistances(distances.mean, distances.longest, "at_least", "at_least")
        distances = bounded if is_exact else None
    if halves is not None:
        halves = HalvesCut(halves.links, halves.nodes, "at_most", halves.by_class)
    return replace(whole, distances=distances, halves=halves)
