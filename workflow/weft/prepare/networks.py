"""Networks that only a simulator can look through: asked before anything runs, if it is built.

Without an executable the point itself reports the mistake.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np

from weft.config import ConfigErrors, Experiment
from weft.config.language.errors import Problem
from weft.config.load.placing import placed
from weft.config.model.failures import AROUND, GRAPH
from weft.engines import EngineError, engine
from weft.engines.graphs import canonical_topology
from weft.engines.native import NativeEngine
from weft.plan.points import Points
from weft.plan.spec import TopologySpec

#: The engine whose routers have a table of ports, and the option that names it.
_ROUTERS, _PORTS = "anet", "ports_file"
#: Draws of failures are looked at while their networks have at most so many nodes together: 2 s at
#: most. The first is what a draw costs anyhow, in nodes of the same cost.
_LEAST_NODES, _MOST_NODES = 400, 100_000


def check_networks(experiment: Experiment, points: Points) -> None:
    """Look through the networks of the points for mistakes.

    A warning says which draws of failures cut a network, as their points will be skipped.

    Raises ConfigErrors for failures by name that cut a topology, for a topology that routers cannot
    be joined to, and for a wrong table of ports.
    """
    with TemporaryDirectory() as folder:
        found = [*_cuts(experiment, points), *_routers(experiment, points, Path(folder))]
        if found:
            raise ConfigErrors(placed(experiment, dict.fromkeys(found)))
        if unlucky := _unlucky(experiment, points, Path(folder)):
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
        if problem := _answer(experiment, "flow", "routes", asked):
            yield Problem("topology.failed", problem)


def _unlucky(experiment: Experiment, points: Points, folder: Path) -> str | None:
    """What to know of the draws of failures that cut a network, if some do.

    Many draws, or those of large networks, are left to the points themselves.
    """
    draws = _draws(points)
    if not draws:
        return None
    if sum(_LEAST_NODES + topology["nodes"] for topology, _ in draws) > _MOST_NODES:
        return (
            f"failures are drawn {len(draws):,} times, too often to look at each now; points whose "
            "draw cuts the network will be skipped"
        )
    cut: list[str] = []
    for topology, seed in draws:
        asked = {"topology": _shortest(canonical_topology(topology, folder)), "nodes": []}
        if problem := _answer(experiment, "flow", "routes", {**asked, "seed": seed}):
            drawn = {key: n for key, n in topology["failed"].items() if isinstance(n, int) and n}
            words = [f"{key} {count}" for key, count in drawn.items() if key != "seed"]
            cut.append(f"{', '.join(words)}, seed {seed}: {problem}")
    if not cut:
        return None
    return (
        f"{len(cut)} of {len(draws)} draws of failures cut the network, so their points will be "
        f"skipped; the first, of {cut[0]}"
    )


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
        if problem := _answer(experiment, _ROUTERS, "check", question):
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


def _answer(
    experiment: Experiment, name: str, word: str, asked: Mapping[str, object]
) -> str | None:
    """The mistake that the executable finds; None also if no executable of these sources exists."""
    simulator = engine(name)
    try:
        binary = simulator.checked_binary() if isinstance(simulator, NativeEngine) else None
    except EngineError:
        return None
    if binary is None:
        return None
    point = json.dumps({"seed": experiment.settings.seed, **asked})
    done = subprocess.run(
        [str(binary), word], input=point, capture_output=True, text=True, check=False
    )
    return done.stderr.strip().removeprefix(f"weft-{name}: ") if done.returncode else None
