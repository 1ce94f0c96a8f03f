"""Checks across sections: can this engine answer this workload on this topology?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from weft.config.graphs.model import GraphProblem
from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.engine import DeclaredEngine
from weft.config.model.jobs import ReadyJobs
from weft.config.model.topology_base import Topology
from weft.config.model.topology_from_file import FromFile
from weft.config.model.workload import Messages, Program, SourceProgram, Traffic, Workload
from weft.config.points.job_places import job_problems
from weft.config.points.message_file import file_problem
from weft.config.points.placement import is_measured, names_problem
from weft.config.points.places import SHIPPED
from weft.config.points.program_takes import taking_problems
from weft.config.points.rank_file import rank_file_problem
from weft.machine import MachineFile

_INCLUDES_MPI = re.compile(rb"^\s*#\s*include\s*[<\"]mpi\.h[>\"]", re.MULTILINE)

#: Puts and gets, and the call by which a program learns whether there are any.
_PUTS = re.compile(rb"\bMGEN_rdma_(put|get|expose|poll|complete)\w*\s*\(")
_ASKS_FOR_PUTS = re.compile(rb"\bMGEN_rdma_available\s*\(")


def cross_problems(
    engine: DeclaredEngine,
    topology: Topology,
    workload: Workload,
    options: Settings,
    machine: MachineFile,
    root: Path,
) -> list[Problem]:
    """What keeps `engine` from answering; `root` is where files are looked for."""
    if wrong := [*_too_wide(engine, topology), *_deadlocks(engine, topology)]:
        return wrong
    kind = str(getattr(workload, "kind", ""))
    if kind not in engine.answers:
        kinds = ", ".join(sorted(engine.answers))
        return [Problem("workload.kind", f"{engine.name} answers only: {kinds}; not {kind}")]
    if isinstance(workload, Program):
        if wrong := list(taking_problems(engine.name, workload, options, root)):
            return wrong
        if engine.measures:
            most = machine.ranks
            of = f" of machine {machine.name}" if machine.name else ""
            wrong = list(_too_many(workload.ranks, most, f"machine.ranks{of} allows"))
            wrong += _not_recorded(engine.name, options, machine)
            hybrid = machine.mode == "hybrid"
            return wrong + (list(_not_in_image(workload, root)) if hybrid else [])
        wrong = list(_placement_problems(engine.name, topology, workload, options, root))
        return wrong if engine.one_sided else wrong + list(_one_sided(engine.name, workload, root))
    return list(_pattern_problems(topology, workload, root))


def _too_wide(engine: DeclaredEngine, topology: Topology) -> Iterator[Problem]:
    """A switch of a graph that no router of the engine can be."""
    if engine.routers is None or not isinstance(topology, FromFile):
        return
    try:
        topology.check_width(engine.routers.most_links, engine.routers.most_nodes, engine.name)
    except GraphProblem as error:
        where = f"{topology.file} {error}" if error.line else f"{topology.file}: {error}"
        yield Problem("topology.file", where)


def _deadlocks(engine: DeclaredEngine, topology: Topology) -> Iterator[Problem]:
    """A table by which the packets of an engine with virtual channels wait for each other."""
    if engine.virtual_channels is None or not isinstance(topology, FromFile):
        return
    try:
        topology.check_circles(engine.name)
    except GraphProblem as error:
        yield Problem("topology.routes", f"{topology.routes} {error}")


def _not_recorded(engine: str, options: Settings, machine: MachineFile) -> Iterator[Problem]:
    """A trace in a mode whose images lack the recorder."""
    if getattr(options, "trace", False) and machine.mode != "native":
        key = f"engine.{engine}.trace"
        message = f"machine.mode {machine.mode} records no trace; set {key} to false, or use native"
        yield Problem(key, message, (key, "machine.mode"))


def _not_in_image(workload: Program, root: Path) -> Iterator[Problem]:
    """A program that the image of mode hybrid lacks: of one's own, or plain MPI."""
    if not isinstance(workload, SourceProgram):
        return
    content, shipped = (root / workload.source).read_bytes(), root / SHIPPED
    own = shipped / f"{workload.program}.c"
    if (
        workload.build
        or not own.is_file()
        or own.read_bytes() != content
        or _INCLUDES_MPI.search(content)
    ):
        message = f"machine.mode hybrid has only the programs of weft, not {workload.source}"
        related = ("workload.program", "machine.mode")
        yield Problem("workload.program", f"{message}; native and bind take any", related)


def _one_sided(engine: str, workload: Program, root: Path) -> Iterator[Problem]:
    """A program that needs one-sided calls, which the engine lacks."""
    if isinstance(workload, ReadyJobs):
        for program in workload.programs:
            yield from _one_sided(engine, program, root)
    elif isinstance(workload, SourceProgram) and (root / workload.source).is_file():
        content = b"\n".join((root / path).read_bytes() for path in workload.files)
        if _PUTS.search(content) and not _ASKS_FOR_PUTS.search(content):
            yield Problem(
                "workload.program",
                f"{engine} has no one-sided calls, and {workload.source} makes some without asking "
                "MGEN_rdma_available; use flow, packet or rdma, or a program that asks",
            )


def _placement_problems(
    engine: str, topology: Topology, workload: Program, options: Settings, root: Path
) -> Iterator[Problem]:
    """Ranks that find no node; engines that place ranks themselves have options for it."""
    if isinstance(workload, ReadyJobs):
        yield from job_problems(engine, topology, workload, options, root)
        return
    if is_measured(options):
        # The measurement decides how many ranks a node has.
        nameless = names_problem(engine, topology, workload)
        yield from [nameless] if nameless else []
        return
    ranks = workload.ranks
    nodes, each = topology.node_count, int(getattr(options, "ranks_per_node", 1))
    held = f"with {each} ranks on each node the topology holds" if each > 1 else "the topology has"
    wrong = list(_too_many(ranks, nodes * each, held))
    file = getattr(options, "rank_file", None)
    if file is not None and not wrong:
        problem = rank_file_problem(root, file, ranks, nodes, each)
        wrong = [Problem(f"engine.{engine}.rank_file", problem)] if problem else []
    yield from wrong


def _too_many(ranks: int, most: int, held: str) -> Iterator[Problem]:
    if ranks > most:
        yield Problem("workload.ranks", f"{ranks} ranks, but {held} {most}")


def _pattern_problems(topology: Topology, workload: Workload, root: Path) -> Iterator[Problem]:
    if isinstance(workload, Messages) and workload.file is not None:
        problem = file_problem(root, workload.file, topology.node_count)
        if problem:
            yield Problem("workload.file", problem)
    elif isinstance(workload, Messages | Traffic):
        check = _CHECKS.get(_NEEDS[workload.pattern])
        problem = check(topology) if check else None
        if problem:
            yield Problem("workload.pattern", f"{workload.pattern} {problem}")
        hot, last = workload.hotspot_nodes or [], topology.node_count - 1
        far = [node for node in hot if node > last]
        if far:
            yield Problem("workload.hotspot_nodes", f"nodes are 0 to {last}, got {far[0]}")


def _square(topology: Topology) -> str | None:
    nodes = topology.node_count
    if nodes & (nodes - 1) or nodes.bit_length() % 2 == 0:
        return f"needs an even power of two of nodes (4, 16, 64, …); the topology has {nodes}"
    return None


def _power_of_two(topology: Topology) -> str | None:
    nodes = topology.node_count
    if nodes & (nodes - 1):
        return f"needs a power of two of nodes; the topology has {nodes}"
    return None


def _digits(topology: Topology) -> str | None:
    if topology.entry.has_digits:
        return None
    others = ", ".join(each.kind for each in CATALOGUE.topologies if each.has_digits)
    return f"shifts along dimensions, which a {topology.entry.kind} lacks; use {others}"


#: What is wrong with a topology, by what a pattern needs of it.
_CHECKS: dict[str, Callable[[Topology], str | None]] = {
    "even_power_of_two": _square,
    "power_of_two": _power_of_two,
    "digits": _digits,
}
_NEEDS = {each.name: each.needs for each in CATALOGUE.patterns}
