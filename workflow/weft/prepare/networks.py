"""Networks that only a simulator can look through: asked before anything runs, if it is built.

Without an executable the point itself reports the mistake.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

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


def check_networks(experiment: Experiment, points: Points) -> None:
    """Look through the networks of the points for mistakes.

    Raises ConfigErrors for failures by name that cut a topology, for a topology that routers cannot
    be joined to, and for a wrong table of ports.
    """
    with TemporaryDirectory() as folder:
        found = [*_cuts(experiment, points), *_routers(experiment, points, Path(folder))]
    if found:
        raise ConfigErrors(placed(experiment, dict.fromkeys(found)))


def _cuts(experiment: Experiment, points: Points) -> Iterator[Problem]:
    """Failures by name that cut a topology of the catalogue; of graphs the files say it."""
    for text in points.texts("topology"):
        topology: TopologySpec = json.loads(text)
        named = _named(topology)
        # A measurement has no topology.
        if not named.get("failed") or topology["kind"] == GRAPH:
            continue
        bare = {key: value for key, value in named.items() if key not in ("links", "taper")}
        asked = {"topology": {**bare, "routing": AROUND[0]}, "nodes": []}
        if problem := _answer(experiment, "flow", "routes", asked):
            yield Problem("topology.failed", problem)


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
    """What the executable finds wrong; None also where there is no executable of these sources."""
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
