"""Networks that only a simulator can look through: asked before anything runs, if it is built.

Without an executable the point itself reports the mistake.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np

from weft.config import ConfigErrors, Experiment
from weft.config.language.errors import Problem
from weft.config.load.placing import placed
from weft.config.model.failures import AROUND, GRAPH
from weft.engines.graphs import canonical_topology
from weft.plan.points import Points
from weft.plan.spec import TopologySpec
from weft.prepare.plans.simulator_answers import mistake
from weft.prepare.plans.virtual_channels import shortages

#: The engine whose routers have a table of ports, and the option that names it.
_ROUTERS, _PORTS = "anet", "ports_file"
#: Draws of failures are looked at while their networks have at most so many nodes together: 2 s at
#: most. The first is what a draw costs anyhow, in nodes of the same cost.
_LEAST_NODES, _MOST_NODES = 400, 100_000
#: How a simulator says that there are not as many links or switches as shall fail.
_TOO_MANY = re.compile(r"topology\.failed\.(?P<key>links|switches) (?P<most>is .*)", re.DOTALL)


def check_networks(experiment: Experiment, points: Points) -> None:
    """Look through the networks of the points for mistakes.

    A warning says which draws of failures cut a network, as their points will be skipped.

    Raises ConfigErrors for failures by name that cut a topology, for more failures than a topology
    can have, for a topology that routers cannot be joined to, for a wrong table of ports, and for
    too few virtual channels.
    """
    with TemporaryDirectory() as folder:
        found = [*_cuts(experiment, points), *_routers(experiment, points, Path(folder))]
        found = found or list(shortages(experiment, points, Path(folder)))
        draws = _Draws(experiment, points, Path(folder))
        found = found or list(draws.impossible())
        if found:
            raise ConfigErrors(placed(experiment, dict.fromkeys(found)))
        if unlucky := draws.unlucky():
            print(f"weft: warning, for {experiment.name}: {unlucky}", file=sys.stderr)


def _cuts(experiment: Experiment, points: Points) -> Iterator[Problem]:
    """Failures by name that cut a topology of the catalogue; of graphs the files say it."""
    for text in points.texts("topology"):
        topology: TopologySpec = json.loads(text)
        named = _named(topology)
        # A measurement has no topology.
        if not named.get("failed") or topology["kind"] == GRAPH:
            continue
        asked = {"topology": _shortest(named), "nodes": []}
        if problem := mistake(experiment, "flow", "routes", asked):
            yield Problem("topology.failed", problem)


class _Draws:
    """Failures that seeds draw, looked at by the simulator as far as that takes little time.

    Many draws, or those of large networks, are left to the points themselves.
    """

    def __init__(self, experiment: Experiment, points: Points, folder: Path) -> None:
        self._all = _draws(points)
        self._looked = self._all if _cost(self._all) <= _MOST_NODES else _firsts(self._all)
        self._wrong: list[tuple[TopologySpec, int, str]] = []
        for topology, seed in self._looked:
            asked = {"topology": _shortest(canonical_topology(topology, folder)), "nodes": []}
            if problem := mistake(experiment, "flow", "routes", {**asked, "seed": seed}):
                self._wrong.append((topology, seed, problem))

    def impossible(self) -> Iterator[Problem]:
        """More failures than there are links, or switches without nodes: no draw has as many."""
        for _, _, problem in self._wrong:
            if found := _TOO_MANY.search(problem):
                yield Problem(f"topology.failed.{found['key']}", f"{found['key']} {found['most']}")

    def unlucky(self) -> str | None:
        """What to know of the draws that cut a network, if some do."""
        if len(self._looked) < len(self._all):
            return (
                f"failures are drawn {len(self._all):,} times, too often to look at each now; "
                "points whose draw cuts the network will be skipped"
            )
        if not self._wrong:
            return None
        topology, seed, problem = self._wrong[0]
        drawn = {key: n for key, n in topology["failed"].items() if isinstance(n, int) and n}
        words = [f"{key} {count}" for key, count in drawn.items() if key != "seed"]
        return (
            f"{len(self._wrong)} of {len(self._all)} draws of failures cut the network, so their "
            f"points will be skipped; the first, of {', '.join(words)}, seed {seed}: {problem}"
        )


def _cost(draws: Sequence[tuple[TopologySpec, int]]) -> int:
    """What it takes to look at them, in nodes."""
    return sum(_LEAST_NODES + topology["nodes"] for topology, _ in draws)


def _firsts(draws: Sequence[tuple[TopologySpec, int]]) -> list[tuple[TopologySpec, int]]:
    """One draw of each topology, while they cost little: enough to see too many failures."""
    firsts = {json.dumps(draw[0]): draw for draw in reversed(draws)}
    found: list[tuple[TopologySpec, int]] = []
    for draw in reversed(firsts.values()):
        if _cost([*found, draw]) <= _MOST_NODES:
            found.append(draw)
    return found


def _draws(points: Points) -> list[tuple[TopologySpec, int]]:
    """Each topology of which a seed draws failures, with each of its seeds."""
    texts, codes = points.texts("topology"), points.codes("topology")
    drawn: dict[int, TopologySpec] = {}
    for code, text in enumerate(texts):
        topology: TopologySpec = json.loads(text)
        failed = topology.get("failed") or {}
        if any(isinstance(failed.get(key), int) and failed[key] for key in ("links", "switches")):
            drawn[code] = topology
    found: dict[tuple[int, int], tuple[TopologySpec, int]] = {}
    places = np.flatnonzero(np.isin(codes, list(drawn)))
    seeds = points.column("seed").to_numpy()[places].tolist()
    for code, seed in zip(codes[places].tolist(), seeds, strict=True):
        own = drawn[code]["failed"].get("seed")
        which = seed if own is None else own
        found.setdefault((code, which), (drawn[code], which))
    return list(found.values())


def _shortest(topology: TopologySpec) -> TopologySpec:
    """The same network with routes of which `weft-flow` computes none before it is asked."""
    bare = {key: value for key, value in topology.items() if key not in ("links", "taper", "root")}
    return cast("TopologySpec", {**bare, "routing": AROUND[0]})


def _routers(experiment: Experiment, points: Points, folder: Path) -> Iterator[Problem]:
    places = np.flatnonzero(points.codes("engine") == points.number("engine", _ROUTERS))
    distinct, _ = points.take(places).distinct()
    asked: dict[str, tuple[TopologySpec, object]] = {}
    for point in distinct:
        options: Mapping[str, object] = point.spec["options"]
        topology: TopologySpec = point.spec["topology"]
        ports = options.get(_PORTS)
        asked.setdefault(json.dumps([topology, ports]), (topology, ports))
    for topology, ports in asked.values():
        network = canonical_topology(_named(topology), folder)
        question = {"topology": network, _PORTS: ports}
        if problem := mistake(experiment, _ROUTERS, "check", question):
            is_file = ports is not None and problem.startswith(str(ports))
            yield Problem(f"engine.{_ROUTERS}.{_PORTS}" if is_file else "topology", problem)


def _named(topology: TopologySpec) -> TopologySpec:
    """The topology with the failures that names give, without those that a seed draws."""
    failed = topology.get("failed")
    if failed is None:
        return topology
    named = {key: value for key, value in failed.items() if isinstance(value, list) and value}
    kept: TopologySpec = {**topology}
    if named:
        kept["failed"] = {**failed, "links": named.get("links", 0)}
        kept["failed"]["switches"] = named.get("switches", 0)
    else:
        del kept["failed"]
    return kept
